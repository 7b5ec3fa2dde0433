extension SyncValue {
  /// Writes the value as it stands in its text.
  func append(to bytes: inout [UInt8]) {
    guard isString else { return bytes.append(contentsOf: content) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: content)
    bytes.append(UInt8(ascii: "\""))
  }
}
