import ArgumentParser
import Foundation
import SynclineNaming
import SynclineSchema

/// `syncline diff`
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares two versions of a schema: what changes for stores and for the API.",
    discussion: """
      Exits with 1 if rows or values are dropped, or if stored data may not fit the new schema; each such line begins \
      with “!”. Otherwise exits with 0.
      """)

  @Argument(
    help: "The earlier version: what “syncline snapshot” wrote, or schema files in a folder.",
    completion: .file(extensions: ["json", "syncline"]))
  var old: String

  @Argument(help: "The later version.", completion: .file(extensions: ["json", "syncline"]))
  var new: String

  @OptionGroup var imports: SchemaImports

  @Option(help: "The style of the JSON keys to compare, for schema files; by default that of each version.")
  var keyStyle: KeyStyle?

  @Flag(help: "Prints JSON.")
  var json = false

  func run() throws {
    let difference = SchemaDifference(from: try read(old), to: try read(new))
    let conflicts = difference.match.conflicts
    if json {
      try printJSON(difference)
    } else {
      print(DiffText(difference).text, terminator: "")
    }
    let isSafe = conflicts.isEmpty && difference.risks.allSatisfy { $0.risk == .none }
    if !isSafe { throw ExitCode(1) }
  }

  private func read(_ path: String) throws -> SyncSchemaSnapshot {
    guard path.hasSuffix(".json") else {
      let text = try imports.snapshot(of: [path], target: "Schema", keys: keyStyle)
      return try SyncSchemaSnapshot(json: Data(text.utf8))
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SchemaFileError(description: "There is no file “\(path)”.")
    }
    do {
      return try SyncSchemaSnapshot(json: data)
    } catch let error as SyncSchemaSnapshot.ReadingError {
      throw SchemaFileError(description: "“\(path)” is not a schema written by “syncline snapshot”: \(error)")
    }
  }

  private func printJSON(_ difference: SchemaDifference) throws {
    struct Change: Encodable {
      let change: SyncSchemaChange
      let risk: SyncSchemaRisk
      let sentence: String
    }
    struct Output: Encodable {
      let store: [Change]
      let conflicts: [String]
      let api: [SyncAPIChange]
    }
    let output = Output(
      store: difference.risks.map {
        Change(change: $0.change, risk: $0.risk, sentence: $0.change.description)
      },
      conflicts: difference.match.conflicts, api: difference.apiChanges)
    try SynclineCommand.printJSON(output)
  }
}

/// A difference as readable text.
struct DiffText {
  let text: String

  init(_ difference: SchemaDifference) {
    var lines: [String] = []
    let store =
      difference.match.conflicts.map { "! " + $0 }
      + difference.risks.map { change, risk in
        switch risk {
        case .none: "  \(change)"
        case .drops: "! \(change)"
        case .mayBeRefused: "! \(change): refused where rows do not fit"
        }
      }
    if !store.isEmpty { lines += ["For stores:"] + store }
    let api = difference.apiChanges.map { "  \($0)" }
    if !api.isEmpty { lines += ["For the API:"] + api }
    text = lines.isEmpty ? "Nothing changes.\n" : lines.joined(separator: "\n") + "\n"
  }
}
