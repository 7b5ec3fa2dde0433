import Foundation
import SynclineNaming

/// Reading scalars by the keys of generated code.
extension SyncPayload {
  /// The value of a required property of a new row.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is absent without a default, null
  ///   where the type has no zero value, or unreadable.
  public func required<Value: SyncScalar>(
    _ type: Value.Type, for key: SyncKey, default: Value? = nil
  ) throws -> Value {
    try object.required(
      type, object.candidates(of: key), name: name(key), format: format(key),
      default: given(type, key) ?? `default`)
  }

  /// The identity that a key beside a nested object gives it.
  private func given<Value: SyncScalar>(_ type: Value.Type, _ key: SyncKey) -> Value? {
    guard let identity = object.givenIdentity, object.table?.identity == key.position,
      let kind = type as? any SyncIdentityValue.Type
    else { return nil }
    return kind.init(identity) as? Value
  }

  /// The value of a required property of a type that identities have.
  ///
  /// The identity is the one by which the row is matched, so that it is stored under it.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is absent without a default or
  ///   unreadable.
  public func required<Value: SyncIdentityValue>(
    _ type: Value.Type, for key: SyncKey, default: Value? = nil
  ) throws -> Value {
    if key.position == object.table?.identity, let identity = object.identity, let value = Value(identity) {
      return value
    }
    return try object.required(
      type, object.candidates(of: key), name: name(key), format: format(key), default: `default`)
  }

  /// The value of an optional property of a new row: the default, else nil, when it is absent or unreadable.
  public func value<Value: SyncScalar>(
    for key: SyncKey, as type: Value.Type, default: Value? = nil
  ) -> Value? {
    object.value(type, object.candidates(of: key), format: format(key), default: `default`)
  }

  /// Takes over the value of a required property of a known row, if the payload has it.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is null where the type has no zero
  ///   value, or unreadable.
  public func update<Value: SyncScalar>(
    _ property: inout Value, for key: SyncKey, changed: inout Bool
  ) throws {
    try object.update(
      &property, object.candidates(of: key), name: name(key), format: format(key), changed: &changed)
  }

  /// Takes over the value of an optional property of a known row, if the payload has it.
  public func update<Value: SyncScalar>(
    _ property: inout Value?, for key: SyncKey, changed: inout Bool
  ) throws {
    object.update(&property, object.candidates(of: key), format: format(key), changed: &changed)
  }

  private func name(_ key: SyncKey) -> String { object.table?.properties[key.position].name ?? "" }
  private func format(_ key: SyncKey) -> SyncDateFormat? { object.table?.properties[key.position].format }
}

/// Reading by property names, for models written by hand.
extension SyncPayload {
  /// Whether the payload has a value, null included, for the property of a name.
  public func contains(_ name: String) -> Bool {
    object.candidates(named: name).contains { candidate in
      if case .absent = candidate.lookUp(in: object) { false } else { true }
    }
  }

  /// The value of a property with the coercions of its type; nil when it is absent, null or unreadable.
  public func value<Value: SyncScalar>(for name: String, as type: Value.Type) -> Value? {
    object.value(type, object.candidates(named: name), format: nil, default: nil)
  }

  /// The value of a required property.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is absent, null where the type has no
  ///   zero value, or unreadable.
  public func required<Value: SyncScalar>(_ type: Value.Type, for name: String) throws -> Value {
    try object.required(type, object.candidates(named: name), name: name, format: nil, default: nil)
  }

  /// The value of a property without coercions: text is text, a number a number.
  public func strictValue<Value: SyncScalar>(for name: String, as type: Value.Type) -> Value? {
    for candidate in object.candidates(named: name) {
      guard case .found(let value) = candidate.lookUp(in: object) else { continue }
      if let result = Value.syncRead(value, format: nil).value, value.hasKind(of: result) { return result }
    }
    return nil
  }

  /// Takes over the value of a required property, if the payload has it; true when it changed.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the value is null where the type has no zero
  ///   value, or unreadable.
  public func update<Value: SyncScalar>(_ property: inout Value, for name: String) throws -> Bool {
    var changed = false
    try object.update(&property, object.candidates(named: name), name: name, format: nil, changed: &changed)
    return changed
  }

  /// Takes over the value of an optional property, if the payload has it; true when it changed.
  public func update<Value: SyncScalar>(_ property: inout Value?, for name: String) throws -> Bool {
    var changed = false
    object.update(&property, object.candidates(named: name), format: nil, changed: &changed)
    return changed
  }
}

extension SyncValue {
  /// Whether the value's JSON type is the one that the read value is written as.
  fileprivate func hasKind(of result: some SyncScalar) -> Bool {
    switch result.syncExport(format: .iso8601) {
    case .string: isString
    case .number: isNumber
    case .bool: bool != nil
    case .array: isArray
    case .object: isObject
    case .null: false
    }
  }
}

/// What candidate keys are looked up in.
protocol PayloadCandidate {
  var text: String { get }
  func lookUp(in object: PayloadObject) -> PayloadObject.Lookup
}

extension KeyTable.Candidate: PayloadCandidate {
  @inline(__always)
  func lookUp(in object: PayloadObject) -> PayloadObject.Lookup { object.lookUp(self) }
}

/// A key of a model written by hand, found by search.
struct NamedCandidate: PayloadCandidate {
  let text: String
  let path: [[UInt8]]

  func lookUp(in object: PayloadObject) -> PayloadObject.Lookup {
    guard object.tape.isOpen else { return .absent }
    return PayloadObject.follow(path, from: object.value)
  }
}

extension PayloadObject {
  /// The candidates of a property that is known by name only; a name with a dot is a path.
  func candidates(named name: String) -> [NamedCandidate] {
    let keys =
      name.contains(".")
      ? KeyCandidates.scalar(name, explicit: name, style: style)
      : name == "id" || name == "remoteID"
        ? KeyCandidates.identity(name, style: style) : KeyCandidates.scalar(name, style: style)
    return keys.flatMap { key in
      let literal = NamedCandidate(text: key, path: [Array(key.utf8)])
      guard key.contains(".") else { return [literal] }
      let components = key.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
      return [literal, NamedCandidate(text: key, path: components)]
    }
  }

  /// What the payload says of a property.
  enum Reading<Value> {
    case absent
    case null
    case value(Value, isExact: Bool, key: String)
    case unreadable(key: String, found: String)
  }

  /// The first readable candidate; null is readable.
  @inline(__always)
  func read<Value: SyncScalar, Candidate: PayloadCandidate>(
    _ type: Value.Type, _ candidates: [Candidate], format: SyncDateFormat?
  ) -> Reading<Value> {
    var result = Reading<Value>.absent
    for candidate in candidates {
      switch candidate.lookUp(in: self) {
      case .absent: continue
      case .null: return .null
      case .unreadable:
        if case .absent = result { result = .unreadable(key: candidate.text, found: "no object on the path") }
      case .found(let value):
        switch Value.syncRead(value, format: format) {
        case .value(let read): return .value(read, isExact: true, key: candidate.text)
        case .inexact(let read): return .value(read, isExact: false, key: candidate.text)
        case .unreadable:
          if case .absent = result { result = .unreadable(key: candidate.text, found: value.summary) }
        }
      }
    }
    return result
  }

  func required<Value: SyncScalar>(
    _ type: Value.Type, _ candidates: [some PayloadCandidate], name: String, format: SyncDateFormat?,
    default: Value?
  ) throws -> Value {
    switch read(type, candidates, format: format) {
    case .value(let value, let isExact, let key):
      if !isExact { reportFraction(key) }
      return value
    case .absent:
      if let value = `default` { return value }
      throw error(name, candidates.first?.text ?? name, "is missing")
    case .null:
      if let value = Value.syncValueForNull { return value }
      throw error(name, candidates.first?.text ?? name, "is null, and \(type) has no value for null")
    case .unreadable(let key, let found):
      guard let value = Value.syncValueForUnreadable else {
        throw error(name, key, "is no \(type): \(found)")
      }
      report(key, "\(found) is no \(type)", .usedDefault)
      return value
    }
  }

  func value<Value: SyncScalar>(
    _ type: Value.Type, _ candidates: [some PayloadCandidate], format: SyncDateFormat?, default: Value?
  ) -> Value? {
    switch read(type, candidates, format: format) {
    case .value(let value, let isExact, let key):
      if !isExact { reportFraction(key) }
      return value
    case .absent: return `default`
    case .null: return nil
    case .unreadable(let key, let found):
      report(key, "\(found) is no \(type)", .usedDefault)
      return `default`
    }
  }

  func update<Value: SyncScalar>(
    _ property: inout Value, _ candidates: [some PayloadCandidate], name: String, format: SyncDateFormat?,
    changed: inout Bool
  ) throws {
    switch read(Value.self, candidates, format: format) {
    case .absent: break
    case .value(let value, let isExact, let key):
      if !isExact { reportFraction(key) }
      set(&property, to: value, format: format, changed: &changed)
    case .null:
      guard let value = Value.syncValueForNull else {
        throw error(name, candidates.first?.text ?? name, "is null, and \(Value.self) has no value for null")
      }
      set(&property, to: value, format: format, changed: &changed)
    case .unreadable(let key, let found):
      guard Value.syncValueForUnreadable != nil else {
        throw error(name, key, "is no \(Value.self): \(found)")
      }
      report(key, "\(found) is no \(Value.self)", .keptStoredValue)
    }
  }

  func update<Value: SyncScalar>(
    _ property: inout Value?, _ candidates: [some PayloadCandidate], format: SyncDateFormat?,
    changed: inout Bool
  ) {
    switch read(Value.self, candidates, format: format) {
    case .absent: break
    case .value(let value, let isExact, let key):
      if !isExact { reportFraction(key) }
      if var current = property {
        var isDifferent = false
        set(&current, to: value, format: format, changed: &isDifferent)
        guard isDifferent else { return }
      }
      property = value
      changed = true
    case .null:
      if property != nil {
        property = nil
        changed = true
      }
    case .unreadable(let key, let found): report(key, "\(found) is no \(Value.self)", .keptStoredValue)
    }
  }

  private func set<Value: SyncScalar>(
    _ property: inout Value, to value: Value, format: SyncDateFormat?, changed: inout Bool
  ) {
    if Value.syncIsSame(property, value) { return }
    // A stored date that export rounds to the payload's is the same: what was exported can be synced back.
    if let stored = property as? Date, let new = value as? Date,
      (format ?? outputFormat).rounded(Instant(stored)) == Instant(new)
    {
      return
    }
    property = value
    changed = true
  }

  private func reportFraction(_ key: String) {
    report(key, "a number with a fraction for an integer", .truncatedFraction)
  }
}
