extension SyncValue {
  /// What a key or a path of an object leads to.
  enum Lookup {
    case absent
    case null
    /// Something on the path is no object.
    case unreadable
    case found(SyncValue)
  }

  /// What a path leads to from here.
  func follow(_ path: [[UInt8]]) -> Lookup {
    var value = self
    for name in path {
      if value.isNull { return .null }
      guard value.isObject else { return .unreadable }
      guard let member = value.member(name) else { return .absent }
      value = member
    }
    return value.isNull ? .null : .found(value)
  }
}
