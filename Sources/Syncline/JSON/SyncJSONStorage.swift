/// The values of an array or an object.
///
/// A value that nests deeply is released level by level here. Left to itself, each level would release the next one from
/// inside of its own release, and 100,000 of them overflow the stack.
final class SyncJSONStorage: @unchecked Sendable {
  /// Changed only by who holds the storage alone.
  var values: [SyncJSON]

  init(_ values: [SyncJSON]) {
    self.values = values
  }

  deinit {
    var rest = takeContainers()
    while var next = rest.popLast() {
      // What others hold, they release.
      if isKnownUniquelyReferenced(&next) { rest += next.takeContainers() }
    }
  }

  /// The storage of the values that have one, which are not here any more.
  private func takeContainers() -> [SyncJSONStorage] {
    let containers = values.compactMap(\.storage)
    if !containers.isEmpty { values = [] }
    return containers
  }
}

/// The elements of a JSON array. A collection: it can be iterated, mapped and indexed.
///
/// It is what `case .array(let elements)` gives; `.array(_:)` takes a Swift array, and ``SyncJSON/array`` is one.
public struct SyncJSONArray: Sendable, Hashable, RandomAccessCollection {
  let storage: SyncJSONStorage

  /// An array of elements, in their order.
  public init(_ elements: [SyncJSON]) {
    storage = SyncJSONStorage(elements)
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.values.count }
  public subscript(index: Int) -> SyncJSON { storage.values[index] }

  public static func == (left: SyncJSONArray, right: SyncJSONArray) -> Bool {
    SyncJSON.array(left) == .array(right)
  }

  public func hash(into hasher: inout Hasher) {
    SyncJSON.array(self).hash(into: &hasher)
  }
}

extension SyncJSONArray: CustomStringConvertible {
  /// The array as compact JSON text.
  public var description: String { SyncJSON.array(self).description }
}

extension SyncJSONObject: CustomStringConvertible {
  /// The object as compact JSON text.
  public var description: String { SyncJSON.object(self).description }
}
