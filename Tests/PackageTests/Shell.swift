import Foundation

/// Runs commands, as a user would at a prompt.
enum Shell {
  struct Result {
    let status: Int32
    let output: String
  }

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardizedFileURL

  /// Packages outside of this one share a build folder, so that what they depend on is built once.
  static let buildFolder = package.appending(path: ".build/outside")

  /// The package that the plan in the build folder is of. The suites that build run one at a time.
  nonisolated(unsafe) private static var plannedPackage: URL?

  /// Runs a command; its output and its errors together.
  static func run(_ arguments: String..., in folder: URL = package) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    // What the test runner sets for itself must not reach the builds inside of it.
    for name in environment.keys where name.hasPrefix("SWIFTPM_") || name.hasPrefix("SWIFT_TESTING") {
      environment[name] = nil
    }
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }

  /// Runs the command line tool: the tests stand beside the products, and it is among them.
  static func syncline(_ arguments: String...) throws -> Result { try syncline(arguments) }

  static func syncline(_ arguments: [String]) throws -> Result {
    try run(arguments: [package.appending(path: ".build/debug/syncline").path] + arguments)
  }

  /// Type-checks files against the modules of the tests' build, and those of a folder.
  static func typeCheck(_ files: [String], _ options: String = "", in folder: URL) throws -> Result {
    let moduleMaps = [
      ".build/checkouts/GRDB.swift/Sources/GRDBSQLite", "Sources/SynclineBytes/include",
    ].map { "-Xcc -fmodule-map-file=\($0)/module.modulemap" }
    return try run(
      "bash", "-c",
      """
      swiftc -typecheck -swift-version 6 \(options) -module-name Views -I .build/debug/Modules \
      -I '\(folder.path)' \(moduleMaps.joined(separator: " ")) \(files.map { "'\($0)'" }.joined(separator: " "))
      """)
  }

  /// Builds or runs a package with the shared build folder.
  static func swift(_ command: String, package folder: URL, _ arguments: String...) throws -> Result {
    // SwiftPM takes the plan it finds for the package's own, and does not see new files of its dependencies.
    if plannedPackage != folder {
      for plan in ["debug.yaml", "release.yaml"] {
        try? FileManager.default.removeItem(at: buildFolder.appending(path: plan))
      }
      plannedPackage = folder
    }
    let process = [
      "swift", command, "--package-path", folder.path, "--scratch-path", buildFolder.path,
      // What only debuggers and editors need.
      "--disable-index-store", "-debug-info-format", "none",
    ]
    return try run(arguments: process + arguments)
  }

  /// What there is to read, waiting for some; nothing at the end, and where the other side is gone.
  static func readSome(_ handle: FileHandle) -> Data {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(handle.fileDescriptor, &bytes, bytes.count)
    return Data(bytes.prefix(max(count, 0)))
  }

  private static func run(arguments: [String]) throws -> Result {
    let quoted = arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    return try run("bash", "-c", quoted)
  }
}

/// A folder that is removed when it is done with.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: url.appending(path: path))
  }
}
