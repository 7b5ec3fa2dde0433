import Foundation
import GRDB
import GRDBSQLite

/// The identity of a row of any model: an integer, a string or a UUID.
public enum SyncIdentity: Hashable, Sendable {
  /// An integer of any width that fits in 64 signed bits.
  case integer(Int64)
  /// A UUID, written in uppercase.
  case uuid(UUID)
  /// A string, compared byte by byte.
  case text(Text)

  /// A string that equals another only if their bytes are equal.
  public struct Text: Hashable, Sendable {
    let key: String.UTF8Key
    /// The string as a Swift string. Its `==` also treats canonically equivalent strings as equal.
    public var string: String { key.text }
  }

  static func text(_ string: String) -> SyncIdentity {
    .text(Text(key: String.UTF8Key(string)))
  }

  var databaseValue: DatabaseValue {
    switch self {
    case .integer(let value): value.databaseValue
    case .uuid(let value): value.databaseValue
    case .text(let text): text.string.databaseValue
    }
  }

  init?(_ stored: DatabaseValue) {
    switch stored.storage {
    case .int64(let value): self = .integer(value)
    case .string(let text): self = .text(text)
    case .blob:
      guard let uuid = UUID.fromDatabaseValue(stored) else { return nil }
      self = .uuid(uuid)
    case .null, .double: return nil
    }
  }

  /// The identity in a column of the statement's current row; nil if the column is null.
  init?(_ column: SyncColumn) {
    switch column.type {
    case SQLITE_INTEGER: self = .integer(column.int64)
    case SQLITE_TEXT: self = .text(String(decoding: column.text, as: UTF8.self))
    case SQLITE_BLOB:
      guard let uuid = UUID.syncLoad(column) else { return nil }
      self = .uuid(uuid)
    default: return nil
    }
  }

  /// Whether a column holds the identity.
  func isStored(in column: SyncColumn) -> Bool {
    switch self {
    case .integer(let value): return column.type == SQLITE_INTEGER && column.int64 == value
    case .uuid(let value):
      return column.type == SQLITE_BLOB && withUnsafeBytes(of: value.uuid) { $0.elementsEqual(column.blob) }
    case .text(let text):
      guard column.isText else { return false }
      var string = text.string
      return string.withUTF8 { JSONText.equal($0, column.text) }
    }
  }

  func bind(to statement: SyncStatement, at index: Int32) {
    switch self {
    case .integer(let value): statement.bind(value, at: index)
    case .uuid(let value): value.syncBind(to: statement, at: index)
    case .text(let text): text.string.syncBind(to: statement, at: index)
    }
  }

  var json: SyncJSON {
    if case .integer(let value) = self { .number(SyncNumber(value)) } else { .string(description) }
  }
}

extension SyncIdentity: Comparable {
  /// Compares numbers by value, and UUIDs and strings byte by byte.
  public static func < (left: SyncIdentity, right: SyncIdentity) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { left.lexicographicallyPrecedes($0) }
      }
    case (.text(let left), .text(let right)): left.key < right.key
    case (.integer, _), (.uuid, .text): true
    case (.uuid, .integer), (.text, _): false
    }
  }
}

extension SyncIdentity: CustomStringConvertible {
  public var description: String {
    switch self {
    case .integer(let value): String(value)
    case .uuid(let value): value.uuidString
    case .text(let text): text.string
    }
  }
}

/// The JSON values that are identities of a model.
@_spi(Generated)
public enum SyncIdentityKind: Sendable {
  /// Integers in a range: whole numbers, and strings of digits.
  case integer(ClosedRange<Int64>)
  /// Strings of 36 characters, ignoring case.
  case uuid
  /// Strings, and whole numbers as their digits.
  case text
  /// Several properties together. A single value is never a composite identity.
  case composite

  /// Reads an identity. Strings match integers and vice versa, and whole floats match integers.
  func identity(in value: SyncValue) -> SyncIdentity? {
    switch (self, value.kind) {
    case (.integer(let range), .number), (.integer(let range), .string):
      let integer =
        value.withText(NumberText.plainInteger)
        ?? (value.isNumber ? NumberText.integer(value.content)?.exact : nil)
      return integer.flatMap { range.contains($0) ? .integer($0) : nil }
    case (.text, .string): return value.string.map(SyncIdentity.text)
    case (.text, .number):
      if let integer = NumberText.plainInteger(value.content) { return .text(String(integer)) }
      return NumberText.wholeText(value.content).map(SyncIdentity.text)
    case (.uuid, .string): return value.withText(UUID.init(text:)).map(SyncIdentity.uuid)
    default: return nil
    }
  }

  /// Reads a foreign key, which must have the identity's own JSON type.
  func foreignKey(in value: SyncValue) -> SyncIdentity? {
    switch (self, value.kind) {
    case (.integer, .number), (.text, .string), (.uuid, .string): identity(in: value)
    default: nil
    }
  }

  /// The identity in one part of a composite identity.
  func identity(inPart part: SyncJSON) -> SyncIdentity? {
    switch (self, part) {
    case (.integer, .number(let number)): number.integer.map(SyncIdentity.integer)
    case (.uuid, .string(let text)): UUID(uuidString: text).map(SyncIdentity.uuid)
    case (.text, .string(let text)): .text(text)
    case (.composite, .array): .text(part.description)
    default: nil
    }
  }

  /// The identity in an element of a stored list.
  func identity(stored column: SyncColumn) -> SyncIdentity? {
    guard case .uuid = self, column.isText else { return SyncIdentity(column) }
    return UUID(text: column.text).map(SyncIdentity.uuid)
  }
}

/// A type of identities: an integer, `String` or `UUID`.
public protocol SyncIdentityValue: SyncScalar, Hashable, Codable, DatabaseValueConvertible {
  /// The JSON values that are read as identities of this type.
  @_spi(Generated)
  static var syncIdentityKind: SyncIdentityKind { get }
  /// The value as an untyped identity.
  var syncIdentity: SyncIdentity { get }
  /// Creates a value from an identity; nil if the identity has another kind or is out of range.
  init?(_ identity: SyncIdentity)
}

extension SyncIdentityValue where Self: FixedWidthInteger {
  @_spi(Generated)
  public static var syncIdentityKind: SyncIdentityKind {
    .integer(Int64(clamping: Self.min)...Int64(clamping: Self.max))
  }
  public var syncIdentity: SyncIdentity { .integer(Int64(clamping: self)) }
  public init?(_ identity: SyncIdentity) {
    guard case .integer(let value) = identity else { return nil }
    self.init(exactly: value)
  }
}

extension Int: SyncIdentityValue {}
extension Int8: SyncIdentityValue {}
extension Int16: SyncIdentityValue {}
extension Int32: SyncIdentityValue {}
extension Int64: SyncIdentityValue {}
extension UInt: SyncIdentityValue {}
extension UInt8: SyncIdentityValue {}
extension UInt16: SyncIdentityValue {}
extension UInt32: SyncIdentityValue {}
extension UInt64: SyncIdentityValue {}

extension String: SyncIdentityValue {
  @_spi(Generated)
  public static var syncIdentityKind: SyncIdentityKind { .text }
  public var syncIdentity: SyncIdentity { .text(self) }
  public init?(_ identity: SyncIdentity) {
    guard case .text(let text) = identity else { return nil }
    self = text.string
  }
}

extension UUID: SyncIdentityValue {
  @_spi(Generated)
  public static var syncIdentityKind: SyncIdentityKind { .uuid }
  public var syncIdentity: SyncIdentity { .uuid(self) }
  public init?(_ identity: SyncIdentity) {
    guard case .uuid(let uuid) = identity else { return nil }
    self = uuid
  }
}
