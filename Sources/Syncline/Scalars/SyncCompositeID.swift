import Foundation
import GRDB

/// The identity of a row that several properties identify together: `@PrimaryKey(\.user, \.group)`. The compiler generates it
/// as `Membership.ID`.
///
/// It is stored as one string, the JSON list of its parts: `[5,7]`. So other rows refer to the row by a single column.
/// `Codable` encodes the same string.
public protocol SyncCompositeID: SyncIdentityValue {
  /// Reads the parts in order.
  ///
  /// - Throws: an error if a part does not have the expected type.
  @_spi(Generated)
  init(from parts: inout SyncIDReader) throws

  /// Writes the parts in order.
  @_spi(Generated)
  func write(to parts: inout SyncIDWriter)
}

extension SyncCompositeID {
  @_spi(Generated)
  public static var syncIdentityKind: SyncIdentityKind { .composite }

  public var syncIdentity: SyncIdentity {
    var parts = SyncIDWriter()
    write(to: &parts)
    return .text(parts.text)
  }

  public init?(_ identity: SyncIdentity) {
    guard case .text(let text) = identity, let value = Self(text.string) else { return nil }
    self = value
  }

  private init?(_ text: String) {
    var reader = SyncIDReader(text)
    guard let value = try? Self(from: &reader), reader.isAtEnd else { return nil }
    self = value
  }

  public static func == (left: Self, right: Self) -> Bool { left.syncIdentity == right.syncIdentity }

  public func hash(into hasher: inout Hasher) { hasher.combine(syncIdentity) }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the text is not a list of the parts")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(syncIdentity.description)
  }

  @_spi(Generated)
  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> { .unreadable }
  public static var syncValueForNull: Self? { nil }
  public var syncDatabaseValue: DatabaseValue { syncIdentity.databaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Self? { SyncIdentity(stored).flatMap(Self.init) }
  public func syncExport(form: SyncForm) -> SyncJSON { syncIdentity.json }

  public var databaseValue: DatabaseValue { syncDatabaseValue }
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { syncLoad(value) }
}

/// Writes a composite identity part by part. Equal parts give equal strings.
@_spi(Generated)
public struct SyncIDWriter {
  private var json = JSONWriter()

  init() {}

  /// The list of the parts, as JSON.
  var text: String { String(decoding: json.bytes, as: UTF8.self) + (json.bytes.isEmpty ? "[]" : "]") }

  /// Writes a part.
  public mutating func write(_ part: some SyncScalar) {
    write(part.syncDatabaseValue, isComposite: part is any SyncCompositeID)
  }

  /// Writes a part in its stored form.
  mutating func write(_ part: DatabaseValue, isComposite: Bool) {
    json.write(byte: UInt8(ascii: json.bytes.isEmpty ? "[" : ","))
    switch part.storage {
    case .int64(let value): json.write(integer: value)
    case .string(let text) where isComposite: json.write(Array(text.utf8))
    case .string(let text): json.write(string: text)
    case .blob: json.write(string: UUID.fromDatabaseValue(part)?.uuidString ?? "")
    // No part is optional or a fraction.
    case .null, .double: json.writeNull()
    }
  }
}

/// Reads a composite identity part by part.
@_spi(Generated)
public struct SyncIDReader {
  private var parts: ArraySlice<SyncJSON>

  init(_ text: String) {
    parts = SyncIDReader.parts(of: text)[...]
  }

  /// The parts of a stored identity; empty if it is not a list of parts.
  static func parts(of text: String) -> [SyncJSON] { (try? SyncJSON(parsing: text))?.array ?? [] }

  /// Whether all parts were read.
  var isAtEnd: Bool { parts.isEmpty }

  /// Reads a part.
  ///
  /// - Throws: an error if the next part does not have the type.
  public mutating func next<Part: SyncScalar>(_ type: Part.Type) throws -> Part {
    let stored: DatabaseValue? =
      switch parts.popFirst() {
      case .number(let number)?: number.integer?.databaseValue
      case .string(let text)?: text.databaseValue
      case .array(let elements)?: SyncJSON.array(elements).description.databaseValue
      default: nil
      }
    guard let part = stored.flatMap(Part.syncLoad) else { throw UnreadablePart() }
    return part
  }

  private struct UnreadablePart: Error {}
}
