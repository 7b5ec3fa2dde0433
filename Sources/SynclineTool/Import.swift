import ArgumentParser
import Foundation
import SynclineFiles
import SynclineTooling

/// `syncline import`
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Proposes a schema for the tables of an SQLite file.",
    discussion: """
      Tables become models, columns properties, foreign keys relationships with inverses, and join tables \
      many-to-many relationships; types, defaults, indexes and delete rules are kept. Comments list what cannot be converted. \
      The file is only read.
      """)

  @Argument(help: "An SQLite file.", completion: .file(extensions: ["sqlite", "sqlite3", "db"]))
  var file: String

  func run() throws {
    guard FileManager.default.fileExists(atPath: file) else {
      throw SchemaFileError(description: "There is no file “\(file)”.")
    }
    guard !SchemaFolder.isFolder(file) else {
      throw SchemaFileError(description: "“\(file)” cannot be read: it is a folder; name a file in it.")
    }
    do {
      print(try SQLiteImport(file).text, terminator: "")
    } catch {
      throw SchemaFileError(description: "“\(file)” cannot be read: \(error)")
    }
  }
}
