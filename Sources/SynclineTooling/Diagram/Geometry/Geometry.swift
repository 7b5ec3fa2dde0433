/// A point of a drawing; y grows downwards.
struct Point: Hashable, Sendable {
  var x, y: Double
}

struct Size: Hashable, Sendable {
  var width, height: Double

  /// The height of the smallest 3:2 landscape page that it fits on.
  var pageHeight: Double { max(width / Size.pageRatio, height) }

  /// The ratio of width to height of a page that is comfortable to read.
  static let pageRatio = 1.5
}

/// An upright rectangle.
struct Rect: Hashable, Sendable {
  /// The top left corner.
  var origin: Point
  var size: Size

  var minX: Double { origin.x }
  var maxX: Double { origin.x + size.width }
  var minY: Double { origin.y }

  func moved(by offset: Point) -> Rect {
    Rect(origin: Point(x: origin.x + offset.x, y: origin.y + offset.y), size: size)
  }
}
