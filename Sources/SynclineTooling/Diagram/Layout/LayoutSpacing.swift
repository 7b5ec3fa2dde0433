/// The distances in a layout.
enum LayoutSpacing {
  static let betweenBoxes = 36.0
  static let betweenBoxAndEdge = 22.0
  /// Between two edges that pass a layer side by side.
  static let betweenEdges = 14.0
  /// Between two edges that end at the same side of a box.
  static let betweenPorts = 22.0
  /// From a corner of a box to the first edge at its side.
  static let portInset = 12.0
  /// The length for which an edge is level where it leaves a box: the room for the mark at its end.
  static let stub = 20.0
  /// The minimum room for the curves between two layers.
  static let curves = 42.0
  /// The distance that a self-reference extends from its box.
  static let loop = 44.0
  static let betweenComponents = 56.0
}
