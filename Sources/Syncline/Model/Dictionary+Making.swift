extension Dictionary {
  /// The value of a key. A closure makes it at its first use, and must not use the dictionary.
  mutating func value(of key: Key, make: () throws -> Value) rethrows -> Value {
    if let value = self[key] { return value }
    let value = try make()
    self[key] = value
    return value
  }
}
