import Foundation
import GRDBSQLite

/// Compares a payload's object with a stored row, column by column, without making values of either.
///
/// It is quick, and careful: what it is not sure about counts as a difference and is looked at by `apply`.
enum RowMatch {
  /// Nothing to do.
  case same
  /// The columns are the same; the payload says something of relationships that must be followed.
  case relationships
  case different
}

struct RowMatcher {
  let table: SyncTable
  /// Whether keys of to-one relationships may be compared with the columns alone.
  let trustsKeys: Bool

  func match(_ object: PayloadObject, _ row: ReadStatement) -> RowMatch {
    guard let keys = object.keys else { return .different }
    var needsRelationships = false
    for (position, property) in table.properties.enumerated() where position != table.identity {
      let candidates = keys.candidates[position]
      switch property.kind {
      case .scalar(let kind, _):
        for candidate in candidates {
          switch object.lookUp(candidate) {
          case .absent: continue
          case .null: if row.column(position).isNull { break } else { return .different }
          case .unreadable: return .different
          case .found(let value):
            guard RowMatcher.isSame(value, row.column(position), kind, property.format) else {
              return .different
            }
          }
          break
        }
      case .toOne:
        if let parent = object.scopeParent(for: SyncKey(position)) {
          if SyncIdentity(row.column(position)) != parent { return .different }
        }
        guard !needsRelationships else { continue }
        needsRelationships = !isSameKey(object, candidates, row.column(position))
      case .inverse, .link:
        guard !needsRelationships else { continue }
        needsRelationships = candidates.contains {
          if case .absent = object.lookUp($0) { false } else { true }
        }
      }
    }
    return needsRelationships ? .relationships : .same
  }

  /// Whether the payload says nothing of the relationship but the key that is stored.
  private func isSameKey(_ object: PayloadObject, _ candidates: [KeyTable.Candidate], _ column: SyncColumn)
    -> Bool
  {
    for candidate in candidates {
      switch object.lookUp(candidate) {
      case .absent: continue
      case .null: if !trustsKeys || !column.isNull { return false }
      case .unreadable: return false
      case .found(let value):
        guard trustsKeys, RowMatcher.isSameIdentity(value, column) else { return false }
      }
    }
    return true
  }

  private static func isSameIdentity(_ value: SyncValue, _ column: SyncColumn) -> Bool {
    switch (value.kind, column.type) {
    case (.number, SQLITE_INTEGER): NumberText.plainInteger(value.content) == column.int64
    case (.string, SQLITE_TEXT): value.withText { JSONText.equal($0, column.text) }
    default: false
    }
  }

  @inline(__always)
  private static func isSame(
    _ value: SyncValue, _ column: SyncColumn, _ kind: ScalarKind, _ format: SyncDateFormat?
  ) -> Bool {
    let type = column.type
    switch kind {
    case .integer:
      return type == SQLITE_INTEGER && value.isNumber
        && NumberText.plainInteger(value.content) == column.int64
    case .text:
      return type == SQLITE_TEXT && value.isString && value.withText { JSONText.equal($0, column.text) }
    case .bool:
      return type == SQLITE_INTEGER && value.bool.map { ($0 ? 1 : 0) == column.int64 } ?? false
    case .double:
      return type == SQLITE_FLOAT && value.isNumber && NumberText.double(value.content) == column.double
    case .date:
      guard type == SQLITE_TEXT, let new = Instant(value, format: format) else { return false }
      return Instant(text: column.text) == new
    case .uuid:
      guard type == SQLITE_BLOB, value.isString, var uuid = value.withText(UUID.init(text:))?.uuid else {
        return false
      }
      return withUnsafeBytes(of: &uuid) { $0.elementsEqual(column.blob) }
    case .other:
      return false
    }
  }
}
