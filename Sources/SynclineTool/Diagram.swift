import ArgumentParser
import SynclineTooling

struct Diagram: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws the models of a schema and their relationships.",
    discussion: "The SVG is self-contained and adapts to light and dark pages.")

  @Flag(help: "The output format.")
  var form = Form.svg

  @Option(name: .shortAndLong, help: "The title of the diagram.")
  var target: String = "Schema"

  @OptionGroup var schema: SchemaArguments

  enum Form: String, EnumerableFlag {
    case svg, mermaid, dot

    static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .svg: "Writes an SVG picture."
      case .mermaid: "Writes a Mermaid erDiagram."
      case .dot: "Writes a Graphviz graph."
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
