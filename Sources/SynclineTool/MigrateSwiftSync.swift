import ArgumentParser
import SynclineFiles
import SynclineTooling

struct MigrateSwiftSync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-swiftsync",
    abstract: "Proposes a schema for models of SwiftSync or SwiftData.",
    discussion: """
      Classes with “@Syncable” or “@Model” become models. Identities, keys, defaults, inverses, delete rules, unique \
      values, indexes and “@NotExport” are converted, and so are the enums and structs that the models use. Comments \
      list code that cannot be converted, with line numbers.
      """)

  @Argument(
    help: "Swift files, or folders that contain them.", completion: .file(extensions: ["swift"]))
  var paths: [String]

  func run() throws {
    let files = SchemaPath.distinct(
      paths.flatMap {
        SchemaFolder.isFolder($0) ? SchemaFolder($0).contents(of: "swift").files : [SchemaPath($0)]
      })
    let sources = try files.map { file in
      (name: file.relativePath, text: String(decoding: try PayloadFile.read(file.path), as: UTF8.self))
    }
    guard !sources.isEmpty else {
      throw SchemaFileError(description: "There is no Swift file in \(paths.joined(separator: ", ")).")
    }
    let migration = SwiftSyncMigration(sources)
    guard migration.modelCount > 0 else {
      throw SchemaFileError(description: "There is no class with “@Syncable” or “@Model” in the files.")
    }
    print(migration.text, terminator: "")
  }
}
