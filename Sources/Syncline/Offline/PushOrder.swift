/// Orders new and edited rows so that each comes after the new rows that it references.
///
/// If new rows reference each other in a cycle, the first of them is sent without its link into the cycle. That link is sent later
/// as an edit.
struct PushOrder {
  private(set) var changes: [PendingChanges.Change] = []

  /// A row on the path from a change to the rows that it refers to.
  private struct Step {
    let index: Int
    let targets: [(index: Int, isOptional: Bool)]
    var next = 0

    /// The link that leads to the next step.
    var link: (index: Int, isOptional: Bool) { targets[next - 1] }
  }

  private enum State { case unseen, onPath, placed }

  /// - Parameters:
  ///   - sorted: the changes in the order that is kept where nothing else decides.
  ///   - references: the rows that a change refers to.
  init(
    _ sorted: [PendingChanges.Change], _ references: (PendingChanges.Change) -> [PendingChanges.Target]
  ) {
    var sorted = sorted
    let inserts = Dictionary(
      sorted.indices.filter { sorted[$0].kind == .insert }.map { (sorted[$0].row, $0) },
      uniquingKeysWith: { first, _ in first })
    var states = [State](repeating: .unseen, count: sorted.count)
    var path: [Step] = []
    func enter(_ index: Int) {
      states[index] = .onPath
      let targets = inserts.isEmpty ? [] : references(sorted[index])
      path.append(
        Step(
          index: index,
          targets: targets.compactMap { target in
            guard !sorted[index].withheld.contains(target.row) else { return nil }
            return inserts[target.row].map { ($0, target.isOptional) }
          }))
    }
    for start in sorted.indices where states[start] == .unseen {
      enter(start)
      while let step = path.last {
        guard step.next < step.targets.count else {
          states[step.index] = .placed
          changes.append(sorted[step.index])
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let target = step.targets[step.next]
        switch states[target.index] {
        case .placed: break
        case .unseen: enter(target.index)
        case .onPath:
          guard let first = PushOrder.first(of: path, from: target.index) else { break }
          // The row is visited again without the link.
          let (index, link) = (path[first].index, path[first].link.index)
          sorted[index].withheld.insert(sorted[link].row)
          for step in path[first...] { states[step.index] = .unseen }
          path.removeSubrange(first...)
          enter(index)
        }
      }
    }
  }

  /// The position on a path of the first change of a cycle, by the given order, whose link into the cycle is optional.
  ///
  /// - Parameter index: the change to which the last link of the path leads back.
  private static func first(of path: [Step], from index: Int) -> Int? {
    guard let start = path.firstIndex(where: { $0.index == index }) else { return nil }
    return path.indices[start...].filter { path[$0].link.isOptional }.min { path[$0].index < path[$1].index }
  }
}
