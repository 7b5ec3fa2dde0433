/// The members of a JSON object, in the order they were written. Equality ignores the order.
public struct SyncJSONObject: Sendable, Hashable {
  private var members: [(key: String, value: SyncJSON)] = []
  /// Only for objects with more members than a search is good for.
  private var positions: [String.UTF8Key: Int] = [:]
  private static let searchLimit = 16

  public init() {}

  /// An object of members; of equal keys the last value counts.
  public init(_ members: some Sequence<(String, SyncJSON)>) {
    for (key, value) in members { self[key] = value }
  }

  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }
  public var keys: [String] { members.map(\.key) }

  /// The value of a member. Keys are compared byte by byte. Setting nil removes the member.
  public subscript(key: String) -> SyncJSON? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil):
        members.remove(at: position)
        reindex()
      case (nil, let value?):
        members.append((key, value))
        if members.count == Self.searchLimit + 1 {
          reindex()
        } else if members.count > Self.searchLimit {
          positions[String.UTF8Key(key)] = members.count - 1
        }
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if members.count > Self.searchLimit { return positions[String.UTF8Key(key)] }
    return members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
  }

  private mutating func reindex() {
    positions = [:]
    guard members.count > Self.searchLimit else { return }
    for (index, member) in members.enumerated() { positions[String.UTF8Key(member.key)] = index }
  }

  public static func == (left: SyncJSONObject, right: SyncJSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(Set(members.map { String.UTF8Key($0.key) }))
  }
}

extension SyncJSONObject: Sequence {
  public func makeIterator() -> some IteratorProtocol<(key: String, value: SyncJSON)> {
    members.makeIterator()
  }
}

extension String {
  /// Text that is compared byte by byte, without Unicode equivalence.
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

  /// Whether two texts have the same bytes. `==` would call canonical equivalents equal.
  @inline(__always)
  func isIdentical(to other: String) -> Bool {
    var left = self
    var right = other
    return left.withUTF8 { left in right.withUTF8 { JSONText.equal(left, $0) } }
  }
}
