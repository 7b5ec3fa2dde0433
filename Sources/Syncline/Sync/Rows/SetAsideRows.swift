/// New rows that an object of the payload does not say enough of. What is missing may stand elsewhere in the payload:
/// they are decided when another object names them, or when the payload ends.
final class SetAsideRows {
  private struct Entry {
    let model: ModelSession
    let key: RowKey
    /// The latest object, which has the earlier ones behind it.
    var object: PayloadObject
    /// What is wrong with the row as it was met first.
    let error: SyncError
  }

  private var entries: [Entry?] = []
  private var indexes: [ObjectIdentifier: [RowKey: Int]] = [:]

  var isEmpty: Bool { indexes.isEmpty }

  /// What the payload has said of a row so far.
  func object(of key: RowKey, in model: ModelSession) -> PayloadObject? {
    guard !indexes.isEmpty, let index = indexes[model.id]?[key] else { return nil }
    return entries[index]?.object
  }

  func add(_ object: PayloadObject, _ key: RowKey, in model: ModelSession, error: SyncError) throws {
    let kept = try object.setAside(in: model.session)
    if let index = indexes[model.id]?[key] {
      entries[index]?.object = kept
    } else {
      indexes[model.id, default: [:]][key] = entries.count
      entries.append(Entry(model: model, key: key, object: kept, error: error))
    }
  }

  /// Forgets a row that is made.
  func remove(_ key: RowKey, in model: ModelSession) {
    guard !indexes.isEmpty, let index = indexes[model.id]?.removeValue(forKey: key) else { return }
    entries[index] = nil
    if indexes[model.id]?.isEmpty == true { indexes[model.id] = nil }
  }

  /// Ends with the rows that are not complete: the first one's error is thrown, or all are skipped.
  func finish(in session: SyncSession) throws {
    for case let entry? in entries {
      guard session.skipsInvalidRows, case .invalidPayload(let model, let reason) = entry.error else {
        throw entry.error
      }
      session.skip(entry.object, entry.key, in: entry.model, model: model, reason: reason)
      try session.nameNested(in: entry.object)
    }
    entries = []
    indexes = [:]
  }
}
