/// The drawing of a relationship: a line with crow's feet, and the name of its property at its start.
struct EdgeFigure {
  /// The mark at an end of the line.
  private enum Mark {
    case one
    case zeroOrOne
    case many
  }

  let edge: ModelDiagram.Edge
  /// The line, which is level at both ends.
  let path: EdgePath
  /// The names of the models at both ends.
  let names: (from: String, to: String)

  private static let labelSize = 11.0
  private static let maximumLabel = 110.0
  /// The distance from the border of the box to the label.
  private static let labelInset = 19.0

  /// The space after the stub for an edge's label, if part of the label may overlap a curve.
  static func labelWidth(_ edge: ModelDiagram.Edge) -> Double {
    edge.label.isEmpty ? 0 : TextWidth.of(label(edge), size: labelSize) * 0.75
  }

  private static func label(_ edge: ModelDiagram.Edge) -> String {
    TextWidth.fitted(edge.label, size: labelSize, room: maximumLabel)
  }

  var element: String {
    let (from, to) = marks
    let start = EdgeFigure.outward(path)
    let end = EdgeFigure.outward(path.reversed)
    return [
      "<g class=\"edge \(style)\">",
      "<title>\(XML.escaped("\(names.from).\(edge.label) → \(names.to)"))</title>",
      "<path class=\"wide\" d=\"\(line)\"/>",
      "<path d=\"\(line)\"/>",
      EdgeFigure.element(from, at: path.start, outward: start),
      EdgeFigure.element(to, at: path.end, outward: end),
      "</g>",
    ].joined(separator: "\n")
  }

  /// The SVG element of the label, which is drawn above all lines.
  var labelElement: String? {
    if edge.label.isEmpty { return nil }
    let outward = EdgeFigure.outward(path)
    let x = path.start.x + outward * EdgeFigure.labelInset
    let style = outward < 0 ? "label left" : "label"
    return "<text class=\"\(style)\" x=\"\(XML.number(x))\" y=\"\(XML.number(path.start.y - 4))\">"
      + "\(XML.escaped(EdgeFigure.label(edge)))</text>"
  }

  private var style: String { edge.kind == .manyToMany ? "many-to-many" : "to-one" }

  private var marks: (from: Mark, to: Mark) {
    let one = edge.isOptional ? Mark.zeroOrOne : .one
    return switch edge.kind {
    case .toOne: (.many, one)
    case .oneToOne: (.zeroOrOne, one)
    case .manyToMany: (.many, .many)
    }
  }

  private var line: String {
    path.pieces.reduce("M" + XML.point(path.start)) { text, piece in
      switch piece {
      case .line(let end): text + "L" + XML.point(end)
      case .curve(let first, let second, let end):
        text + "C" + XML.point(first) + " " + XML.point(second) + " " + XML.point(end)
      }
    }
  }

  /// The direction in which a path leaves its box: 1 to the right, -1 to the left.
  private static func outward(_ path: EdgePath) -> Double {
    (path.pieces.first?.end.x ?? path.start.x) < path.start.x ? -1 : 1
  }

  private static func element(_ mark: Mark, at point: Point, outward: Double) -> String {
    func x(_ distance: Double) -> String { XML.number(point.x + outward * distance) }
    func y(_ distance: Double) -> String { XML.number(point.y + distance) }
    switch mark {
    case .one:
      return "<path class=\"end\" d=\"M\(x(9)) \(y(-5))V\(y(5))\"/>"
    case .zeroOrOne:
      return "<path class=\"end\" d=\"M\(x(6)) \(y(-5))V\(y(5))\"/>"
        + "<circle class=\"none\" cx=\"\(x(12.5))\" cy=\"\(y(0))\" r=\"3.5\"/>"
    case .many:
      return "<path class=\"end\" d=\"M\(x(0)) \(y(-5))L\(x(11)) \(y(0))L\(x(0)) \(y(5))\"/>"
    }
  }
}
