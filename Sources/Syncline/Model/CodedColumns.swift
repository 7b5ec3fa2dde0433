import GRDB

/// The columns of a model in a `Decoder`, keyed by their names.
@usableFromInline
final class CodedColumns {
  private let container: KeyedDecodingContainer<ColumnKey>
  private let table: SyncTable

  init(_ container: KeyedDecodingContainer<ColumnKey>, _ table: SyncTable) {
    self.container = container
    self.table = table
  }

  @_spi(Generated)
  @usableFromInline
  func decode<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value {
    try container.decode(CodedColumn<Value>.self, forKey: ColumnKey(table, key)).value
  }

  @_spi(Generated)
  @usableFromInline
  func decodeIfPresent<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value? {
    try container.decodeIfPresent(CodedColumn<Value>.self, forKey: ColumnKey(table, key))?.value
  }
}

struct ColumnKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) { nil }

  init(_ table: SyncTable, _ key: SyncKey) {
    stringValue = table.properties[key.position].name
  }
}

/// A value that GRDB's decoder reads from its stored form, and any other decoder through the value's own `Decodable`.
///
/// GRDB decodes the rows of `including(all:)` through `Decodable`, which reads some types in another form than ours: dates
/// without microseconds, and lists by a `JSONDecoder`.
private struct CodedColumn<Value: SyncScalar>: Decodable, DatabaseValueConvertible {
  let value: Value

  private init(_ value: Value) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }

  var databaseValue: DatabaseValue { value.syncDatabaseValue }

  static func fromDatabaseValue(_ stored: DatabaseValue) -> Self? {
    Value.syncLoad(stored).map(Self.init)
  }
}

extension SyncGeneratedModel {
  /// Decodes the columns.
  ///
  /// - Throws: `DecodingError` when a required column is missing or has another type.
  public init(from decoder: any Decoder) throws {
    // Does not call init(row:), because a model's own init(row:) may call this initializer.
    if let row = try DecodedRow.prefetched(decoder) {
      let columns = try SyncColumnDecoder(row, Self.syncTable)
      // Otherwise the columns may have other names, by a strategy of the decoder.
      if columns.hasAllColumns {
        self = try Self(columns: columns)
        return
      }
    }
    let container: KeyedDecodingContainer<ColumnKey>
    do {
      container = try decoder.container(keyedBy: ColumnKey.self)
    } catch {
      guard let joined: Self = try DecodedRow.joined(decoder) else { throw error }
      self = joined
      return
    }
    self = try Self(columns: SyncColumnDecoder(.coded(CodedColumns(container, Self.syncTable))))
  }

  /// Encodes the columns under their names. Columns without a value are omitted.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ColumnKey.self)
    // Writing a column does not throw; the first error is kept.
    var failure: (any Error)?
    let columns = SyncColumnEncoder { value, key in
      guard failure == nil else { return }
      do { try container.encode(value, forKey: ColumnKey(Self.syncTable, key)) } catch { failure = error }
    }
    try encodeColumns(to: columns)
    if let failure { throw failure }
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(self[keyPath: Self.syncIdentity])
  }
}
