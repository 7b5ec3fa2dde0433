extension SyncValue.Lookup {
  /// What was found; nil if nothing was.
  var summary: String? {
    switch self {
    case .absent: nil
    case .null: "null"
    case .unreadable: RowProblem.noObjectOnPath
    case .found(let value): value.summary
    }
  }
}

extension SyncValue {
  /// The kind of the value and, for a scalar, its content.
  var summary: String {
    switch kind {
    case .null: return "null"
    case .true, .false, .number:
      return "\(kind == .number ? "the number" : "the boolean") \(JSONText.string(shortContent))\(ellipsis)"
    case .string: return "the string “\(JSONText.string(shortContent))”\(ellipsis)"
    case .array: return "a list"
    case .object: return "an object"
    }
  }

  private var ellipsis: String { shortContent.count < content.count ? "…" : "" }

  /// At most 64 bytes of the content, without a partial character.
  private var shortContent: UnsafeBufferPointer<UInt8> {
    var end = min(content.count, 64)
    if end < content.count {
      while end > 0, content[end] & 0xC0 == 0x80 { end -= 1 }
    }
    return UnsafeBufferPointer(rebasing: content[..<end])
  }
}
