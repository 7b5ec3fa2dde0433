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

  @OptionGroup var arguments: TargetArguments

  func run() throws {
    let (schema, modules) = try arguments.schemas()
    print(DocumentationPage(schema, importing: modules, keys: arguments.keyStyle).text, terminator: "")
  }
}
