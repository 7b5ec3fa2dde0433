/// The members of a JSON object, in the order they were written. Equality ignores the order.
public struct SyncJSONObject: Sendable, Hashable {
  /// The names of the members in order, without duplicates.
  public private(set) var keys: [String] = []
  /// The values in the order of the keys.
  private(set) var storage = SyncJSONObject.noValues
  /// An index of the keys, only for objects with many members.
  private var positions: [String.UTF8Key: Int] = [:]
  private static let searchLimit = 16
  private static let noValues = SyncJSONStorage([])

  /// An object without members.
  public init() {}

  /// Creates an object from members. If a key is repeated, the last value wins.
  public init(_ members: some Sequence<(String, SyncJSON)>) {
    for (key, value) in members { self[key] = value }
  }

  /// The number of members.
  public var count: Int { keys.count }
  /// Whether there are no members.
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of a member. Keys are compared byte by byte. Setting nil removes the member.
  ///
  /// A lookup takes constant time. Removing a member takes time proportional to the number of members.
  public subscript(key: String) -> SyncJSON? {
    get { position(of: key).map { storage.values[$0] } }
    set {
      if !isKnownUniquelyReferenced(&storage) { storage = SyncJSONStorage(storage.values) }
      switch (position(of: key), newValue) {
      case (let position?, let value?): storage.values[position] = value
      case (let position?, nil):
        keys.remove(at: position)
        storage.values.remove(at: position)
        reindex()
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Adds a member whose key must be new; this is not checked.
  mutating func append(_ key: String, _ value: SyncJSON) {
    if !isKnownUniquelyReferenced(&storage) { storage = SyncJSONStorage(storage.values) }
    keys.append(key)
    storage.values.append(value)
    if keys.count == Self.searchLimit + 1 {
      reindex()
    } else if keys.count > Self.searchLimit {
      positions[String.UTF8Key(key)] = keys.count - 1
    }
  }

  mutating func reserveCapacity(_ count: Int) {
    keys.reserveCapacity(count)
    if !isKnownUniquelyReferenced(&storage) { storage = SyncJSONStorage(storage.values) }
    storage.values.reserveCapacity(count)
  }

  private func position(of key: String) -> Int? {
    if keys.count > Self.searchLimit { return positions[String.UTF8Key(key)] }
    let length = key.utf8.count
    return keys.firstIndex { $0.utf8.count == length && $0.isIdentical(to: key) }
  }

  private mutating func reindex() {
    positions = [:]
    guard keys.count > Self.searchLimit else { return }
    for (index, key) in keys.enumerated() { positions[String.UTF8Key(key)] = index }
  }

  public static func == (left: SyncJSONObject, right: SyncJSONObject) -> Bool {
    SyncJSON.object(left) == .object(right)
  }

  public func hash(into hasher: inout Hasher) {
    SyncJSON.object(self).hash(into: &hasher)
  }
}

extension SyncJSONObject: Sequence {
  public func makeIterator() -> some IteratorProtocol<(key: String, value: SyncJSON)> {
    zip(keys, storage.values).lazy.map { (key: $0, value: $1) }.makeIterator()
  }
}

extension String {
  /// A string that is compared byte by byte, without Unicode equivalence.
  struct UTF8Key: Hashable, Sendable, Comparable {
    let text: String

    init(_ text: String) {
      self.text = text
    }

    @inline(__always)
    static func == (left: UTF8Key, right: UTF8Key) -> Bool {
      left.text.isIdentical(to: right.text)
    }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    static func < (left: UTF8Key, right: UTF8Key) -> Bool {
      left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
  }

  /// Whether two strings have the same bytes. `==` also treats canonically equivalent strings as equal.
  @inline(__always)
  func isIdentical(to other: String) -> Bool {
    var left = self
    var right = other
    return left.withUTF8 { left in right.withUTF8 { JSONText.equal(left, $0) } }
  }
}
