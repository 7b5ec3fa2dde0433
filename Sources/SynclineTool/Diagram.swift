import ArgumentParser
import SynclineTooling

/// `syncline diagram`
struct Diagram: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws the models of a schema and how they are related.",
    discussion: "The SVG needs nothing else, and follows a light or a dark page.")

  @Flag(help: "What is written.")
  var form = Form.svg

  @Option(name: .shortAndLong, help: "What the diagram is called.")
  var target: String = "Schema"

  @OptionGroup var schema: SchemaArguments

  enum Form: String, EnumerableFlag {
    case svg, mermaid, dot

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .svg: "A picture."
      case .mermaid: "The text of an erDiagram of Mermaid."
      case .dot: "The text of a graph of Graphviz."
      }
    }
  }

  func run() throws {
    let diagram = ModelDiagram(try schema.analyse(target: target), titled: target)
    let text =
      switch form {
      case .svg: SVGDiagram.text(diagram)
      case .mermaid: diagram.mermaid
      case .dot: diagram.dot
      }
    print(text, terminator: "")
  }
}
