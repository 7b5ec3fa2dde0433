import ArgumentParser
import SynclineCompiler

/// `syncline check`
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what is wrong with schema files.",
    discussion: "All files and folders together are one target's schema. Exits with 0 when there is no error."
  )

  @Option(
    name: .shortAndLong,
    help: "The target that the schema is of. Without it, names that are taken by its module are not found.")
  var target: String = "Schema"

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    _ = try schema.analyse(target: target)
  }
}
