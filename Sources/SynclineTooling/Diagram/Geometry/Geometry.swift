/// A point of a drawing; y grows downwards.
struct Point: Hashable, Sendable {
  /// The distance from the left edge.
  var x: Double
  /// The distance from the top edge.
  var y: Double
}

/// How much room something takes.
struct Size: Hashable, Sendable {
  /// The extent from left to right.
  var width: Double
  /// The extent from top to bottom.
  var height: Double

  /// The height of the smallest page in landscape of 3:2 that holds it.
  var pageHeight: Double { max(width / Size.pageRatio, height) }

  /// The width of a page that is read comfortably, to its height.
  static let pageRatio = 1.5
}

/// An upright rectangle.
struct Rect: Hashable, Sendable {
  /// The top left corner.
  var origin: Point
  /// Its extents.
  var size: Size

  /// The left edge.
  var minX: Double { origin.x }
  /// The right edge.
  var maxX: Double { origin.x + size.width }
  /// The top edge.
  var minY: Double { origin.y }

  /// The same rectangle somewhere else.
  func moved(by offset: Point) -> Rect {
    Rect(origin: Point(x: origin.x + offset.x, y: origin.y + offset.y), size: size)
  }
}
