/// What is different between two results of a query, for lists that animate.
public struct SyncRowsDifference<Model: SyncModelable>: Sendable {
  /// The rows as they are now.
  public let rows: SyncRows<Model>
  /// The rows that were removed and inserted, by their positions. A row that moved is both, each associated with the other.
  public let difference: CollectionDifference<Model>
  /// The positions of rows whose values are others, among the rows as they are now.
  public let changed: [Int]

  /// Whether nothing is different.
  public var isEmpty: Bool { difference.isEmpty && changed.isEmpty }
}

extension SyncRows {
  /// What is different from an earlier result. That takes as long as the parts that differ have rows.
  ///
  /// ```swift
  /// let step = newRows.difference(from: oldRows)
  /// step.difference   // removals and insertions, moves among them
  /// step.changed      // positions to draw again
  /// ```
  public func difference(from old: SyncRows) -> SyncRowsDifference<Model> {
    let (own, other) = list.differingRanges(from: old.list)
    let formerPositions = Dictionary(
      other.map { (old.list.number(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var changed: [Int] = []
    // The rows that both have, in the order of now, by their positions before.
    var kept: [(new: Int, old: Int)] = []
    var isKept: Set<Int> = []
    for position in own {
      guard let former = formerPositions[list.number(at: position)] else { continue }
      kept.append((position, former))
      isKept.insert(former)
      if list.hash(at: position) != old.list.hash(at: former) { changed.append(position) }
    }
    let staying = Set(kept.longestIncreasing(by: \.old).map(\.new))
    let moved = kept.filter { !staying.contains($0.new) }
    let destinations = Dictionary(uniqueKeysWithValues: moved.map { ($0.old, $0.new) })
    let origins = Dictionary(uniqueKeysWithValues: moved.map { ($0.new, $0.old) })
    var changes: [CollectionDifference<Model>.Change] = []
    for position in other where !isKept.contains(position) || destinations[position] != nil {
      changes.append(
        .remove(offset: position, element: old[position], associatedWith: destinations[position]))
    }
    let arrived = Set(kept.map(\.new))
    for position in own where !arrived.contains(position) || origins[position] != nil {
      changes.append(.insert(offset: position, element: self[position], associatedWith: origins[position]))
    }
    // Valid by construction: each position is removed and inserted once.
    let difference = CollectionDifference(changes) ?? Array<Model>().difference(from: []) { _, _ in true }
    return SyncRowsDifference(rows: self, difference: difference, changed: changed)
  }
}

extension Array {
  /// The longest part, in order, whose keys increase.
  fileprivate func longestIncreasing(by key: (Element) -> Int) -> [Element] {
    /// The last element of the best part of each length.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: count)
    for index in indices {
      let length = ends.partitioningIndex { key(self[$0]) >= key(self[index]) }
      before[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var part: [Element] = []
    var next = ends.last
    while let index = next {
      part.append(self[index])
      next = before[index]
    }
    return part.reversed()
  }
}

/// The rows of a query: ``SyncRows``.
public protocol SyncRowCollection: Sendable {
  /// The model of the rows.
  associatedtype Model: SyncModelable
  /// The rows.
  var syncRows: SyncRows<Model> { get }
}

extension SyncRows: SyncRowCollection {
  /// The rows themselves.
  public var syncRows: SyncRows { self }
}

extension SyncValues where Element: SyncRowCollection {
  /// The results, each with what is different from the one before; the first from no rows.
  ///
  /// ```swift
  /// for try await step in container.values(of: Task.self).differences { list.animate(step) }
  /// ```
  public var differences: SyncDifferences<Element.Model> { SyncDifferences(values: map(\.syncRows)) }
}

/// The results of a query, each with what is different from the one before.
public struct SyncDifferences<Model: SyncModelable>: AsyncSequence, Sendable {
  let values: SyncValues<SyncRows<Model>>

  /// An iteration.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var values: SyncValues<SyncRows<Model>>.AsyncIterator
    private var last = SyncRows<Model>()

    fileprivate init(_ values: SyncValues<SyncRows<Model>>) { self.values = values.makeAsyncIterator() }

    /// The next difference; nil when the task is cancelled.
    ///
    /// - Throws: what the read has thrown.
    public mutating func next() async throws -> SyncRowsDifference<Model>? {
      step(to: try await values.next())
    }

    /// The next difference, given on the caller's actor without leaving it; nil when the task is cancelled.
    ///
    /// - Throws: what the read has thrown.
    @available(macOS 15, iOS 18, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> SyncRowsDifference<
      Model
    >? {
      step(to: try await values.next(isolation: actor))
    }

    private mutating func step(to rows: SyncRows<Model>?) -> SyncRowsDifference<Model>? {
      guard let rows else { return nil }
      defer { last = rows }
      return rows.difference(from: last)
    }
  }

  /// Begins to follow the store.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values) }
}
