/// The path of an object, and the problems that are reported for it.
@_spi(Generated)
extension PayloadObject {
  var path: String {
    switch place {
    case .row(let index, let prefix): prefix.path(ofElement: index)
    case .item(let prefix): prefix
    case .nested(let outer, let key, let element):
      outer.path(of: element.map(key.path(ofElement:)) ?? key)
    case .setAside(let path, _, _): path
    }
  }

  var rowIndex: Int? {
    switch place {
    case .row(let index, _): index
    case .item: nil
    case .nested(let outer, _, _): outer.rowIndex
    case .setAside(_, let row, _): row
    }
  }

  /// The path of a member. With an empty key, the path of the object itself.
  func path(of key: String) -> String {
    // Read once, because the path of a nested object computes those of the objects around it.
    let path = path
    return key.isEmpty ? path : path.path(ofMember: key)
  }

  /// The path of a member, split so that most of it is shared with other objects.
  func pathParts(of key: String) -> PathParts {
    switch place {
    case .row(let index, let prefix): return PathParts(list: prefix, element: index, rest: key, kind: .row)
    case .item, .setAside:
      return PathParts(path: path(of: key), row: rowIndex)
    case .nested(let outer, let own, let element):
      if let element, case .item(let prefix) = outer.place, !prefix.contains("{") {
        return PathParts(list: outer.path(of: own), element: element, rest: key, kind: .item)
      }
      let own = element.map(own.path(ofElement:)) ?? own
      return outer.pathParts(of: key.isEmpty ? own : own.path(ofMember: key))
    }
  }

  // MARK: Reporting

  /// Reports a finding at a member. With an empty key, at the object itself.
  ///
  /// - Parameter part: the earlier object of the row that has the member; nil for this object.
  func report(
    _ key: String, _ finding: @autoclosure () -> Finding, _ action: SyncProblem.Action,
    in part: PayloadObject? = nil
  ) {
    let object = part ?? self
    log?.record(
      SyncProblem(
        model: table?.name ?? "", row: object.rowIndex, identity: identity?.description,
        path: object.path(of: key), finding(), action: action))
  }

  @usableFromInline
  func reportFraction(_ cursor: CandidateCursor) {
    report(key(of: cursor), Finding.fraction, .truncatedFraction, in: cursor.part)
  }

  /// Reports the parts of a found value that could not be read.
  @usableFromInline
  func report(_ faults: [SyncFault], _ cursor: CandidateCursor) {
    let key = key(of: cursor)
    for fault in faults {
      report(key + fault.path, fault.finding, fault.action ?? .usedNil, in: cursor.part)
    }
  }

  /// Reports the values that could not be read, those of earlier objects first.
  ///
  /// - Parameter isFound: whether the cursor ended at a value or a null. Then unreadable values of the same object are not
  ///   reported.
  @usableFromInline
  func reportUnreadable(
    _ cursor: CandidateCursor, _ type: any SyncScalar.Type, _ action: SyncProblem.Action,
    isFound: Bool = false
  ) {
    // The list itself is reported instead.
    if let transformed = type as? any AnyTransformed.Type, transformed.transform is any ListOrder.Type {
      return
    }
    for (part, key, found, fault) in cursor.unreadable.reversed() where !isFound || part !== cursor.part {
      report(
        key + (fault?.path ?? ""),
        fault?.finding ?? Finding.unreadable(found: found, type: type.syncTypeName), action, in: part)
    }
  }

  // MARK: Errors

  func problem(
    _ property: String, key: String, _ reason: RowProblem.Reason, in part: PayloadObject? = nil
  ) -> RowProblem {
    let object = part ?? self
    return RowProblem(
      model: table?.name ?? "", property: property, path: object.path(of: key), row: object.rowIndex,
      identity: identity?.description, reason: reason)
  }

  /// A problem of a property, as the error that rejects the row.
  func error(_ property: String, key: String = "", _ reason: RowProblem.Reason) -> SyncError {
    SyncError(problem(property, key: key, reason))
  }

  /// The error for a row that exceeds SQLite's length limit. It names the value, if a single value is too long.
  func tooLong(limit: Int) -> SyncError {
    for position in 0..<(table?.columnCount ?? 0) {
      for candidate in candidates(of: SyncKey(position)) {
        guard case .found(let value) = lookUp(candidate), value.content.count > limit else { continue }
        return error(table?.properties[position].name ?? "", key: candidate.text, .tooLong)
      }
    }
    return error("", .tooLong)
  }

  /// Why a required property has no value.
  @usableFromInline
  func error(_ cursor: CandidateCursor, property: String, type: any SyncScalar.Type) -> SyncError {
    var key = candidates(of: cursor).first?.text ?? property
    var part: PayloadObject?
    let reason: RowProblem.Reason
    switch cursor.outcome {
    case .absent: reason = .missing
    case .null:
      part = cursor.part
      reason = .null(type: type.syncTypeName)
    case .unreadable:
      let first = cursor.unreadable.first
      part = first?.part
      key = (first?.key ?? key) + (first?.fault?.path ?? "")
      let name = type.syncTypeName
      var found = first?.fault?.finding.sentence ?? first?.found ?? ""
      // The message names the property's type already.
      if let fault = first?.fault, fault.path.isEmpty, case .unreadable(let value, name) = fault.finding {
        found = value
      }
      reason = .unreadable(found: found, type: name)
    }
    return SyncError(problem(property, key: key, reason, in: part))
  }

  // MARK: Values without an identity

  /// Why a value of a relationship does not identify a row.
  ///
  /// - Parameter value: nil if a step of its path is not an object.
  func missingIdentity(of value: SyncValue?, at end: LinkEnd, _ scope: Scope? = nil) -> Finding {
    let (table, patterns) = (end.targetTable, end.property.keyPatterns)
    if let lookup = end.property.lookup, let value, !value.isObject, patterns.isEmpty,
      value.typeOfOtherModel == nil
    {
      return .missingIdentity(.noValue(found: value.summary, property: lookup), model: table.name)
    }
    return .missingIdentity(
      reasonForNoIdentity(of: value, in: table, scope, patterns: patterns), model: table.name)
  }

  /// Which keys of an object were tried, or which scalar was found.
  func reasonForNoIdentity(
    of value: SyncValue?, in table: SyncTable, _ scope: Scope? = nil, patterns: [KeyPattern] = []
  ) -> MissingIdentity {
    guard let value else { return .noObjectOnPath }
    let identityPatterns = table.identityReader.patterns
    guard value.isObject else {
      if table.rowPlaces == 0, let type = value.typeOfOtherModel { return .ofOtherModel(type: type) }
      let patterns = patterns.isEmpty ? identityPatterns : patterns
      if value.isString, !patterns.isEmpty {
        return .unmatched(found: value.summary, key: nil, patterns: patterns.map(\.source))
      }
      return .scalar(found: value.summary, otherType: otherType(of: value, in: table))
    }
    let part = table.isComposite ? object(of: value, in: table, scope).missingPart(of: table) : nil
    if let part { return part }
    let keys = table.keyTable(style)
    for candidate in keys.candidates[table.identity] {
      guard let member = value.member(keys.names[candidate.name]) else { continue }
      let lookup = candidate.follow(member)
      guard let found = lookup.summary else { continue }
      if case .found(let value) = lookup, value.isString, !identityPatterns.isEmpty {
        return .unmatched(found: found, key: candidate.text, patterns: identityPatterns.map(\.source))
      }
      return .unreadable(key: candidate.text, found: found)
    }
    // A path has two candidates with the same text.
    var texts: [String] = []
    for text in keys.candidates[table.identity].map(\.text) where !texts.contains(text) { texts.append(text) }
    return .absent(keys: texts)
  }

  /// The JSON type of the identities, if the value would be an identity but has another JSON type.
  private func otherType(of value: SyncValue, in table: SyncTable) -> MissingIdentity.IdentityType? {
    guard !settings.readsKeysAsIdentities, table.identityReader.identity(in: value) != nil else { return nil }
    return if case .text = table.identityKind { .text } else { .integers }
  }
}

/// A path in the payload, as a part that many paths share and the index of the row or element in it.
struct PathParts: Hashable {
  enum Kind {
    /// Through an element of the payload's list, a row.
    case row
    /// Through an element of a list in an item.
    case item
    /// The whole path is in ``list``. The number, if any, is the index of the row.
    case whole, wholeInRow
  }

  var list: String
  var element: Int?
  var rest = ""
  let kind: Kind

  init(list: String, element: Int, rest: String, kind: Kind) {
    (self.list, self.element, self.rest, self.kind) = (list, element, rest, kind)
  }

  /// A path that is shared as a whole.
  init(path: String, row: Int?) {
    (list, element, kind) = (path, row, row == nil ? .whole : .wholeInRow)
  }

  var path: String {
    guard kind == .row || kind == .item, let element else { return list }
    let path = list.path(ofElement: element)
    return rest.isEmpty ? path : path.path(ofMember: rest)
  }

  var row: Int? { kind == .row || kind == .wholeInRow ? element : nil }
}

extension String {
  /// The path of a member, or of a place in a row that is a list.
  func path(ofMember key: String) -> String {
    isEmpty || key.utf8.first == UInt8(ascii: "[") ? self + key : "\(self).\(key)"
  }

  /// The path of an element at a key or path. The index replaces the path's one `[]` or `{}` step, or is appended.
  func path(ofElement index: Int) -> String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) else {
      return "\(self)[\(index)]"
    }
    let parts = replacing("[]", with: "{}").split(separator: "{", omittingEmptySubsequences: false)
    guard parts.count == 2, let end = parts[1].firstIndex(of: "}") else { return "\(self)[\(index)]" }
    return "\(parts[0])[\(index)]\(parts[1][parts[1].index(after: end)...])"
  }
}

extension SyncValue {
  /// The type of the resource for which the value stands in a flat object, because its relationship is to another model.
  var typeOfOtherModel: String? {
    guard isArray, element(0)?.isEmptyArray ?? false, element(2) == nil else { return nil }
    return element(1)?.string
  }
}
