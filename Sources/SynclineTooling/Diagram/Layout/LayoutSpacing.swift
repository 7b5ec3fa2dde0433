/// The distances in a layout.
struct LayoutSpacing: Hashable, Sendable {
  /// Between two boxes of a layer.
  var betweenBoxes = 36.0
  /// Between a box and an edge that passes it.
  var betweenBoxAndEdge = 22.0
  /// Between two edges that pass a layer side by side.
  var betweenEdges = 14.0
  /// Between two edges that end at the same side of a box.
  var betweenPorts = 22.0
  /// From a corner of a box to the first edge at its side.
  var portInset = 12.0
  /// The length for which an edge is level where it leaves a box: the room for the mark at its end.
  var stub = 20.0
  /// The minimum room for the curves between two layers.
  var curves = 42.0
  /// The distance that a self-reference extends from its box.
  var loop = 44.0
  /// Between two parts of the drawing that are not connected.
  var betweenComponents = 56.0
}
