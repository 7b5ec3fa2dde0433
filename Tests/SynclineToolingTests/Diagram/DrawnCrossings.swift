@testable import SynclineTooling

/// Counts how often the lines of a drawing cross.
enum DrawnCrossings {
  private struct Segment {
    var line: Int
    var a: Point
    var b: Point
    var minX: Double { min(a.x, b.x) }
    var maxX: Double { max(a.x, b.x) }
  }

  /// How often two different lines cross; lines that only touch or share an end do not.
  static func count(_ lines: [[Point]]) -> Int {
    var segments: [Segment] = []
    for (line, points) in lines.enumerated() {
      for (a, b) in zip(points, points.dropFirst()) where a != b {
        segments.append(Segment(line: line, a: a, b: b))
      }
    }
    segments.sort { ($0.minX, $0.line) < ($1.minX, $1.line) }
    var crossings = 0
    // The segments that reach to the current one.
    var active: [Segment] = []
    for segment in segments {
      active.removeAll { $0.maxX < segment.minX }
      for other in active where other.line != segment.line && cross(segment, other) { crossings += 1 }
      active.append(segment)
    }
    return crossings
  }

  /// Whether they cross, where a segment owns the left of its line and its points but not what is
  /// right of it: a crossing at a point that two segments of a line share counts once.
  private static func cross(_ s: Segment, _ t: Segment) -> Bool {
    if max(s.a.y, s.b.y) < min(t.a.y, t.b.y) || max(t.a.y, t.b.y) < min(s.a.y, s.b.y) { return false }
    return isLeft(s, t.a) != isLeft(s, t.b) && isLeft(t, s.a) != isLeft(t, s.b)
  }

  private static func isLeft(_ s: Segment, _ point: Point) -> Bool {
    // The same sign for whichever direction a segment is drawn in.
    let (a, b) = (s.a.x, s.a.y) < (s.b.x, s.b.y) ? (s.a, s.b) : (s.b, s.a)
    return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 0
  }
}
