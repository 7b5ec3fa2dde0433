import Foundation

/// A JSON value: null, a boolean, a number, a string, an array or an object.
///
/// Numbers keep their digits and objects the order of their members. Equality ignores both: `1.0` is equal to `1`.
///
/// ```swift
/// let json = try SyncJSON(parsing: #"{"id": 1, "tags": ["a", "b"]}"#)
/// print(json["id"]?.int ?? 0)  // 1
/// print(json["tags"]?[1]?.string ?? "none")  // b
///
/// let body: SyncJSON = ["id": 1, "title": "Write", "details": nil]
/// print(body)  // {"id":1,"title":"Write","details":null}
/// ```
///
/// A value may be nested without limit: it is compared, hashed and released without recursion. JSON text has at most 512
/// levels. For more, parsing, ``SyncJSON/data()``, ``SyncJSON/init(any:)``, exports and writing a row throw
/// ``SyncError/invalidPayload(model:reason:)``, and `description` returns `(too deep)`.
///
/// ## Topics
///
/// ### Cases
///
/// - ``SyncJSON/null``
/// - ``SyncJSON/bool(_:)``
/// - ``SyncJSON/number(_:)``
/// - ``SyncJSON/string(_:)``
/// - ``SyncJSON/object(_:)``
///
/// ### Creating a value
///
/// - ``SyncJSON/init(any:)``
///
/// ### Reading a value
///
/// - ``SyncJSON/isNull``
/// - ``SyncJSON/bool``
/// - ``SyncJSON/int``
/// - ``SyncJSON/double``
/// - ``SyncJSON/string``
/// - ``SyncJSON/array``
/// - ``SyncJSON/object``
///
/// ### Writing text
///
/// - ``SyncJSON/data()``
/// - ``SyncJSON/description``
/// - ``SyncJSON/indented``
///
/// ### Checking text
///
/// - ``SyncJSON/validate(_:)``
public enum SyncJSON: Sendable {
  /// `null`. The subscripts return Swift's nil, not this case, for an absent member.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number with its digits as written.
  case number(SyncNumber)
  /// A string, with its escapes resolved.
  case string(String)
  /// A list of values.
  case array(SyncJSONArray)
  /// Members in the order they were written.
  case object(SyncJSONObject)

  /// An array of elements.
  public static func array(_ elements: [SyncJSON]) -> SyncJSON { .array(SyncJSONArray(elements)) }

  /// Parses JSON text.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` with the position of the error.
  public init(parsing bytes: some Sequence<UInt8>) throws {
    self =
      try bytes.withContiguousStorageIfAvailable { try SyncJSON(parsing: UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { try SyncJSON(parsing: $0) }
  }

  /// Parses JSON text.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` with the position of the error.
  public init(parsing text: String) throws {
    self = try SyncJSON(parsing: text.utf8)
  }

  init(parsing bytes: UnsafeRawBufferPointer) throws {
    do {
      let tape = try JSONDocument.scan(bytes)
      defer { tape.close() }
      self = SyncJSON(tape.value(at: 0))
    } catch {
      throw SyncError(error)
    }
  }

  init(_ value: SyncValue) {
    switch value.kind {
    case .null: self = .null
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .number: self = .number(SyncNumber(verified: JSONText.string(value.content)))
    case .string: self = .string(value.string ?? "")
    case .array: self = .array(value.elements.map(SyncJSON.init))
    case .object:
      var object = SyncJSONObject()
      value.forEachMember { key, value in object[key.string ?? ""] = SyncJSON(value) }
      self = .object(object)
    }
  }
}

// MARK: - Accessors

extension SyncJSON {
  /// Whether the value is `null`. For an absent member, the subscript returns nil instead.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The boolean, or nil for anything else.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The exact integer of a number, or nil if the value is not an integer or exceeds `Int`.
  public var int: Int? {
    if case .number(let number) = self { number.integer.flatMap { Int(exactly: $0) } } else { nil }
  }

  /// The value of a number, or nil for anything else.
  public var double: Double? {
    if case .number(let number) = self { number.double } else { nil }
  }

  /// The string, or nil for anything else.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements of an array, or nil for anything else.
  public var array: [SyncJSON]? {
    if case .array(let elements) = self { elements.storage.values } else { nil }
  }

  /// The members of an object, or nil for anything else.
  public var object: SyncJSONObject? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The member of an object with a key, or nil.
  public subscript(key: String) -> SyncJSON? {
    object?[key]
  }

  /// The element of an array, or nil when there is none at the index.
  public subscript(index: Int) -> SyncJSON? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The storage of an array's or object's values.
  var storage: SyncJSONStorage? {
    switch self {
    case .array(let elements): elements.storage
    case .object(let members): members.storage
    case .null, .bool, .number, .string: nil
    }
  }
}

extension SyncJSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int) { self = .number(SyncNumber(value)) }
  public init(floatLiteral value: Double) { self = SyncNumber(value).map(SyncJSON.number) ?? .null }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: SyncJSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, SyncJSON)...) {
    self = .object(SyncJSONObject(elements))
  }
}
