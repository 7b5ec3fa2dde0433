/// The line of an edge, from the border of one box to the border of another.
struct EdgePath: Hashable, Sendable {
  /// A piece of the line, which starts where the previous one ends.
  enum Piece: Hashable, Sendable {
    case line(Point)
    /// A cubic Bézier curve by two control points to a point.
    case curve(Point, Point, Point)

    var end: Point {
      switch self {
      case .line(let end), .curve(_, _, let end): end
      }
    }
  }

  var start: Point
  var pieces: [Piece] = []

  var end: Point { pieces.last?.end ?? start }

  /// Adds a straight line, unless it would have no length.
  mutating func addLine(to point: Point) {
    if point == end { return }
    if case .line(let corner)? = pieces.last {
      // Two level lines at the same height become one.
      let before = pieces.count > 1 ? pieces[pieces.count - 2].end : start
      if before.y == corner.y, corner.y == point.y { pieces.removeLast() }
    }
    pieces.append(.line(point))
  }

  /// Adds a curve that starts and ends level, or a straight line if both heights are the same.
  mutating func addLevelCurve(to point: Point) {
    let from = end
    if from.y == point.y { return addLine(to: point) }
    let middle = (from.x + point.x) / 2
    pieces.append(.curve(Point(x: middle, y: from.y), Point(x: middle, y: point.y), point))
  }

  /// The same line, drawn from its other end.
  var reversed: EdgePath {
    var path = EdgePath(start: end)
    for (index, piece) in pieces.enumerated().reversed() {
      let target = index == 0 ? start : pieces[index - 1].end
      switch piece {
      case .line: path.pieces.append(.line(target))
      case .curve(let first, let second, _): path.pieces.append(.curve(second, first, target))
      }
    }
    return path
  }

  func moved(by offset: Point) -> EdgePath {
    func move(_ point: Point) -> Point { Point(x: point.x + offset.x, y: point.y + offset.y) }
    return EdgePath(
      start: move(start),
      pieces: pieces.map { piece in
        switch piece {
        case .line(let end): .line(move(end))
        case .curve(let first, let second, let end): .curve(move(first), move(second), move(end))
        }
      })
  }
}
