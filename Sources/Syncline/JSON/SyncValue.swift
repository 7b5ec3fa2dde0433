/// A view of one JSON value inside a scanned payload.
///
/// Scalars are read from it (see ``SyncScalar``). It points into the payload's bytes, so it is valid only
/// during the call that it is passed to.
public struct SyncValue {
  let bytes: UnsafePointer<UInt8>
  let nodes: UnsafePointer<JSONNode>
  let position: Int

  @inline(__always) var node: JSONNode { nodes[position] }
  @inline(__always) var kind: JSONNode.Kind { node.kind }

  /// The bytes of a container or of a scalar's content; for a string without its quotes, but with its
  /// escapes.
  @inline(__always) var content: UnsafeBufferPointer<UInt8> {
    let node = node
    return UnsafeBufferPointer(start: bytes + node.offset, count: Int(node.length))
  }

  /// The offset of the content's end in the text.
  var end: Int { Int(node.offset) + Int(node.length) }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }
  /// Whether the value is a string. ``string`` returns it.
  public var isString: Bool { kind == .string }
  /// Whether the value is a number. ``number`` returns it.
  public var isNumber: Bool { kind == .number }
  /// Whether the value is a list.
  public var isArray: Bool { kind == .array }
  /// Whether the value is an object.
  public var isObject: Bool { kind == .object }

  /// Whether a string's content has escapes.
  var hasEscapes: Bool { node.flag }

  /// The boolean, or nil for anything but `true` and `false`.
  public var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The string with its escapes resolved, or nil for anything else.
  ///
  /// An escaped lone surrogate, which a Unicode string cannot contain, is read as U+FFFD.
  public var string: String? {
    let node = node
    guard node.kind == .string else { return nil }
    return node.flag ? JSONText.withUnescaped(content, JSONText.string) : JSONText.string(content)
  }

  /// The number as written, or nil for anything else.
  public var number: SyncNumber? {
    kind == .number ? SyncNumber(verified: JSONText.string(content)) : nil
  }

  /// The string, or a number or boolean as written; nil for null and containers.
  var scalarText: String? {
    switch kind {
    case .string: string
    case .number, .true, .false: JSONText.string(content)
    case .null, .array, .object: nil
    }
  }

  /// Calls the body with the bytes of a string, its escapes resolved, or of a number.
  @inline(__always)
  func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard hasEscapes else { return body(content) }
    return JSONText.withUnescaped(content, body)
  }

  /// The elements of an array; none for anything else.
  var elements: Elements {
    Elements(list: self, position: position + 1, end: isArray ? Int(node.next) : position)
  }

  /// The elements of an array; any other value is the only one.
  var items: Elements {
    Elements(list: self, position: isArray ? position + 1 : position, end: Int(node.next))
  }

  /// Whether the value is a list without elements.
  var isEmptyArray: Bool { isArray && Int(node.next) == position + 1 }
  /// Whether the value is an object without members.
  var isEmptyObject: Bool { isObject && Int(node.next) == position + 1 }

  struct Elements: Sequence, IteratorProtocol {
    fileprivate let list: SyncValue
    fileprivate var position: Int
    fileprivate let end: Int

    mutating func next() -> SyncValue? {
      guard position < end else { return nil }
      let value = SyncValue(bytes: list.bytes, nodes: list.nodes, position: position)
      position = Int(list.nodes[position].next)
      return value
    }

    /// The number of elements, counted in one pass over them.
    var underestimatedCount: Int {
      var (count, rest) = (0, self)
      while rest.next() != nil { count += 1 }
      return count
    }
  }

  /// Whether an array has objects among its elements.
  var hasObjects: Bool { elements.contains(where: \.isObject) }

  /// Calls the body with each key and value of an object, in the order of the text.
  @inline(__always)
  func forEachMember(_ body: (_ key: SyncValue, _ value: SyncValue) -> Void) {
    guard isObject else { return }
    var next = position + 1
    let end = Int(node.next)
    while next < end {
      body(
        SyncValue(bytes: bytes, nodes: nodes, position: next),
        SyncValue(bytes: bytes, nodes: nodes, position: next + 1))
      next = Int(nodes[next + 1].next)
    }
  }

  /// The members of an object, in the order of the text; none for anything else.
  var members: [(key: String, value: SyncValue)] {
    var members: [(key: String, value: SyncValue)] = []
    forEachMember { members.append(($0.string ?? "", $1)) }
    return members
  }

  /// The value of an object's member. If a key is repeated, the last one wins.
  func member(_ name: [UInt8]) -> SyncValue? {
    var result: SyncValue?
    forEachMember { key, value in
      if key.hasText(name) { result = value }
    }
    return result
  }

  /// Whether the string equals the given UTF-8.
  @inline(__always)
  func hasText(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { expected in withText { JSONText.equal($0, expected) } }
  }
}
