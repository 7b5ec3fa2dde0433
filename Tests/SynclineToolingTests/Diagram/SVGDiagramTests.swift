import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@testable import SynclineTooling

@Suite struct SVGDiagramTests {
  private let diagram = ModelDiagram(
    title: "A <shop> & \"more\"",
    boxes: [
      .init(name: "Order<Int>", rows: [.init(name: "id", type: "UUID", isKey: true)]),
      .init(name: "Line", rows: (1...17).map { .init(name: "value\($0)", type: "Int?") }),
      .init(name: "Line"), .init(name: "Empty\u{1}"),
    ],
    edges: [
      .init(from: 0, to: 1, label: "lines", kind: .oneToOne),
      .init(from: 1, to: 0, label: "order & co", kind: .toOne, isOptional: true),
      .init(from: 1, to: 1, label: "parent", kind: .manyToMany),
    ])

  @Test func svgIsWellFormedXML() {
    for diagram in [diagram, ModelDiagram(title: "", boxes: [], edges: [])] {
      let parser = XMLParser(data: Data(SVGDiagram.text(diagram).utf8))
      #expect(parser.parse(), "\(String(describing: parser.parserError))")
    }
  }

  @Test func svgHasTitlesAndIDsForModelsAndEdges() {
    let text = SVGDiagram.text(diagram)
    #expect(text.contains("role=\"img\""))
    #expect(text.contains("<title id=\"title\">A &lt;shop&gt; &amp; &quot;more&quot;</title>"))
    for id in ["model-Order&lt;Int&gt;", "model-Line", "model-Line-2", "model-Empty\u{FFFD}"] {
      #expect(text.contains("<g id=\"\(id)\""))
    }
    #expect(text.contains("<title>Line.order &amp; co → Order&lt;Int&gt;</title>"))
    #expect(text.contains("prefers-color-scheme:dark"))
  }

  @Test func shortensLongModels() {
    let text = SVGDiagram.text(diagram)
    #expect(text.contains("… 5 more"))
    #expect(text.contains(">value12<"))
    #expect(!text.contains(">value13<"))
  }

  @Test func keepsTextsInTheirBoxes() {
    let long = String(repeating: "W", count: 200)
    let figure = BoxFigure(.init(name: long, rows: [.init(name: long, type: long)]), degree: 0)
    #expect(figure.size.width < 500)
    #expect(TextWidth.of(TextWidth.fitted(long, size: 12, room: 100), size: 12) <= 100)
    #expect(TextWidth.fitted("id", size: 12, room: 100) == "id")
  }

  @Test(arguments: [(0, "0"), (-0.04, "0"), (1.25, "1.3"), (-2.5, "-2.5"), (10, "10"), (.infinity, "0")])
  func numbersAreRoundedToOneDecimal(_ value: Double, _ text: String) {
    #expect(XML.number(value) == text)
  }
}
