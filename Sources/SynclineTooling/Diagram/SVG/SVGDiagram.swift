/// Writes a diagram of models as self-contained SVG, without scripts and external fonts.
package enum SVGDiagram {
  private static let margin = 40.0

  package static func text(_ diagram: ModelDiagram) -> String {
    let figures = figures(diagram)
    let layout = layout(diagram, figures)
    let offset = Point(x: margin, y: margin)
    let edges = zip(diagram.edges, layout.paths).map { edge, path in
      let names = (diagram.boxes[edge.from].name, diagram.boxes[edge.to].name)
      return EdgeFigure(edge: edge, path: path.moved(by: offset), names: names)
    }
    var lines = opening(diagram, layout.size)
    lines += edges.map(\.element)
    lines += edges.compactMap(\.labelElement)
    let ids = ids(diagram.boxes)
    for ((figure, box), id) in zip(zip(figures, layout.boxes), ids) {
      lines.append(figure.element(at: box.moved(by: offset).origin, id: id))
    }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  static func figures(_ diagram: ModelDiagram) -> [BoxFigure] {
    var degrees = [Int](repeating: 0, count: diagram.boxes.count)
    for end in diagram.edges.flatMap({ [$0.from, $0.to] }) { degrees[end] += 1 }
    return zip(diagram.boxes, degrees).map { BoxFigure($0, degree: $1) }
  }

  static func layout(_ diagram: ModelDiagram, _ figures: [BoxFigure]) -> LayeredLayout {
    let edges = diagram.edges.map {
      LayeredLayout.Edge(from: $0.from, to: $0.to, labelWidth: EdgeFigure.labelWidth($0))
    }
    return LayeredLayout(figures.map(\.size), edges: edges)
  }

  private static func opening(_ diagram: ModelDiagram, _ size: Size) -> [String] {
    let (width, height) = (XML.number(size.width + 2 * margin), XML.number(size.height + 2 * margin))
    return [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"models\" role=\"img\" aria-labelledby=\"title\" "
        + "width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\">",
      "<title id=\"title\">\(XML.escaped(diagram.title))</title>",
      "<style>",
      SVGStyle.css,
      "</style>",
      "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
    ]
  }

  /// An identifier for each box: its name, with a number if the name is taken.
  private static func ids(_ boxes: [ModelDiagram.Box]) -> [String] {
    var taken: Set<String> = []
    return boxes.map { box in
      let name = "model-" + box.name
      var id = name
      var number = 2
      while !taken.insert(id).inserted {
        id = "\(name)-\(number)"
        number += 1
      }
      return id
    }
  }
}
