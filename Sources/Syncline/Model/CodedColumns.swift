import GRDB

/// The columns of a model as a `Decoder` has them: keyed by their names.
@usableFromInline
final class CodedColumns {
  private let container: KeyedDecodingContainer<ColumnKey>
  private let table: SyncTable

  init(_ container: KeyedDecodingContainer<ColumnKey>, _ table: SyncTable) {
    self.container = container
    self.table = table
  }

  @usableFromInline
  func decode<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value {
    try container.decode(CodedColumn<Value>.self, forKey: ColumnKey(table, key)).value
  }

  @usableFromInline
  func decodeIfPresent<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value? {
    try container.decodeIfPresent(CodedColumn<Value>.self, forKey: ColumnKey(table, key))?.value
  }
}

/// Encodes the columns of a model under their names. Writing a column throws nothing, so the first error is kept.
final class ColumnCoder {
  private var container: KeyedEncodingContainer<ColumnKey>
  private let table: SyncTable
  private(set) var error: (any Error)?

  init(_ container: KeyedEncodingContainer<ColumnKey>, _ table: SyncTable) {
    self.container = container
    self.table = table
  }

  func encode(_ value: some SyncScalar, _ key: SyncKey) {
    guard error == nil else { return }
    do {
      try container.encode(value, forKey: ColumnKey(table, key))
    } catch {
      self.error = error
    }
  }
}

/// The name of a column.
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

/// A value that GRDB's decoder reads as it is stored, and another decoder by the value's own `Decodable`.
///
/// GRDB decodes the rows of `including(all:)` by `Decodable`, and would read the columns of some types in another form
/// than ours: dates without microseconds, lists by a `JSONDecoder`.
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
  /// - Throws: `DecodingError` where a required one is missing or is of another type.
  public init(from decoder: any Decoder) throws {
    // Not by init(row:), which may be one of the model's own that decodes by this one.
    if let row = try DecodedRow.prefetched(decoder) {
      let columns = try SyncColumnDecoder(row, Self.syncTable)
      // Else they may be called otherwise, by a strategy that the decoder knows.
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
    self = try Self(columns: SyncColumnDecoder(CodedColumns(container, Self.syncTable)))
  }

  /// Encodes the columns under their names, those without a value left out.
  public func encode(to encoder: any Encoder) throws {
    let coder = ColumnCoder(encoder.container(keyedBy: ColumnKey.self), Self.syncTable)
    try encodeColumns(to: SyncColumnEncoder(coder))
    if let error = coder.error { throw error }
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(self[keyPath: Self.syncIdentity])
  }
}
