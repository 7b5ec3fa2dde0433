import ArgumentParser
import Foundation
import SynclineNaming
import SynclineSchema

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Compares two versions of a schema, and lists the effects on stores, payloads, bodies and Swift code.",
    discussion: """
      The effects of every change of an attribute, an argument, a setting or a declaration are listed: on stores, on \
      the payloads that are read, and on the bodies that exports and pushes write. Changes without such effects are \
      listed under Swift code. Comments and the order of declarations are not compared.

      Exits with 1 if rows or values are dropped, or if stored data may not fit the new schema; each such line begins \
      with “!”. Otherwise exits with 0.
      """)

  @Argument(
    help: "The earlier version: a file written by “syncline snapshot”, or schema files in a folder.",
    completion: .file(extensions: ["json", "syncline"]))
  var old: String

  @Argument(help: "The later version.", completion: .file(extensions: ["json", "syncline"]))
  var new: String

  @OptionGroup var imports: SchemaImports

  @Option(
    help: "The style of the JSON keys to compare, for schema files. The default is the style of each version."
  )
  var keyStyle: KeyStyle?

  @Flag(help: "Prints JSON.")
  var json = false

  func run() throws {
    let difference = SchemaDifference(from: try read(old), to: try read(new))
    let conflicts = difference.match.conflicts
    if !difference.isOfWholeSchemas { printError(Diff.incomplete) }
    if json {
      try printJSON(difference)
    } else {
      print(text(of: difference), terminator: "")
    }
    let isSafe = conflicts.isEmpty && difference.risks.allSatisfy { $0.risk == .none }
    if !isSafe { throw ExitCode.failure }
  }

  private static let incomplete = """
    note: one of the versions was not written by this version of “syncline snapshot”, and lacks attributes, enums, structs \
    and unions. Their changes are not listed. Write it again from its schema files, or compare these.

    """

  private func read(_ path: String) throws -> SyncSchemaSnapshot {
    guard path.hasSuffix(".json") else {
      let text = try imports.snapshot(of: [path], target: "Schema", keys: keyStyle)
      return try SyncSchemaSnapshot(json: Data(text.utf8))
    }
    do {
      return try SyncSchemaSnapshot(json: Data(PayloadFile.read(path)))
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
      let storeEffects, reading, bodies, code: [SchemaEffect]
    }
    let effects = Dictionary(grouping: difference.effects, by: \.area)
    let output = Output(
      store: difference.risks.map {
        Change(change: $0.change, risk: $0.risk, sentence: $0.change.description)
      },
      conflicts: difference.match.conflicts, storeEffects: effects[.store] ?? [],
      reading: effects[.reading] ?? [],
      bodies: effects[.bodies] ?? [], code: effects[.code] ?? [])
    try SynclineCommand.printJSON(output)
  }

  private func text(of difference: SchemaDifference) -> String {
    let effects = Dictionary(grouping: difference.effects, by: \.area)
    let tables =
      difference.match.conflicts.map { "! " + $0 }
      + difference.risks.map { change, risk in
        switch risk {
        case .none: "  \(change)"
        case .drops: "! \(change)"
        case .mayBeRefused: "! \(change): opening the store fails if stored rows do not satisfy it"
        }
      }
    let sections = SchemaEffect.Area.allCases.flatMap { area -> [String] in
      let lines = (area == .store ? tables : []) + (effects[area] ?? []).map { "  \($0)" }
      return lines.isEmpty ? [] : [heading(of: area)] + lines
    }
    return sections.isEmpty ? "Nothing changes.\n" : sections.joined(separator: "\n") + "\n"
  }

  private func heading(of area: SchemaEffect.Area) -> String {
    switch area {
    case .store: "For stores:"
    case .reading: "For payloads that are read:"
    case .bodies: "For bodies that are written:"
    case .code: "For Swift code:"
    }
  }
}
