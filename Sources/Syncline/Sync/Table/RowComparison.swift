import Foundation
import GRDBSQLite

enum RowMatch {
  /// Nothing to do.
  case same
  /// The columns are equal; the payload has lists, or far ends of one-to-one links.
  case lists
  /// The columns are equal; the payload has keys of to-ones, which may be pending links.
  case keys
  /// The columns are equal; the payload has statements about relationships that must be followed.
  case relationships
  case different
}

/// Compares a payload's object with a stored row, column by column, without decoding either.
///
/// Conservative: anything it cannot compare cheaply is reported as different, and `apply` decides.
final class RowComparison {
  private unowned(unsafe) let rows: ModelRows
  private let table: SyncTable
  /// Whether it is enough to compare the keys of to-one relationships with the columns.
  private let trustsKeys: Bool
  /// Whether objects whose only relationships are keys, and whose columns are equal, have the result ``RowMatch/keys``.
  private let distinguishesKeys: Bool
  private let form: SyncForm
  private let scratch: StoredTextScratch

  init(_ rows: ModelRows, trustsKeys: Bool, distinguishesKeys: Bool = false) {
    self.rows = rows
    table = rows.table
    // The key of a resource that the document marks as deleted clears the link, even if it is the stored one.
    self.trustsKeys = trustsKeys && rows.run.deletedRows?.includesKeys != true
    self.distinguishesKeys =
      distinguishesKeys && !trustsKeys && rows.table.unionGates.isEmpty && rows.table.updatedAt == nil
    form = SyncForm(style: rows.run.style)
    scratch = rows.run.scratch
  }

  func match(_ object: PayloadObject, _ row: ReadStatement) -> RowMatch {
    guard let keys = object.keys else { return .different }
    var needsRelationships = false
    var hasLists = false
    var hasKeys = false
    if let position = table.place, let place = object.placeInList {
      let column = row.column(position)
      guard column.isInteger, column.int64 == Int64(place) else { return .different }
    }
    for compared in table.comparedProperties {
      let position = compared.position
      switch compared.kind {
      case .toOne:
        if let scope = object.scope, scope.position == position {
          // A parent that a list gives is compared with the list.
          if !scope.isFromList, SyncIdentity(row.column(position)) != scope.parent { return .different }
          if logsLinks || table.properties[position].isUnique { needsRelationships = true }
        }
        if !needsRelationships {
          if !trustsKeys, object.scope == nil, isKeyAlone(object, at: position, keys) {
            hasKeys = true
          } else {
            needsRelationships = !isSameKey(object, at: position, keys, row.column(position))
          }
        }
      case .elsewhere:
        guard !needsRelationships, !hasLists else { continue }
        hasLists = object.states(position, in: keys)
      default:
        // The first candidate that is present decides if it is equal. Otherwise `apply` decides.
        switch object.first(of: position, in: keys) {
        case .absent: break
        case .null:
          guard row.column(position).isNull else { return .different }
        case .unreadable: return .different
        case .found(let value):
          guard isSame(value, row.column(position), compared) else { return .different }
        }
      }
    }
    if needsRelationships || (hasKeys && (hasLists || !distinguishesKeys)) { return .relationships }
    return hasKeys ? .keys : hasLists ? .lists : .same
  }

  /// Whether the payload states a to-one, and by keys alone.
  private func isKeyAlone(_ object: PayloadObject, at position: Int, _ keys: KeyTable) -> Bool {
    guard distinguishesKeys, !table.properties[position].isUnique, !logsLinks else { return false }
    var isStated = false
    for entry in keys.entries(of: position) {
      switch object.lookUp(entry, of: position, in: keys) {
      case .absent: continue
      case .null: isStated = true
      case .found(let value) where !value.isObject: isStated = true
      case .found, .unreadable: return false
      }
    }
    return isStated
  }

  /// Whether the payload states only the stored key of the relationship, or an object that equals the stored target.
  private func isSameKey(
    _ object: PayloadObject, at position: Int, _ keys: KeyTable, _ column: SyncColumn
  ) -> Bool {
    if object.scope != nil, object.isOfOtherCase(than: position) { return column.isNull }
    for entry in keys.entries(of: position) {
      switch object.lookUp(entry, of: position, in: keys) {
      case .absent: continue
      case .null:
        if !trustsKeys || !column.isNull || table.properties[position].isUnique || logsLinks {
          return false
        }
      case .unreadable: return false
      case .found(let value):
        // The other end of a one-to-one link may state something else.
        guard trustsKeys, !table.properties[position].isUnique, !logsLinks,
          value.isObject
            ? isSeen(value, in: object, at: position, column)
            : isSameKey(value, in: object, at: position, column)
        else { return false }
      }
    }
    return true
  }

  private func isSameKey(
    _ value: SyncValue, in object: PayloadObject, at position: Int, _ column: SyncColumn
  ) -> Bool {
    guard let end = rows.end(position), !end.hasPlainKeys else {
      return RowComparison.isSameIdentity(value, column)
    }
    if end.lookup != nil {
      return object.foreignKey(in: value, at: end.key, of: end.targetTable)?.isStored(in: column) ?? false
    }
    return end.key(in: value, isLoose: false)?.isStored(in: column) ?? false
  }

  /// Whether lists and to-ones are decided at the end of the payload. Until then, the store may not have what an earlier object
  /// stated.
  private var logsLinks: Bool {
    rows.run.mode.logsLinks
  }

  private func isSeen(
    _ value: SyncValue, in object: PayloadObject, at position: Int, _ column: SyncColumn
  ) -> Bool {
    guard object.level < PayloadObject.levelLimit, let end = rows.end(position) else { return false }
    // An object without a stamp is reported, even if it was seen before.
    if let stamp = table.updatedAt, let keys = object.keys {
      guard case .found = object.first(of: stamp, in: keys) else { return false }
    }
    return rows.run.rows(end.target).seenRow(value)?.isStored(in: column) ?? false
  }

  /// Whether an object's identity equals a row's, in its stored form.
  func isIdentity(of object: PayloadObject, _ row: ReadStatement) -> Bool {
    if table.isComposite { return object.identity?.isStored(in: row.column(table.identity)) ?? false }
    guard let keys = object.keys, case .found(let value) = object.first(of: table.identity, in: keys) else {
      return false
    }
    guard table.identityReader.isPlain else {
      return table.identityReader.identity(in: value)?.isStored(in: row.column(table.identity)) ?? false
    }
    return RowComparison.isSameIdentity(value, row.column(table.identity))
  }

  private static func isSameIdentity(_ value: SyncValue, _ column: SyncColumn) -> Bool {
    switch (value.kind, column.type) {
    case (.number, SQLITE_INTEGER): NumberText.plainInteger(value.content) == column.int64
    case (.string, SQLITE_TEXT): value.withText { JSONText.equal($0, column.text) }
    case (.string, SQLITE_BLOB): isSameUUID(value, column)
    default: false
    }
  }

  private static func isSameUUID(_ value: SyncValue, _ column: SyncColumn) -> Bool {
    guard var uuid = value.withText(UUID.init(text:))?.uuid else { return false }
    return withUnsafeBytes(of: &uuid) { $0.elementsEqual(column.blob) }
  }

  @inline(__always)
  private func isSame(_ value: SyncValue, _ column: SyncColumn, _ property: ComparedProperty) -> Bool {
    let type = column.type
    switch property.kind {
    case .scalar(.integer):
      return type == SQLITE_INTEGER && value.isNumber
        && NumberText.plainInteger(value.content) == column.int64
    // If the payload has the stored string, both are read as the same value.
    case .scalar(.text), .scalar(.url):
      return type == SQLITE_TEXT && value.isString && value.withText { JSONText.equal($0, column.text) }
    case .scalar(.bool):
      return type == SQLITE_INTEGER && value.bool.map { ($0 ? 1 : 0) == column.int64 } ?? false
    case .scalar(.double):
      return type == SQLITE_FLOAT && value.isNumber && NumberText.double(value.content) == column.double
    case .scalar(.date):
      guard type == SQLITE_TEXT else { return false }
      let format = table.format(of: property)
      if format == nil, value.isString, Instant.isStoredForm(column.text, of: value.content) { return true }
      guard let new = Instant(value, format: format) else { return false }
      return Instant(text: column.text) == new
    case .scalar(.uuid):
      return type == SQLITE_BLOB && value.isString && RowComparison.isSameUUID(value, column)
    case .scalar(.decimal):
      return type == SQLITE_TEXT && (value.isNumber || value.isString)
        && value.withText { JSONText.equal($0, column.text) }
    case .scalar(.json):
      return type == SQLITE_TEXT && (value.isArray || value.isObject)
        && JSONText.equal(value.content, column.text)
    case .scalar(.value):
      guard type == SQLITE_TEXT, let transcribe = table.properties[property.position].transcribe
      else { return false }
      return scratch.withText(of: value, form, transcribe) { JSONText.equal($0, column.text) } ?? false
    case .scalar(.transformed):
      let isStored = table.properties[property.position].isStoredValue
      return isStored?(value, column, form.with(table.format(of: property))) ?? false
    case .scalar(.other), .toOne, .elsewhere:
      return false
    }
  }
}
