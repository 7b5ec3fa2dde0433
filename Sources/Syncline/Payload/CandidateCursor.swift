import SynclineNaming

/// Walks the candidate keys of a property: the first readable one counts, and null is readable.
///
/// The walk is not generic, and what calls it is inlined into generated code: so nothing is looked up at run time.
@usableFromInline
struct CandidateCursor {
  enum Outcome {
    case absent, null, unreadable
  }

  fileprivate let candidates: [KeyTable.Candidate]
  fileprivate var index = 0
  fileprivate(set) var outcome = Outcome.absent
  /// The first unreadable candidate, and what was found.
  fileprivate var unreadable: (key: String, found: String)?

  @usableFromInline var isAbsent: Bool { outcome == .absent }
  @usableFromInline var isNull: Bool { outcome == .null }

  /// The key of the value that was found last.
  fileprivate var key: String { candidates.indices.contains(index - 1) ? candidates[index - 1].text : "" }
}

extension PayloadObject {
  @usableFromInline
  func cursor(_ key: SyncKey) -> CandidateCursor {
    CandidateCursor(candidates: candidates(of: key))
  }

  /// The candidates of a property that is known by name only; a name with a dot is a path.
  @usableFromInline
  func cursor(named name: String) -> CandidateCursor {
    let keys =
      name.contains(".")
      ? KeyCandidates.scalar(name, explicit: name, style: style)
      : name == "id" || name == "remoteID"
        ? KeyCandidates.identity(name, style: style) : KeyCandidates.scalar(name, style: style)
    return CandidateCursor(candidates: keys.flatMap(KeyTable.Candidate.searched))
  }

  /// The next value, for the caller to read; nil when a null was met or nothing is left.
  @usableFromInline
  func next(_ cursor: inout CandidateCursor) -> SyncValue? {
    while cursor.index < cursor.candidates.count {
      let index = cursor.index
      cursor.index += 1
      switch lookUp(cursor.candidates[index]) {
      case .absent: continue
      case .null:
        cursor.outcome = .null
        cursor.index = cursor.candidates.count
        return nil
      case .unreadable: noteUnreadable("no object on the path", &cursor)
      case .found(let value): return value
      }
    }
    return nil
  }

  /// Remembers that the value found last could not be read.
  @usableFromInline
  func noteUnreadable(_ value: SyncValue, _ cursor: inout CandidateCursor) {
    noteUnreadable(value.summary, &cursor)
  }

  private func noteUnreadable(_ found: String, _ cursor: inout CandidateCursor) {
    guard cursor.outcome == .absent else { return }
    cursor.outcome = .unreadable
    cursor.unreadable = (cursor.key, found)
  }

  // MARK: Reporting

  @usableFromInline
  func reportFraction(_ cursor: CandidateCursor) {
    report(cursor.key, "a number with a fraction for an integer", .truncatedFraction)
  }

  @usableFromInline
  func reportUnreadable(_ cursor: CandidateCursor, _ type: Any.Type, isNew: Bool) {
    guard let (key, found) = cursor.unreadable else { return }
    report(key, "\(found) is no \(type)", isNew ? .usedDefault : .keptStoredValue)
  }

  /// Why a required property has no value.
  @usableFromInline
  func error(_ cursor: CandidateCursor, _ name: String, _ type: Any.Type) -> SyncError {
    let key = cursor.candidates.first?.text ?? name
    return switch cursor.outcome {
    case .absent: error(name, key, "is missing")
    case .null: error(name, key, "is null, and \(type) has no value for null")
    case .unreadable:
      error(name, cursor.unreadable?.key ?? key, "is no \(type): \(cursor.unreadable?.found ?? "")")
    }
  }

  @usableFromInline
  func name(_ key: SyncKey) -> String { table?.properties[key.position].name ?? "" }

  @usableFromInline
  func format(_ key: SyncKey) -> SyncDateFormat? {
    guard let table, table.hasFormats else { return nil }
    return table.properties[key.position].format
  }

  /// The identity by which the row is matched, if a key or a name is the identity's.
  @usableFromInline
  func identity(at key: SyncKey) -> SyncIdentity? {
    key.position == table?.identity ? identity : nil
  }

  @usableFromInline
  func identity(named name: String) -> SyncIdentity? {
    guard let table, table.identityProperty.name == name else { return nil }
    return identity
  }
}
