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

  @Option(name: .shortAndLong, help: "The target that the schema is of.")
  var target: String = "Schema"

  @Option(help: "Which keys are written: those of snake_case or of camelCase.")
  var keyStyle: KeyStyle = .snakeCase

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    print(try schema.imports.snapshot(of: schema.paths, target: target, keys: keyStyle), terminator: "")
  }
}

extension KeyStyle: ExpressibleByArgument {}
