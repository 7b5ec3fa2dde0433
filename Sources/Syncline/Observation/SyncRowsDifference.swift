/// The difference between two results of a query, for animated lists.
public struct SyncRowsDifference<Model: SyncModelable>: Sendable {
  /// The current rows.
  public let rows: SyncRows<Model>
  /// The removed and inserted rows, by position. A moved row is both; its removal and its insertion are associated.
  public let difference: CollectionDifference<Model>
  /// The positions of the rows whose values changed, in the current rows.
  public let changed: [Int]

  /// Whether the results are equal.
  public var isEmpty: Bool { difference.isEmpty && changed.isEmpty }
}

extension SyncRows {
  /// Returns the difference from an earlier result. The time depends on the number of rows in the parts that differ.
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
    // The rows that both results have, in the current order, with their positions before.
    var kept: [(new: Int, old: Int)] = []
    for position in own {
      guard let former = formerPositions[list.number(at: position)] else { continue }
      kept.append((position, former))
      if list.hash(at: position) != old.list.hash(at: former) { changed.append(position) }
    }
    let staying = kept.longestIncreasing(by: \.old)
    let (stayingHere, stayingThere) = (Set(staying.map(\.new)), Set(staying.map(\.old)))
    let moved = kept.filter { !stayingHere.contains($0.new) }
    let destinations = Dictionary(uniqueKeysWithValues: moved.map { ($0.old, $0.new) })
    let origins = Dictionary(uniqueKeysWithValues: moved.map { ($0.new, $0.old) })
    var changes: [CollectionDifference<Model>.Change] = []
    for position in other where !stayingThere.contains(position) {
      changes.append(
        .remove(offset: position, element: old[position], associatedWith: destinations[position]))
    }
    for position in own where !stayingHere.contains(position) {
      changes.append(.insert(offset: position, element: self[position], associatedWith: origins[position]))
    }
    // Valid by construction: each position is removed and inserted once.
    let difference = CollectionDifference(changes) ?? Array<Model>().difference(from: []) { _, _ in true }
    return SyncRowsDifference(rows: self, difference: difference, changed: changed)
  }
}

extension Array {
  /// The longest subsequence whose keys increase.
  fileprivate func longestIncreasing(by key: (Element) -> Int) -> [Element] {
    /// The last element of the best subsequence of each length.
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
  /// The results, each with its difference from the previous one; the first is compared with no rows.
  ///
  /// ```swift
  /// for try await step in container.values(of: Task.self).differences { list.animate(step) }
  /// ```
  public var differences: SyncDifferences<Element.Model> { SyncDifferences(values: map(\.syncRows)) }
}

/// The results of a query, each with its difference from the previous one.
public struct SyncDifferences<Model: SyncModelable>: AsyncSequence, Sendable {
  let values: SyncValues<SyncRows<Model>>

  /// An iterator of the differences.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var values: SyncValues<SyncRows<Model>>.AsyncIterator
    private var last = SyncRows<Model>()

    fileprivate init(_ values: SyncValues<SyncRows<Model>>) { self.values = values.makeAsyncIterator() }

    /// The next difference; nil when the task is cancelled.
    ///
    /// - Throws: the error of the read.
    public mutating func next() async throws -> SyncRowsDifference<Model>? {
      step(to: try await values.next())
    }

    /// The next difference, returned on the caller's actor without leaving it; nil when the task is cancelled.
    ///
    /// - Throws: the error of the read.
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

  /// Creates an iterator, which observes the store until it is released.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values) }
}
