import ArgumentParser
import Foundation
import SynclineFiles
import SynclineTooling

/// `syncline migrate-swiftsync`
struct MigrateSwiftSync: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-swiftsync",
    abstract: "Proposes a schema for models of SwiftSync or SwiftData.",
    discussion: """
      Classes with “@Syncable” or “@Model” are models. Identities, keys, defaults, inverses, delete rules, unique \
      values, indexes and what is not exported are carried over, and so are the enums and structs that the models use. \
      Comments say, with the line, what cannot be.
      """)

  @Argument(
    help: "Swift files, and folders of them.", completion: .file(extensions: ["swift"]))
  var paths: [String]

  func run() throws {
    let sources = try paths.flatMap(SwiftFiles.found).map { file in
      (name: file.name, text: String(decoding: try PayloadFile.read(file.path), as: UTF8.self))
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

/// Finding Swift files.
private enum SwiftFiles {
  /// The file at a path, or the files in and below the folder there, each with the name that comments have for it.
  /// What is hidden is skipped, such as `.build`, and links are not followed: they may form a circle.
  static func found(at path: String) throws -> [(path: String, name: String)] {
    guard SchemaFolder.isFolder(path) else { return [(path, URL(filePath: path).lastPathComponent)] }
    let folder = URL(filePath: path).resolvingSymlinksInPath().path
    guard let entries = FileManager.default.enumerator(atPath: folder) else { return [] }
    var names: [String] = []
    while let name = entries.nextObject() as? String {
      let isHidden = name.split(separator: "/").last?.hasPrefix(".") ?? false
      let isFolder = SchemaFolder.isFolder(folder + "/" + name)
      if isHidden, isFolder { entries.skipDescendants() }
      if !isHidden, !isFolder, name.hasSuffix(".swift") { names.append(name) }
    }
    return names.sorted().map { (folder + "/" + $0, $0) }
  }
}
