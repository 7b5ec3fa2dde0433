import ArgumentParser
import SynclineNaming

struct Snapshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a schema as JSON, to be compared with later versions of it.",
    discussion: """
      The JSON contains the schema in the form in which a store contains it, and the JSON keys, attributes, settings, \
      enums, structs and unions. Keep a snapshot of each released version: “syncline diff” compares two of them, and \
      migration tests create stores from them.
      """)

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, target) = (arguments.schema, arguments.target)
    print(
      try schema.imports.snapshot(of: schema.paths, target: target, keys: arguments.keyStyle), terminator: "")
  }
}

extension KeyStyle: ExpressibleByArgument {}
