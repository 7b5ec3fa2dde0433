import ArgumentParser
import SynclineNaming
import SynclineTooling

struct Docs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes HTML documentation of a schema.",
    discussion: """
      The page is self-contained and searchable, and adapts to light and dark mode. It contains the diagram and, for each \
      model, its JSON keys, properties, columns, accepted JSON values, relationships and an example payload.
      """)

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, modules) = try arguments.schemas()
    print(DocumentationPage(schema, importing: modules, keys: arguments.keyStyle).text, terminator: "")
  }
}
