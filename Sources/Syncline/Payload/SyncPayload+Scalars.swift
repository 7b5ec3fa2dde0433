/// Reading scalars by the keys of generated code.
///
/// Functions for required properties throw ``SyncError/invalidPayload(model:reason:)`` when the value is unreadable, null where
/// the type has no zero value, or, for a new row, absent without a default.
@_spi(Generated)
extension SyncPayload {
  /// The value of a required property of a new row.
  @inlinable
  public func required<Value: SyncScalar>(
    _ type: Value.Type, for key: SyncKey, default: Value? = nil
  ) throws -> Value {
    var cursor = object.cursor(key)
    if let value = readReporting(type, &cursor, object.format(key)) { return value }
    return try missing(type, cursor, property: object.name(key), default: `default`)
  }

  /// The value of a required property whose type can be an identity.
  ///
  /// If the property is the row's identity, returns the identity with which the row was looked up, so that the row is stored
  /// with it.
  @inlinable
  public func required<Value: SyncIdentityValue>(
    _ type: Value.Type, for key: SyncKey, default: Value? = nil
  ) throws -> Value {
    if let identity = object.identity(at: key), let value = Value(identity) { return value }
    var cursor = object.cursor(key)
    if let value = read(type, &cursor, nil) { return value }
    return try missing(type, cursor, property: object.name(key), default: `default`)
  }

  /// The value of an optional property of a new row. If it is absent or unreadable, returns the default, or nil.
  @inlinable
  public func value<Value: SyncScalar>(
    for key: SyncKey, as type: Value.Type, default: Value? = nil
  ) -> Value? {
    var cursor = object.cursor(key)
    if let value = readReporting(type, &cursor, object.format(key)) { return value }
    if cursor.isNull { return nil }
    if !cursor.isAbsent {
      object.reportUnreadable(cursor, type, `default` == nil ? .usedNil : .usedDefault)
    }
    return `default`
  }

  /// Updates a required property of a stored row, if the payload has a value for it.
  @inlinable
  public func update<Value: SyncScalar>(
    _ property: inout Value, for key: SyncKey, changed: inout Bool
  ) throws {
    try update(
      &property, from: object.cursor(key), format: object.format(key), name: object.name(key),
      changed: &changed)
  }

  /// Updates an optional property of a stored row, if the payload has a value for it.
  @inlinable
  public func update<Value: SyncScalar>(
    _ property: inout Value?, for key: SyncKey, changed: inout Bool
  ) throws {
    update(&property, from: object.cursor(key), format: object.format(key), changed: &changed)
  }

  /// Updates a required property of a stored row through a transform.
  public func update<Transform: SyncTransform>(
    _ property: inout Transform.Value, for key: SyncKey, by transform: Transform.Type, changed: inout Bool
  ) throws {
    var value = SyncTransformed<Transform>(property)
    try update(&value, for: key, changed: &changed)
    property = value.value
  }

  /// Updates an optional property of a stored row through a transform.
  public func update<Transform: SyncTransform>(
    _ property: inout Transform.Value?, for key: SyncKey, by transform: Transform.Type, changed: inout Bool
  ) throws {
    var value = property.map { SyncTransformed<Transform>($0) }
    var isOther = false
    try update(&value, for: key, changed: &isOther)
    if property == nil, let read = value?.value, Transform.isSame(nil, read) { return }
    property = value?.value
    changed = changed || isOther
  }
}

/// Reading by property names, for handwritten models.
extension SyncPayload {
  /// Whether the payload has a value, which may be null, for a property.
  public func contains(_ name: String) -> Bool {
    var cursor = object.cursor(named: name)
    return object.next(&cursor) != nil || !cursor.isAbsent
  }

  /// The value of a property, with the coercions of its type; nil when it is absent, null or unreadable.
  public func value<Value: SyncScalar>(for name: String, as type: Value.Type) -> Value? {
    var cursor = object.cursor(named: name)
    if let value = read(type, &cursor, nil) { return value }
    if !cursor.isAbsent, !cursor.isNull { object.reportUnreadable(cursor, type, .usedNil) }
    return nil
  }

  /// The value of a required property.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is absent, null where the type has no
  ///   zero value, or unreadable.
  public func required<Value: SyncScalar>(_ type: Value.Type, for name: String) throws -> Value {
    var cursor = object.cursor(named: name)
    if let value = read(type, &cursor, nil) { return value }
    return try missing(type, cursor, property: name, default: nil)
  }

  /// The value of a required property whose type can be an identity. If it is the row's identity, returns the identity with
  /// which the row was looked up.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is absent or unreadable.
  public func required<Value: SyncIdentityValue>(_ type: Value.Type, for name: String) throws -> Value {
    if let identity = object.identity(named: name), let value = Value(identity) { return value }
    var cursor = object.cursor(named: name)
    if let value = read(type, &cursor, nil) { return value }
    return try missing(type, cursor, property: name, default: nil)
  }

  /// The value of a property without coercions: its JSON type must match, and fractions are not truncated.
  public func strictValue<Value: SyncScalar>(for name: String, as type: Value.Type) -> Value? {
    var cursor = object.cursor(named: name)
    while let value = object.next(&cursor) {
      if case .value(let result) = Value.syncRead(value, form: object.form(nil)), value.hasKind(of: result) {
        return result
      }
    }
    return nil
  }

  /// Updates a required property, if the payload has a value for it. Returns true if the property changed.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is null where the type has no zero
  ///   value, or unreadable.
  public func update<Value: SyncScalar>(_ property: inout Value, for name: String) throws -> Bool {
    var changed = false
    try update(
      &property, from: object.cursor(named: name), format: nil, name: name, changed: &changed)
    return changed
  }

  /// Updates an optional property, if the payload has a value for it. Returns true if the property changed.
  public func update<Value: SyncScalar>(_ property: inout Value?, for name: String) throws -> Bool {
    var changed = false
    update(&property, from: object.cursor(named: name), format: nil, changed: &changed)
    return changed
  }
}

// MARK: - Shared implementation

@_spi(Generated)
extension SyncPayload {
  /// The first readable value.
  @inlinable
  func read<Value: SyncScalar>(
    _ type: Value.Type, _ cursor: inout CandidateCursor, _ format: SyncDateFormat?
  ) -> Value? {
    let form = object.form(format)
    while let value = object.next(&cursor) {
      switch Value.syncRead(value, form: form) {
      case .value(let result): return result
      case .inexact(let result):
        if Value.syncHasMembers {
          object.report(Value.syncFaults(in: value, form: form), cursor)
        } else {
          object.reportFraction(cursor)
        }
        return result
      case .null:
        object.noteNull(&cursor)
        return nil
      case .unreadable:
        let hasMembers = Value.syncHasMembers
        let faults = hasMembers || value.isArray ? Value.syncFaults(in: value, form: form) : []
        object.noteUnreadable(faults, value, hasMembers: hasMembers, &cursor)
      }
    }
    return nil
  }

  /// The first readable value. If an earlier object of the row decides, the unreadable values of later objects are reported.
  @inlinable
  func readReporting<Value: SyncScalar>(
    _ type: Value.Type, _ cursor: inout CandidateCursor, _ format: SyncDateFormat?
  ) -> Value? {
    let value = read(type, &cursor, format)
    if cursor.isOfEarlier, value != nil || cursor.isNull {
      object.reportUnreadable(cursor, type, .keptStoredValue, isFound: true)
    }
    return value
  }

  /// The replacement for a required value that a new row's payload lacks.
  @inlinable
  func missing<Value: SyncScalar>(
    _ type: Value.Type, _ cursor: CandidateCursor, property name: String, default: Value?
  ) throws -> Value {
    if cursor.isAbsent {
      if let value = `default` { return value }
    } else if cursor.isNull {
      if let value = Value.syncValueForNull { return value }
    } else if let value = Value.syncValueForUnreadable {
      object.reportUnreadable(cursor, type, .usedDefault)
      return value
    }
    throw object.error(cursor, property: name, type: type)
  }

  @inlinable
  func update<Value: SyncScalar>(
    _ property: inout Value, from start: CandidateCursor, format: SyncDateFormat?,
    name: @autoclosure () -> String, changed: inout Bool
  ) throws {
    var cursor = start
    let read = readReporting(Value.self, &cursor, format)
    if read == nil, cursor.isAbsent { return }
    if let value = read ?? (cursor.isNull ? Value.syncValueForNull : nil) {
      if isSame(property, value, readFrom: cursor, format: format) { return }
      property = value
      changed = true
    } else if !cursor.isNull, Value.syncValueForUnreadable != nil {
      object.reportUnreadable(cursor, Value.self, .keptStoredValue)
    } else {
      throw object.error(cursor, property: name(), type: Value.self)
    }
  }

  @inlinable
  func update<Value: SyncScalar>(
    _ property: inout Value?, from start: CandidateCursor, format: SyncDateFormat?, changed: inout Bool
  ) {
    var cursor = start
    if let value = readReporting(Value.self, &cursor, format) {
      if let current = property, isSame(current, value, readFrom: cursor, format: format) { return }
      property = value
      changed = true
    } else if cursor.isNull {
      if property == nil { return }
      property = nil
      changed = true
    } else if !cursor.isAbsent {
      object.reportUnreadable(cursor, Value.self, .keptStoredValue)
    }
  }

  /// Whether a stored value and the payload's count as equal, because they export as the same JSON.
  @inlinable
  func isSame<Value: SyncScalar>(
    _ stored: Value, _ new: Value, readFrom cursor: CandidateCursor, format: SyncDateFormat?
  ) -> Bool {
    if Value.syncIsSame(stored, new) { return true }
    guard Value.syncIsSame(stored, new, exportedBy: object.form(format ?? object.outputFormat)) else {
      return false
    }
    // They still differ if the payload has members that export omits.
    guard Value.syncHasMembers, let value = object.value(of: cursor) else { return true }
    return !Value.syncStatesUnexported(value, form: object.form(format))
  }
}

extension SyncValue {
  /// Whether the value has the JSON type as which its result is exported.
  fileprivate func hasKind(of result: some SyncScalar) -> Bool {
    switch result.plainJSON {
    case .string: isString
    case .number: isNumber
    case .bool: bool != nil
    case .array: isArray
    case .object: isObject
    case .null: false
    }
  }
}
