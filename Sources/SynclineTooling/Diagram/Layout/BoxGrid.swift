/// The grid of the boxes without edges.
enum BoxGrid {
  /// Puts each box at the bottom of the shortest column.
  ///
  /// - Parameter parts: the sizes of the other parts of the page. With the grid they should fill a page of a good ratio.
  static func place(_ sizes: [Size], beside parts: [Size]) -> (boxes: [Rect], size: Size) {
    var best: (boxes: [Rect], size: Size, page: Double)?
    // Each attempt packs all parts.
    for columns in stride(from: 1, through: max(min(sizes.count, 40), 1), by: parts.count > 40 ? 4 : 1) {
      let grid = place(sizes, columns: columns, gap: LayoutSpacing.betweenBoxes)
      let page = Packing.pack(parts + [grid.size], gap: LayoutSpacing.betweenComponents).size.pageHeight
      if best.map({ page < $0.page - 1e-6 }) ?? true { best = (grid.boxes, grid.size, page) }
    }
    return (best?.boxes ?? [], best?.size ?? Size(width: 0, height: 0))
  }

  private static func place(_ sizes: [Size], columns: Int, gap: Double) -> (boxes: [Rect], size: Size) {
    let width = sizes.map(\.width).max() ?? 0
    var bottoms = [Double](repeating: 0, count: columns)
    var boxes: [Rect] = []
    for size in sizes {
      let column = bottoms.indices.min { (bottoms[$0], $0) < (bottoms[$1], $1) } ?? 0
      boxes.append(Rect(origin: Point(x: Double(column) * (width + gap), y: bottoms[column]), size: size))
      bottoms[column] += size.height + gap
    }
    let height = (bottoms.max() ?? gap) - gap
    return (boxes, Size(width: Double(columns) * (width + gap) - gap, height: height))
  }
}
