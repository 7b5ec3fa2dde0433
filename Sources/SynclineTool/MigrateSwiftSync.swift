import ArgumentParser
import Foundation
import SynclineTooling

/// `syncline migrate-swiftsync`
struct MigrateSwiftSync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-swiftsync",
    abstract: "Proposes a schema for models of SwiftSync.",
    discussion: """
      Classes with “@Syncable” or “@Model” are models: their identities, keys, defaults, inverses, delete rules and what is \
      not exported are carried over. Comments say, with the line, what cannot be.
      """)

  @Argument(help: "Swift files.", completion: .file(extensions: ["swift"]))
  var files: [String]

  func run() throws {
    let sources = try files.map { file in
      (
        name: URL(filePath: file).lastPathComponent,
        text: String(decoding: try PayloadFile.read(file), as: UTF8.self)
      )
    }
    let migration = SwiftSyncMigration(sources)
    guard migration.modelCount > 0 else {
      throw SchemaFileError(description: "There is no class with “@Syncable” or “@Model” in the files.")
    }
    print(migration.text, terminator: "")
  }
}
