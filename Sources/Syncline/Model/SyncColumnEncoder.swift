import Foundation
import GRDB

/// Writes a row's columns in the order of its ``SyncTable``: to the parameters of a statement, to an `Encoder`, as values, or
/// as JSON.
public final class SyncColumnEncoder {
  @_spi(Generated)
  @usableFromInline let statement: SyncStatement?
  private(set) var values: [DatabaseValue]
  private(set) var json: [SyncJSON]
  private let coder: ((any SyncScalar, SyncKey) -> Void)?
  /// The columns whose values are collected; nil for all.
  private let columns: Set<Int>?
  /// The first collected value that cannot be stored.
  private(set) var refused: (key: SyncKey, reason: RowProblem.Reason)?

  /// An encoder that binds column `n` to parameter `n + 1` of a statement, passes values to a coder, or collects a number of values.
  init(
    binding statement: SyncStatement? = nil, count: Int = 0, of columns: Set<Int>? = nil, jsonCount: Int = 0,
    coder: ((any SyncScalar, SyncKey) -> Void)? = nil
  ) {
    (self.statement, self.coder, self.columns) = (statement, coder, columns)
    values = Array(repeating: .null, count: count)
    json = Array(repeating: .null, count: jsonCount)
  }

  /// Writes a property.
  @_spi(Generated)
  @inlinable
  public func encode<Value: SyncScalar>(_ value: Value, _ key: SyncKey) {
    if let statement {
      value.syncBind(to: statement, at: Int32(truncatingIfNeeded: key.position + 1))
    } else {
      collect(value, key)
    }
  }

  @_spi(Generated)
  @usableFromInline
  func collect(_ value: some SyncScalar, _ key: SyncKey) {
    if values.indices.contains(key.position) {
      guard columns?.contains(key.position) ?? true else { return }
      values[key.position] = value.syncDatabaseValue
      if refused == nil { refused = value.refusal.map { (key, $0) } }
    } else if json.indices.contains(key.position) {
      json[key.position] = value.plainJSON
    } else {
      coder?(value, key)
    }
  }

  /// Writes an optional property.
  @_spi(Generated)
  @inlinable
  public func encode<Value: SyncScalar>(_ value: Value?, _ key: SyncKey) {
    if let value {
      encode(value, key)
    } else {
      statement?.bindNull(at: Int32(truncatingIfNeeded: key.position + 1))
    }
  }

  /// Writes a required to-one relationship.
  @_spi(Generated)
  public func encode<Model: SyncModelable>(_ reference: Reference<Model>, _ key: SyncKey) {
    encode(reference.id, key)
  }

  /// Writes an optional to-one relationship.
  @_spi(Generated)
  public func encode<Model: SyncModelable>(_ reference: Reference<Model>?, _ key: SyncKey) {
    encode(reference?.id, key)
  }
}

extension SyncUpdatableModel {
  /// The stored values in the order of the table's columns.
  ///
  /// - Parameter columns: the columns to encode, as the others are null; nil for all.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a JSON value of more than 512 levels, for a number that JSON cannot
  ///   represent in a value that is stored as JSON, for a decimal that is not a number, and for an unsigned integer above
  ///   `Int64.max`.
  func columnValues(of columns: Set<Int>? = nil) throws -> [DatabaseValue] {
    let encoder = SyncColumnEncoder(count: Self.syncTable.columnCount, of: columns)
    try encodeColumns(to: encoder)
    if let (key, reason) = encoder.refused {
      throw SyncError(
        RowProblem(
          model: Self.databaseTableName, property: Self.syncTable.properties[key.position].name,
          reason: reason))
    }
    return encoder.values
  }
}

extension SyncScalar {
  /// Why the value cannot be stored; nil if it can.
  fileprivate var refusal: RowProblem.Reason? {
    if isStorable { return nil }
    if Self.self == UInt64.self || Self.self == UInt.self {
      return .unreadable(found: "the number \(self)", type: "Int64")
    }
    if self is SyncJSON { return .tooDeep(limit: JSONScanner.depthLimit) }
    return .unreadable(
      found: "a value with too many levels, or with a number that JSON cannot represent,",
      type: Self.syncTypeName)
  }
}
