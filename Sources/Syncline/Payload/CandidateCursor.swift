import SynclineNaming

/// Tries the candidate keys of a property in order. The first readable value wins; null counts as readable.
///
/// The cursor is not generic, and its callers are inlined into generated code, so no type metadata is looked up at run time.
@usableFromInline
struct CandidateCursor {
  enum Outcome {
    case absent, null, unreadable
  }

  /// The first unreadable candidate of an object: its key, a summary of its value, and why it could not be read, if the value has
  /// members. The part is the earlier object of the row that has it; nil for the object that is read.
  typealias Unreadable = (part: PayloadObject?, key: String, found: String, fault: SyncFault?)

  /// The candidates of a property that is read by name, without a key table.
  fileprivate let named: [KeyTable.Candidate]?
  fileprivate let property: Int
  /// The indexes of the entries of the key table, or of the candidates, that were not tried yet.
  fileprivate var rest: Range<Int>
  /// The earlier object of the row that is being searched, after the later objects had no value.
  @usableFromInline fileprivate(set) var part: PayloadObject?
  fileprivate(set) var outcome = Outcome.absent
  /// Whether a value was found, readable or not.
  fileprivate var hasFound = false
  /// The unreadable values: at most one for each object of the row that was searched, the latest object first.
  fileprivate(set) var unreadable: [Unreadable] = []

  @usableFromInline var isAbsent: Bool { outcome == .absent }
  @usableFromInline var isNull: Bool { outcome == .null }
  /// Whether earlier objects of the row were searched.
  @inlinable var isOfEarlier: Bool { part != nil }
}

@_spi(Generated)
extension PayloadObject {
  @usableFromInline
  func cursor(_ key: SyncKey) -> CandidateCursor {
    CandidateCursor(named: nil, property: key.position, rest: keys?.entries(of: key.position) ?? 0..<0)
  }

  /// A cursor for a property that is read by name. A name with a dot is a path.
  @usableFromInline
  func cursor(named name: String) -> CandidateCursor {
    let keys =
      name.contains(".")
      ? KeyCandidates.scalar(name, explicit: [name], style: style)
      : name == "id" || name == "remoteID"
        ? KeyCandidates.identity(name, style: style) : KeyCandidates.scalar(name, style: style)
    let candidates = keys.flatMap(KeyTable.Candidate.searched)
    return CandidateCursor(named: candidates, property: 0, rest: candidates.indices)
  }

  /// The next value for the caller to read; nil after a null, or when no candidate is left.
  @usableFromInline
  func next(_ cursor: inout CandidateCursor) -> SyncValue? {
    if cursor.part == nil, let value = nextOfItself(&cursor) { return value }
    return earlier == nil ? nil : nextOfEarlier(&cursor)
  }

  /// The next value of this object, without the earlier objects of the row.
  @inline(__always)
  func nextOfItself(_ cursor: inout CandidateCursor) -> SyncValue? {
    while let index = cursor.rest.first {
      cursor.rest = (index + 1)..<cursor.rest.upperBound
      switch lookUp(index, at: cursor) {
      case .absent: continue
      case .null:
        cursor.outcome = .null
        return nil
      case .unreadable: noteUnreadable(RowProblem.noObjectOnPath, nil, &cursor)
      case .found(let value):
        cursor.hasFound = true
        return value
      }
    }
    return nil
  }

  /// Continues with the earlier objects of the row while the later ones have no value for the property. An unreadable value
  /// counts as none if it leaves the stored value as it is.
  private func nextOfEarlier(_ cursor: inout CandidateCursor) -> SyncValue? {
    let property = cursor.named == nil ? table?.properties[cursor.property] : nil
    let keepsOthers = property?.mayBeUnreadable ?? false
    while true {
      if let part = cursor.part, let value = part.nextOfItself(&cursor) { return value }
      let hasNoValue = keepsOthers ? cursor.outcome != .null : !cursor.hasFound && cursor.outcome == .absent
      guard hasNoValue, let part = (cursor.part ?? self).earlier else { return nil }
      cursor.part = part
      cursor.rest = cursor.named?.indices ?? part.keys?.entries(of: cursor.property) ?? 0..<0
    }
  }

  @inline(__always)
  private func lookUp(_ index: Int, at cursor: CandidateCursor) -> Lookup {
    if let named = cursor.named { return lookUp(named[index]) }
    guard let keys else { return .absent }
    return lookUp(index, of: cursor.property, in: keys)
  }

  func candidates(of cursor: CandidateCursor) -> [KeyTable.Candidate] {
    cursor.named ?? candidates(of: SyncKey(cursor.property))
  }

  /// The value that was found last.
  @usableFromInline
  func value(of cursor: CandidateCursor) -> SyncValue? {
    guard let last = last(of: cursor), case .found(let value) = (cursor.part ?? self).lookUp(last) else {
      return nil
    }
    return value
  }

  /// The key of the value that was found last.
  func key(of cursor: CandidateCursor) -> String { last(of: cursor)?.text ?? "" }

  /// The candidate that was tried last.
  private func last(of cursor: CandidateCursor) -> KeyTable.Candidate? {
    (cursor.part ?? self).candidates(of: cursor).dropLast(cursor.rest.count).last
  }

  /// Remembers that the value found last means null.
  @usableFromInline
  func noteNull(_ cursor: inout CandidateCursor) { cursor.outcome = .null }

  /// Remembers that the value found last could not be read, and the member or element at fault.
  @usableFromInline
  func noteUnreadable(
    _ faults: [SyncFault], _ value: SyncValue, hasMembers: Bool = true, _ cursor: inout CandidateCursor
  ) {
    // A list that a path gathers has the elements of other lists.
    let isGathered = !hasMembers && last(of: cursor)?.isMany ?? false
    let fault = faults.first { $0.action == nil && (hasMembers || !$0.path.isEmpty) }
    noteUnreadable(value.summary, isGathered ? nil : fault, &cursor)
  }

  private func noteUnreadable(_ found: String, _ fault: SyncFault?, _ cursor: inout CandidateCursor) {
    if let last = cursor.unreadable.last, last.part === cursor.part { return }
    cursor.outcome = .unreadable
    cursor.unreadable.append((cursor.part, key(of: cursor), found, fault))
  }

  // MARK: The property

  @usableFromInline
  func name(_ key: SyncKey) -> String { table?.properties[key.position].name ?? "" }

  @usableFromInline
  func format(_ key: SyncKey) -> SyncDateFormat? {
    guard let table, table.hasFormats else { return nil }
    return table.properties[key.position].format
  }

  /// The form in which values are read and written, with the date format of a property.
  @usableFromInline
  func form(_ format: SyncDateFormat?) -> SyncForm { SyncForm(dates: format, style: style) }

  /// The identity by which the row is matched, if the key is that of the identity property.
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
