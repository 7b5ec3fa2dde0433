import Foundation
import TestRuns
import Testing

/// A plugin can use no target of the package but tools, so the plugins have copies of files that they share with those.
/// Symbolic links would be lost in checkouts on Windows and in archives.
@Suite(.enabled(if: TestKind.building.runs)) struct PluginCopyTests {
  private static let originals = [
    "Plugins/SynclinePlugin/TargetSchema.swift", "Sources/SynclineCompiler/GeneratedFile.swift",
    "Sources/SynclineFiles/SchemaFolder.swift", "Sources/SynclineNaming/ModuleName.swift",
  ]

  /// After a change, `SYNCLINE_RECORD=1 swift test --filter PluginCopyTests` copies the originals.
  @Test(arguments: ["SynclinePlugin", "SynclineCommand"]) func copiedPluginFilesEqualTheirOriginals(
    plugin: String
  ) throws {
    let folder = Shell.package.appending(path: "Plugins/\(plugin)")
    var count = 0
    for path in Self.originals {
      let original = Shell.package.appending(path: path)
      let copy = folder.appending(path: original.lastPathComponent)
      guard original != copy, FileManager.default.fileExists(atPath: copy.path) else { continue }
      let data = try Data(contentsOf: original)
      if ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] != nil { try data.write(to: copy) }
      #expect(try Data(contentsOf: copy) == data, "\(copy.path) is a copy of \(path)")
      count += 1
    }
    #expect(count == 3)
  }

  @Test func pluginFilesAreNotSymbolicLinks() throws {
    let entries = FileManager.default.enumerator(atPath: Shell.package.appending(path: "Plugins").path)
    while let path = entries?.nextObject() as? String {
      #expect(
        throws: (any Error).self, "\(path)",
        performing: {
          try FileManager.default.destinationOfSymbolicLink(
            atPath: Shell.package.appending(path: "Plugins/\(path)").path)
        })
    }
  }
}
