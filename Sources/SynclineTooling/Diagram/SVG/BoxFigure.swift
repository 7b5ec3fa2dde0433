/// The drawing of a model: a header with its name, and below it a row for each property.
struct BoxFigure {
  private let box: ModelDiagram.Box
  private let rows: [ModelDiagram.Row]
  /// The number of rows that are not shown.
  private let hidden: Int
  private let name: String
  let size: Size

  private static let maximumRows = 12
  private static let header = 34.0
  private static let row = 22.0
  /// The height that an edge's end needs for its mark and its label.
  private static let end = 14.0
  private static let padding = 12.0
  private static let columnGap = 20.0
  private static let nameSize = 14.0
  private static let textSize = 12.0
  private static let maximumName = 180.0
  private static let maximumType = 150.0
  /// Widths are multiples of this step, so that boxes in a column align better.
  private static let widthStep = 20.0

  /// - Parameter degree: the number of edge ends for which the box must have room, on two sides.
  init(_ box: ModelDiagram.Box, degree: Int) {
    self.box = box
    // A row “1 more” needs as much space as the row that it replaces.
    let isShortened = box.rows.count > BoxFigure.maximumRows + 1
    rows = isShortened ? Array(box.rows.prefix(BoxFigure.maximumRows)) : box.rows
    hidden = box.rows.count - rows.count
    let room = BoxFigure.maximumName + BoxFigure.maximumType
    name = TextWidth.fitted(box.name, size: BoxFigure.nameSize, isBold: true, room: room)
    var width = TextWidth.of(name, size: BoxFigure.nameSize, isBold: true)
    for row in rows {
      let (name, type) = BoxFigure.texts(row)
      width = max(
        width,
        TextWidth.of(name, size: BoxFigure.textSize, isBold: row.isKey) + BoxFigure.columnGap
          + TextWidth.of(type, size: BoxFigure.textSize))
    }
    let lines = rows.count + (hidden > 0 ? 1 : 0)
    let steps = max(((width + 2 * BoxFigure.padding) / BoxFigure.widthStep).rounded(.up), 7)
    size = Size(
      width: steps * BoxFigure.widthStep,
      height: max(
        BoxFigure.header + Double(lines) * BoxFigure.row + (lines > 0 ? 8 : 0),
        BoxFigure.header + Double(degree) / 2 * BoxFigure.end))
  }

  /// The name and the type of a row, shortened to the maximum width of a box.
  private static func texts(_ row: ModelDiagram.Row) -> (name: String, type: String) {
    (
      TextWidth.fitted(row.name, size: textSize, isBold: row.isKey, room: maximumName),
      TextWidth.fitted(row.type, size: textSize, room: maximumType)
    )
  }

  /// - Parameter id: unique in the document.
  func element(at origin: Point, id: String) -> String {
    let (width, height) = (XML.number(size.width), XML.number(size.height))
    var lines = [
      "<g id=\"\(XML.escaped(id))\" class=\"model\" "
        + "transform=\"translate(\(XML.number(origin.x)) \(XML.number(origin.y)))\">",
      "<title>\(XML.escaped(box.name))</title>",
      "<rect class=\"card\" width=\"\(width)\" height=\"\(height)\" rx=\"8\"/>",
    ]
    if rows.isEmpty {
      lines.append("<rect class=\"head\" width=\"\(width)\" height=\"\(height)\" rx=\"8\"/>")
    } else {
      let head = XML.number(BoxFigure.header)
      let corner = XML.number(size.width - 8)
      lines.append(
        "<path class=\"head\" d=\"M0 \(head)V8Q0 0 8 0H\(corner)Q\(width) 0 \(width) 8V\(head)Z\"/>")
      lines.append("<path class=\"rule\" d=\"M0 \(head)H\(width)\"/>")
    }
    lines.append(text(name, x: BoxFigure.padding, y: 22, class: "name"))
    for (index, row) in rows.enumerated() {
      let y = BoxFigure.header + 4 + Double(index) * BoxFigure.row + 15.5
      let (name, type) = BoxFigure.texts(row)
      lines.append(text(name, x: BoxFigure.padding, y: y, class: row.isKey ? "row key" : "row"))
      lines.append(text(type, x: size.width - BoxFigure.padding, y: y, class: "row type"))
    }
    if hidden > 0 {
      let y = BoxFigure.header + 4 + Double(rows.count) * BoxFigure.row + 15.5
      lines.append(text("… \(hidden) more", x: BoxFigure.padding, y: y, class: "row more"))
    }
    lines.append("<rect class=\"frame\" width=\"\(width)\" height=\"\(height)\" rx=\"8\"/>")
    lines.append("</g>")
    return lines.joined(separator: "\n")
  }

  private func text(_ text: String, x: Double, y: Double, class name: String) -> String {
    "<text class=\"\(name)\" x=\"\(XML.number(x))\" y=\"\(XML.number(y))\">\(XML.escaped(text))</text>"
  }
}
