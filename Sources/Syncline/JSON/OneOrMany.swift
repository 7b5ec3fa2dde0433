/// How a property with `@OneOrMany` reads a list where one value is expected, or one value where a list is.
enum OneOrMany: Sendable, Hashable {
  /// One value is expected: a list of one is read as its element, and an empty list as null.
  case one
  /// A list is expected, or lists of lists down to a depth: a single value is read as a list of one.
  case list(depth: Int)

  /// - Parameter depth: the number of lists around the property's values; 0 for one value.
  init(depth: Int) { self = depth > 0 ? .list(depth: depth) : .one }
}

extension KeyTable.Candidate {
  /// The value at the rest of the candidate's path, from the value of its first key; for a path that selects many values, their
  /// container. A list of one is its element, if the property expects a single value.
  func follow(_ value: SyncValue) -> SyncValue.Lookup { follow(value, nulls: nulls) }

  /// - Parameter nulls: the words that mean null, also as the element of a list of one.
  private func follow(_ value: SyncValue, nulls: NullWords?) -> SyncValue.Lookup {
    let lookup = value.follow(rest, nulls: nulls)
    guard case .one? = oneOrMany, case .found(let found) = lookup else { return lookup }
    guard let nulls, case .found(let element) = found.onlyElement else { return found.onlyElement }
    return nulls.contains(element) ? .null : .found(element)
  }

  /// Whether the candidate leads to a word that means null, rather than to null itself.
  func leads(from value: SyncValue, to nulls: NullWords) -> Bool {
    guard case .null = follow(value, nulls: nulls) else { return false }
    if case .null = follow(value, nulls: nil) { return false }
    return true
  }
}

extension SyncValue {
  /// The element of a list of one, and null for an empty list. Any other value is found unchanged: types of one value do not
  /// read longer lists.
  fileprivate var onlyElement: Lookup {
    guard isArray else { return .found(self) }
    var elements = elements
    guard let first = elements.next() else { return .null }
    guard elements.next() == nil else { return .found(self) }
    return first.isNull ? .null : .found(first)
  }

  /// Whether the value, or one of its elements down to a depth, is not a list.
  func lacksList(_ depth: Int) -> Bool {
    guard isArray else { return true }
    return depth > 1 && elements.contains { !$0.isNull && $0.lacksList(depth - 1) }
  }

  /// Appends the value as JSON, with the lists that it lacks.
  func append(asList depth: Int, to bytes: inout [UInt8]) {
    guard depth > 0, !isNull else { return append(to: &bytes) }
    appendElements(to: &bytes) { $0.append(asList: depth - 1, to: &$1) }
  }
}
