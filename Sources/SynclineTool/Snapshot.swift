import ArgumentParser
import SynclineNaming

/// `syncline snapshot`
struct Snapshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a schema as JSON, to be compared with later versions of it.",
    discussion: """
      The JSON is what a store records of its schema, plus the JSON keys, the attributes, and the settings, enums, \
      structs and unions. Keep one for each released version: “syncline diff” compares two, and tests create stores \
      from them.
      """)

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, target) = (arguments.schema, arguments.target)
    print(
      try schema.imports.snapshot(of: schema.paths, target: target, keys: arguments.keyStyle), terminator: "")
  }
}

extension KeyStyle: ExpressibleByArgument {}
