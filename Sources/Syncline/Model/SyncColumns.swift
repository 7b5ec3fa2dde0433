import GRDB

/// Reads a row's columns in the order of its ``SyncTable``, from a statement or a row of GRDB.
public struct SyncColumnDecoder {
  /// The statement whose current row is read.
  @usableFromInline let handle: SQLiteStatement?
  /// The row of GRDB that is read in place of a statement; models written by hand read it themselves.
  let row: Row?
  /// The values of a `Decoder` that are read in place of both.
  @usableFromInline let coded: CodedColumns?
  private let table: SyncTable?

  init(handle: SQLiteStatement) {
    self.handle = handle
    row = nil
    coded = nil
    table = nil
  }

  init(_ row: Row, _ table: SyncTable) {
    handle = nil
    self.row = row
    coded = nil
    self.table = table
  }

  init(_ coded: CodedColumns) {
    handle = nil
    row = nil
    self.coded = coded
    table = nil
  }

  /// The value of a required property.
  ///
  /// - Throws: ``SyncError/containerInitialization(reason:)`` when the column holds none of this type.
  @inlinable
  public func decode<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value {
    let value: Value?
    if let handle {
      value = Value.syncLoad(SyncColumn(handle: handle, index: Int32(truncatingIfNeeded: key.position)))
    } else if let coded {
      return try coded.decode(type, key)
    } else {
      value = Value.syncLoad(stored(key))
    }
    guard let value else { throw mismatch(type, key) }
    return value
  }

  /// The value of an optional property; nil for null.
  ///
  /// - Throws: ``SyncError/containerInitialization(reason:)`` when the column holds none of this type.
  @inlinable
  public func decodeIfPresent<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) throws -> Value? {
    let value: Value?
    if let handle {
      let column = SyncColumn(handle: handle, index: Int32(truncatingIfNeeded: key.position))
      if column.isNull { return nil }
      value = Value.syncLoad(column)
    } else if let coded {
      return try coded.decodeIfPresent(type, key)
    } else {
      let stored = stored(key)
      if stored.isNull { return nil }
      value = Value.syncLoad(stored)
    }
    guard let value else { throw mismatch(type, key) }
    return value
  }

  /// The reference of a required to-one relationship.
  public func decode<Model: SyncModelable>(_ type: Reference<Model>.Type, _ key: SyncKey) throws -> Reference<
    Model
  > {
    Reference(id: try decode(Model.SyncID.self, key))
  }

  /// The reference of an optional to-one relationship.
  public func decodeIfPresent<Model: SyncModelable>(
    _ type: Reference<Model>.Type, _ key: SyncKey
  ) throws -> Reference<Model>? {
    try decodeIfPresent(Model.SyncID.self, key).map { Reference(id: $0) }
  }

  /// The value of a property in the row of GRDB, found by its name; null where there is none.
  @usableFromInline
  func stored(_ key: SyncKey) -> DatabaseValue {
    guard let row, let table else { return .null }
    return row[table.properties[key.position].name] ?? .null
  }

  @usableFromInline
  func mismatch(_ type: Any.Type, _ key: SyncKey) -> SyncError {
    let name = table.map { "“\($0.name).\($0.properties[key.position].name)”" } ?? "number \(key.position)"
    return .containerInitialization(reason: "the column \(name) holds no \(type)")
  }
}

/// Writes a row's columns in the order of its ``SyncTable``: to a statement's parameters, to an `Encoder`, as values or as
/// JSON.
public final class SyncColumnEncoder {
  @usableFromInline let statement: SyncStatement?
  private(set) var values: [DatabaseValue]
  private(set) var json: [SyncJSON] = []
  private let coder: ColumnCoder?
  /// Whether a value cannot be stored, since it nests deeper than text does.
  private(set) var isTooDeep = false

  /// Binds column `n` to parameter `n + 1`.
  init(binding statement: SyncStatement) {
    self.statement = statement
    values = []
    coder = nil
  }

  /// Encodes the values.
  init(_ coder: ColumnCoder) {
    statement = nil
    values = []
    self.coder = coder
  }

  /// Collects the values.
  init(count: Int) {
    statement = nil
    values = Array(repeating: .null, count: count)
    coder = nil
  }

  /// Collects the values as JSON.
  init(jsonCount count: Int) {
    statement = nil
    values = []
    json = Array(repeating: .null, count: count)
    coder = nil
  }

  /// Writes a property.
  @inlinable
  public func encode<Value: SyncScalar>(_ value: Value, _ key: SyncKey) {
    if let statement {
      value.syncBind(to: statement, at: Int32(truncatingIfNeeded: key.position + 1))
    } else {
      collect(value, key)
    }
  }

  @usableFromInline
  func collect(_ value: some SyncScalar, _ key: SyncKey) {
    if values.indices.contains(key.position) {
      let json = value as? SyncJSON ?? (value as? [SyncJSON]).map(SyncJSON.array)
      if let json, (try? json.utf8()) == nil { isTooDeep = true }
      values[key.position] = value.syncDatabaseValue
    } else if json.indices.contains(key.position) {
      json[key.position] = value.syncExport(format: .iso8601)
    } else {
      coder?.encode(value, key)
    }
  }

  /// Writes an optional property.
  @inlinable
  public func encode<Value: SyncScalar>(_ value: Value?, _ key: SyncKey) {
    if let value {
      encode(value, key)
    } else {
      statement?.bindNull(at: Int32(truncatingIfNeeded: key.position + 1))
    }
  }

  /// Writes a required to-one relationship.
  public func encode<Model: SyncModelable>(_ reference: Reference<Model>, _ key: SyncKey) {
    encode(reference.id, key)
  }

  /// Writes an optional to-one relationship.
  public func encode<Model: SyncModelable>(_ reference: Reference<Model>?, _ key: SyncKey) {
    encode(reference?.id, key)
  }
}

extension SyncUpdatableModel {
  /// The stored values in the order of the table's columns.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a JSON value of more than 512 levels.
  func columnValues() throws -> [DatabaseValue] {
    let encoder = SyncColumnEncoder(count: Self.syncTable.columnCount)
    try encodeColumns(to: encoder)
    if encoder.isTooDeep {
      throw SyncError.invalidPayload(
        model: Self.databaseTableName, reason: "more than \(JSONScanner.depthLimit) levels of nesting")
    }
    return encoder.values
  }
}

/// A model whose table the compiler described. Its conformances to GRDB's protocols, `Codable` and `Hashable` follow from
/// the table.
///
/// As GRDB has it, `Codable` is of the columns: their names are the keys, a ``Reference`` is the identity, and what is
/// `@Transient` is left out and has its default again. So models can be parts of joined results, and can be kept or handed
/// on in any format. The JSON of an API is what `SyncContainer.export` gives.
///
/// ```swift
/// struct IssueRow: Decodable, FetchableRecord {
///   var issue: Issue
///   var user: User?
///   var labels: [Label]
/// }
///
/// let request = Issue.including(optional: Issue.user).including(all: Issue.labels)
/// let rows = try request.asRequest(of: IssueRow.self).fetchAll(db)
/// ```
///
/// Two models are equal when all their properties are; a model's hash is its identity's.
public protocol SyncGeneratedModel: SyncUpdatableModel, Codable, Hashable {}

extension SyncGeneratedModel {
  public static var databaseTableName: String { syncTable.name }

  public static var syncRelationshipSchemaDescriptors: [SyncRelationshipSchemaDescriptor] {
    syncTable.relationshipDescriptors
  }

  public init(row: Row) throws {
    self = try Self(columns: SyncColumnDecoder(row, Self.syncTable))
  }

  public func encode(to container: inout PersistenceContainer) throws {
    for (property, value) in zip(Self.syncTable.columns, try columnValues()) {
      container[property.name] = value
    }
  }
}

extension SyncUpdatableModel {
  /// The table of a model written by hand.
  public static var syncTable: SyncTable { SyncTable(handwritten: Self.self) }

  public func encodeColumns(to encoder: SyncColumnEncoder) throws {}

  public init(columns: SyncColumnDecoder) throws {
    guard let row = columns.row else {
      throw SyncError.containerInitialization(reason: "\(Self.self) is read from rows only")
    }
    self = try Self(row: row)
  }
}

extension ReadStatement {
  /// The columns of the current row.
  var decoder: SyncColumnDecoder { SyncColumnDecoder(handle: handle) }
}
