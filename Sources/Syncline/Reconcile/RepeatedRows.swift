/// Thrown where a payload has several objects of a row that has a stamp or a mark, and they are not the same: the sync
/// begins again, and merges them before it compares them with what is stored.
struct RowsToMerge: Error {}

/// The rows of stamped and marked models that a payload has several objects of.
///
/// Of all other rows the objects may be applied one after the other: what is stored in the end is the same.
final class RepeatedRows {
  private struct Entry {
    var count = 0
    /// The last object so far, which has the earlier ones behind it; nil when the row's values were synced.
    var object: PayloadObject?
    /// Whether the stored row is as new as all objects together.
    var isStale = false
  }

  private var entries: [ObjectIdentifier: [RowKey: Entry]] = [:]
  /// Whether the operations let nested objects change known rows: else their values have no say.
  private let mergesNested: Bool

  init(_ operations: SyncRelationshipOperations) {
    mergesNested = operations.contains(.update)
  }

  /// Counts the objects of rows in an object of the payload. It is called for all of them before ``collect``.
  func count(in object: PayloadObject, _ session: SyncSession) throws {
    try session.walk(object) { object, model in
      guard let key = key(of: object, in: model) else { return }
      entries[model.id, default: [:]][key, default: Entry()].count += 1
    }
  }

  /// Keeps the objects of the rows that have several.
  func collect(from object: PayloadObject, _ session: SyncSession) throws {
    try session.walk(object) { object, model in
      guard let key = key(of: object, in: model),
        let entry = entries[model.id]?[key], entry.count > 1
      else { return }
      let kept = try object.setAside(in: session)
      kept.earlier = entry.object
      entries[model.id]?[key]?.object = kept
    }
  }

  private func key(of object: PayloadObject, in model: ModelSession) -> RowKey? {
    guard model.table.isMerged, object.level == 1 || (mergesNested && !object.isIdentityAlone) else {
      return nil
    }
    return object.identity.map { RowKey(identity: $0) }
  }

  /// Prepares one of a row's objects: the first one that is met reads its values from all of them, the others have but
  /// their links and nested rows.
  func prepare(_ object: PayloadObject, _ key: RowKey, in model: ModelSession) {
    guard let entry = entries[model.id]?[key], entry.count > 1,
      object.level == 1 || (mergesNested && !object.isIdentityAlone)
    else { return }
    guard let merged = entry.object else {
      object.values = .synced(isStale: entry.isStale)
      return
    }
    entries[model.id]?[key]?.object = nil
    merged.scope = object.scope
    merged.givenIdentity = object.givenIdentity
    object.values = .merged(merged)
  }

  func noteStale(_ key: RowKey, in model: ModelSession) {
    entries[model.id]?[key]?.isStale = true
  }
}

extension SyncTable {
  /// Whether the objects of one row have to be merged before they are compared with what is stored.
  var isMerged: Bool { parentScope == nil && (updatedAt != nil || softDelete != nil) }
}
