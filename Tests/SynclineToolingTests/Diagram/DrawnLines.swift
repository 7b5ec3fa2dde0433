@testable import SynclineTooling

extension EdgePath {
  /// The line as points, with its curves cut into straight parts.
  func polyline(partsOfCurve parts: Int = 16) -> [Point] {
    var points = [start]
    for piece in pieces {
      switch piece {
      case .line(let end): points.append(end)
      case .curve(let first, let second, let end):
        let from = points.last ?? start
        for part in 1...max(parts, 1) {
          let t = Double(part) / Double(max(parts, 1))
          points.append(EdgePath.bezier(from: from, by: (first, second), to: end, at: t))
        }
      }
    }
    return points
  }

  private static func bezier(from a: Point, by controls: (Point, Point), to d: Point, at t: Double) -> Point {
    // The exact end: the sum below would miss it by rounding.
    if t >= 1 { return d }
    let (b, c) = controls
    let s = 1 - t
    let (wa, wb, wc, wd) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return Point(
      x: wa * a.x + wb * b.x + wc * c.x + wd * d.x, y: wa * a.y + wb * b.y + wc * c.y + wd * d.y)
  }
}

extension Rect {
  /// The bottom edge.
  var maxY: Double { origin.y + size.height }
}
