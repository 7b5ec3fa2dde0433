extension SyncValue {
  /// Appends the JSON text of the value unchanged.
  func append(to bytes: inout [UInt8]) {
    guard isString else { return bytes.append(contentsOf: content) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: content)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a list of what a function writes for each element.
  func appendElements(to bytes: inout [UInt8], _ write: (SyncValue, inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, element) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
