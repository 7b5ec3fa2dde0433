extension SyncValue {
  /// Appends the JSON text of the value unchanged.
  func append(to bytes: inout [UInt8]) {
    guard isString else { return bytes.append(contentsOf: content) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: content)
    bytes.append(UInt8(ascii: "\""))
  }
}
