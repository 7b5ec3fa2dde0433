/// The values of an array or an object.
///
/// A deeply nested value is released level by level here. Without this, each level would release the next one recursively, and
/// 100,000 levels overflow the stack.
final class SyncJSONStorage: @unchecked Sendable {
  /// Changed only by a unique owner of the storage.
  var values: [SyncJSON]

  init(_ values: [SyncJSON]) {
    self.values = values
  }

  deinit {
    var rest = takeContainers()
    while var next = rest.popLast() {
      // Storage with other owners is released by them.
      if isKnownUniquelyReferenced(&next) { rest += next.takeContainers() }
    }
  }

  /// Removes and returns the storage of all nested arrays and objects.
  private func takeContainers() -> [SyncJSONStorage] {
    let containers = values.compactMap(\.storage)
    if !containers.isEmpty { values = [] }
    return containers
  }
}

/// The elements of a JSON array. A collection: it can be iterated, mapped and indexed.
///
/// `case .array(let elements)` binds a value of this type. `.array(_:)` takes a Swift array, and ``SyncJSON/array`` returns
/// one.
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
  /// The array as compact JSON.
  public var description: String { SyncJSON.array(self).description }
}

extension SyncJSONObject: CustomStringConvertible {
  /// The object as compact JSON.
  public var description: String { SyncJSON.object(self).description }
}
