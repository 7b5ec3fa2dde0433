import ArgumentParser
import SynclineNaming
import SynclineTooling

/// `syncline docs`
struct Docs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a page of HTML about a schema.",
    discussion: """
      The page needs nothing else: the diagram, and of each model its JSON keys, properties and columns, what is read into \
      them, its relationships, and a payload; with a search, in light and dark.
      """)

  @Option(name: .shortAndLong, help: "What the page is called.")
  var target: String = "Schema"

  @Option(help: "How the API spells its keys.")
  var keyStyle: KeyStyle = .snakeCase

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    let (schema, modules) = try schema.imports.schemas(schema.paths, target: target)
    print(DocumentationPage(schema, importing: modules, keys: keyStyle).text, terminator: "")
  }
}
