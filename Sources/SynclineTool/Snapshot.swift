import ArgumentParser
import SynclineNaming

/// `syncline snapshot`
struct Snapshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a schema as JSON, to be compared with later versions of it.",
    discussion: """
      It is what a store remembers of the schema, and the JSON keys besides. Keep one for each version that was shipped: \
      “syncline diff” compares two, and tests make stores of them.
      """)

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, target) = (arguments.schema, arguments.target)
    print(
      try schema.imports.snapshot(of: schema.paths, target: target, keys: arguments.keyStyle), terminator: "")
  }
}

extension KeyStyle: ExpressibleByArgument {}
