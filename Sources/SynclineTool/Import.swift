import ArgumentParser
import Foundation
import SynclineTooling

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Proposes a schema for the tables of an SQLite file, or copies its rows.",
    discussion: """
      Tables become models, columns properties, foreign keys relationships with inverses, and join tables \
      many-to-many relationships; types, defaults, indexes and delete rules are kept. Comments list what cannot be \
      converted. The file is not changed.

      With “--copy” the rows of the file are synced into a new store with the proposed schema, with their links. The \
      command prints the counts of rows and links, and the rows that could not be copied. Exits with 1 if there are any.
      """)

  @Flag(help: "Copies the rows into a new store, whose file is the second argument.")
  var copy = false

  @Argument(help: "An SQLite file.", completion: .file(extensions: ["sqlite", "sqlite3", "db"]))
  var file: String

  @Argument(help: "With “--copy”: the file of the new store.")
  var store: String?

  func validate() throws {
    if copy, store == nil { throw ValidationError("Pass the file of the new store after “\(file)”.") }
    if !copy, let store { throw ValidationError("Pass “--copy” to copy the rows into “\(store)”.") }
  }

  func run() async throws {
    try PayloadFile.check(file)
    guard let store, copy else {
      do {
        print(try SQLiteImport(file).text, terminator: "")
      } catch {
        throw SchemaFileError(description: "“\(file)” cannot be read: \(error)")
      }
      return
    }
    let result = try await result(of: file, in: store)
    print(result.text, terminator: "")
    if !result.isComplete { throw ExitCode.failure }
  }

  private func result(of file: String, in store: String) async throws -> SQLiteCopy {
    do {
      return try await SQLiteCopy(of: file, to: URL(filePath: store))
    } catch SQLiteCopy.Failure.storeExists {
      throw SchemaFileError(description: "“\(store)” exists already: the rows are copied into a new file.")
    } catch SQLiteCopy.Failure.invalidSchema(let message) {
      throw SchemaFileError(description: "The proposed schema of “\(file)” has an error: \(message)")
    } catch {
      throw SchemaFileError(description: "“\(file)” cannot be copied to “\(store)”: \(error)")
    }
  }
}
