import Foundation

/// A module of Apple's, made of declarations of our own, so that code for Apple's platforms is type-checked elsewhere.
enum AppleStub {
  static var isNeeded: Bool {
    #if canImport(Darwin)
      false
    #else
      true
    #endif
  }

  /// The folder with SwiftPM's module for plugins.
  static func pluginAPI() throws -> String {
    let info = try Shell.run("swift", "-print-target-info")
    let path = info.output.firstMatch(of: /"runtimeResourcePath": "(.*)"/)?.output.1 ?? ""
    return "\(path)/pm/PluginAPI"
  }

  /// Makes modules of `Tests/AppleStubs` in a folder.
  static func make(_ names: String..., in folder: TemporaryFolder, options: String = "") throws
    -> Shell.Result
  {
    let commands = names.map { name in
      """
      swiftc -emit-module -module-name \(name) -swift-version 6 \(options) \
      -emit-module-path '\(folder.url.path)/\(name).swiftmodule' Tests/AppleStubs/\(name).swift
      """
    }
    return try Shell.run("bash", "-c", commands.joined(separator: " && "))
  }
}
