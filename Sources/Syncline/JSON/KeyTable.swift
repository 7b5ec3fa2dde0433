import SynclineNaming

/// The JSON keys of a model's properties in one style, as UTF-8.
final class KeyTable: Sendable {
  /// One key or path that a property may be read from.
  struct Candidate: Sendable {
    /// The position in ``names`` of the key in the object itself; -1 for a key that is not in a table.
    let name: Int
    /// The remaining steps of a path.
    let rest: [PathStep]
    let text: String
    /// The position of its property.
    var property = 0
    /// The place at which it begins in a row that is a list; nil for a path from an object.
    fileprivate(set) var place: Int?
    /// Whether the value may belong to another property, so a gate must select it.
    fileprivate(set) var isGated = false
    /// The values that mean null for the property; nil if there are none.
    fileprivate(set) var nulls: NullWords?
    /// Whether a list of one is read as its element, or a lone value as a list of one; nil without `@OneOrMany`.
    fileprivate(set) var oneOrMany: OneOrMany?
    /// Whether it leads to rows that are lists, which are read as objects.
    fileprivate(set) var isOfLists = false
    /// Whether it selects many values, which are gathered.
    fileprivate(set) var isMany = false
    /// Whether following the rest of the path is enough to find its value: nothing above applies.
    fileprivate(set) var isUnmarked = true

    /// Whether the value of its key is its value.
    var isPlain: Bool { isUnmarked && rest.isEmpty }

    /// The candidates of a key that is in no table, so the object is searched for it.
    static func searched(_ key: String) -> [Candidate] {
      PathStep.beginnings(of: key).map { name, rest in
        Candidate(name: -1, rest: [.member(name)] + rest, text: key)
      }
    }
  }

  /// A candidate without the rarely needed parts, so that looking it up does not copy an array.
  struct Entry: Sendable {
    let name: Int32
    /// Whether its value is not just the value of its key.
    let isPath: Bool
  }

  /// The distinct keys to look up in an object.
  let names: [[UInt8]]
  /// The candidates of each property, in the order they are tried.
  let candidates: [[Candidate]]
  /// All candidates in sequence. The entries of a property go from its start to the start of the next one.
  let entries: [Entry]
  private let starts: [Int]
  /// The name and the property of the path `.`, the object itself; nil if no property has it.
  let itself: (name: Int, property: Int)?
  /// The bytes of the names. Comparing with them needs no reference counting.
  private nonisolated(unsafe) let nameBytes: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>
  /// The positions of the names, sorted by ``JSONText/order(_:_:)``, for binary search.
  private let sorted: [Int]

  /// - Parameters:
  ///   - gated: the properties whose values a gate must select.
  ///   - nulls: the values that mean null, by property.
  ///   - oneOrMany: the rules of properties with `@OneOrMany`, by property.
  ///   - lists: the relationships to rows that are lists.
  ///   - required: the properties that are never nil.
  init(
    _ keys: [[String]], gated: Set<Int> = [], nulls: [NullWords?] = [], oneOrMany: [OneOrMany?] = [],
    lists: Set<Int> = [], required: Set<Int> = []
  ) {
    var names: [[UInt8]] = []
    var positions: [[UInt8]: Int] = [:]
    func position(_ name: [UInt8]) -> Int {
      if let position = positions[name] { return position }
      names.append(name)
      positions[name] = names.count - 1
      return names.count - 1
    }
    var itself: (name: Int, property: Int)?
    candidates = keys.enumerated().map { property, keys in
      let (isGated, isOfLists) = (gated.contains(property), lists.contains(property))
      let words = nulls.indices.contains(property) ? nulls[property] : nil
      let rule = oneOrMany.indices.contains(property) ? oneOrMany[property] : nil
      return keys.flatMap { key -> [Candidate] in
        let isItself = key == RemotePath.itself
        if isItself { itself = (position(Array(key.utf8)), property) }
        return PathStep.beginnings(of: key, isOptional: !required.contains(property)).map { name, rest in
          let isMany = rest.contains(where: \.isMany)
          return Candidate(
            name: position(name), rest: rest, text: isItself ? "" : key, property: property,
            place: RemotePath.place(of: key), isGated: isGated, nulls: words, oneOrMany: rule,
            isOfLists: isOfLists, isMany: isMany,
            isUnmarked: !isGated && !isOfLists && words == nil && rule == nil && !isMany)
        }
      }
    }
    self.itself = itself
    self.names = names
    nameBytes = .allocate(capacity: names.count)
    for (index, name) in names.enumerated() {
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
      _ = copy.initialize(from: name)
      nameBytes.initializeElement(at: index, to: UnsafeBufferPointer(copy))
    }
    let bytes = nameBytes
    sorted = names.indices.sorted { JSONText.order(bytes[$0], bytes[$1]) < 0 }
    entries = candidates.joined().map { Entry(name: Int32($0.name), isPath: !$0.isPlain) }
    starts = candidates.reduce(into: [0]) { starts, list in starts.append((starts.last ?? 0) + list.count) }
  }

  func entries(of property: Int) -> Range<Int> {
    guard property >= 0, property + 1 < starts.count else { return 0..<0 }
    return starts[property]..<starts[property + 1]
  }

  /// The key of a candidate in the object itself.
  func name(of candidate: Candidate) -> String { String(decoding: names[candidate.name], as: UTF8.self) }

  /// The first key of a property that is not a path; nil if it has none.
  func plainName(of property: Int) -> String? {
    candidates[property].first { $0.rest.isEmpty }.map { name(of: $0) }
  }

  deinit {
    for bytes in nameBytes { bytes.deallocate() }
    nameBytes.deallocate()
  }

  /// The position of a name, or -1. The expected position, and a few after it, are tried first.
  @inline(__always)
  func position(of name: SyncValue, near expected: Int) -> Int {
    name.withText { text in
      for position in expected..<max(expected, min(expected + 4, nameBytes.count))
      where JSONText.equal(text, nameBytes[position]) { return position }
      return position(of: text)
    }
  }

  private func position(of text: UnsafeBufferPointer<UInt8>) -> Int {
    var range = sorted[...]
    while !range.isEmpty {
      let middle = (range.startIndex + range.endIndex) / 2
      let order = JSONText.order(text, nameBytes[sorted[middle]])
      if order == 0 { return sorted[middle] }
      range = order < 0 ? range[..<middle] : range[(middle + 1)...]
    }
    return -1
  }

  /// The position of a name; nil if there is none.
  func position(of name: String) -> Int? { names.firstIndex { $0.elementsEqual(name.utf8) } }

  /// Whether the value of a key is read as a whole.
  func isWhole(_ name: Int) -> Bool { candidates.joined().contains { $0.name == name && $0.rest.isEmpty } }

  /// The position of a name, or -1.
  func position(of name: SyncValue) -> Int32 { Int32(truncatingIfNeeded: position(of: name, near: 0)) }
}
