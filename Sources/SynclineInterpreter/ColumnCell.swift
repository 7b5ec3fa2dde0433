@_spi(Generated) import Syncline

/// Reads and writes the value of one column. Generated Swift has one line per column in each of the corresponding functions.
protocol ColumnCell: Sendable {
  associatedtype Stored: SyncScalar

  var key: SyncKey { get }
  /// Whether it is a required to-one relationship.
  var isRequired: Bool { get }
  /// Whether it stores the position of its row in a list.
  var isPlace: Bool { get }
  /// The type of the column's value as part of an identity.
  var identityType: any SyncScalar.Type { get }

  func make(_ payload: SyncPayload) throws -> (any Sendable)?
  func update(_ value: inout (any Sendable)?, _ payload: SyncPayload, changed: inout Bool) throws
  func link(
    _ value: inout (any Sendable)?, _ payload: SyncPayload, in context: SyncContext,
    _ operations: SyncRelationshipOperations, changed: inout Bool) throws
  func take(_ place: Int, _ value: inout (any Sendable)?) -> Bool
  func decode(_ columns: SyncColumnDecoder) throws -> (any Sendable)?
  func encode(_ value: (any Sendable)?, to encoder: SyncColumnEncoder)
  func export(_ value: (any Sendable)?, to object: inout SyncObjectWriter) throws
  func identity(of value: (any Sendable)?) -> (any SyncScalar)?
  func isSame(_ left: (any Sendable)?, _ right: (any Sendable)?) -> Bool
}

extension ColumnCell {
  var isRequired: Bool { false }
  var isPlace: Bool { false }
  var identityType: any SyncScalar.Type { Stored.self }

  func update(_ value: inout (any Sendable)?, _ payload: SyncPayload, changed: inout Bool) throws {}
  func link(
    _ value: inout (any Sendable)?, _ payload: SyncPayload, in context: SyncContext,
    _ operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {}
  func take(_ place: Int, _ value: inout (any Sendable)?) -> Bool { false }
  func encode(_ value: (any Sendable)?, to encoder: SyncColumnEncoder) {
    encoder.encode(value as? Stored, key)
  }
  func identity(of value: (any Sendable)?) -> (any SyncScalar)? { value as? Stored }
  func isSame(_ left: (any Sendable)?, _ right: (any Sendable)?) -> Bool {
    guard let left = left as? Stored, let right = right as? Stored else { return left == nil && right == nil }
    return Stored.syncIsSame(left, right)
  }
}

/// Thrown if a row's value does not have the type of its column.
struct NoValue: Error {}

/// A column of values.
struct ValueCell<Value: SyncScalar>: ColumnCell {
  typealias Stored = Value

  let key: SyncKey
  let isOptional: Bool
  let isPlace: Bool
  let isMerged: Bool
  let fallback: Value?

  func make(_ payload: SyncPayload) throws -> (any Sendable)? {
    if isMerged {
      return isOptional
        ? payload.merged(for: key, as: Value.self, default: fallback)
        : try payload.requiredMerged(Value.self, for: key, default: fallback)
    }
    if isPlace { return isOptional ? fallback : fallback ?? (0 as? Value) }
    return isOptional
      ? payload.value(for: key, as: Value.self, default: fallback)
      : try payload.required(Value.self, for: key, default: fallback)
  }

  func update(_ value: inout (any Sendable)?, _ payload: SyncPayload, changed: inout Bool) throws {
    guard !isPlace else { return }
    var own = value as? Value
    if isOptional {
      try isMerged
        ? payload.merge(&own, for: key, changed: &changed) : payload.update(&own, for: key, changed: &changed)
      value = own
    } else {
      guard var own else { throw NoValue() }
      try isMerged
        ? payload.merge(&own, for: key, changed: &changed) : payload.update(&own, for: key, changed: &changed)
      value = own
    }
  }

  func take(_ place: Int, _ value: inout (any Sendable)?) -> Bool {
    guard value as? Int != place else { return false }
    value = place
    return true
  }

  func decode(_ columns: SyncColumnDecoder) throws -> (any Sendable)? {
    isOptional ? try columns.decodeIfPresent(Value.self, key) : try columns.decode(Value.self, key)
  }

  func export(_ value: (any Sendable)?, to object: inout SyncObjectWriter) throws {
    try object.set(value as? Value, for: key)
  }
}

/// A nullable column whose values a transform of the runtime reads and writes.
struct TransformedCell<Transform: SyncTransform>: ColumnCell {
  typealias Stored = Transform.Value

  let key: SyncKey
  /// Whether an empty list is stored as null.
  let isOrder: Bool
  /// Merges a payload into the stored value; nil if the payload replaces the value.
  var merge: (@Sendable (inout Transform.Value?, SyncPayload, inout Bool) throws -> Void)?

  func make(_ payload: SyncPayload) throws -> (any Sendable)? {
    if let merge {
      var (value, changed): (Transform.Value?, Bool) = (nil, false)
      try merge(&value, payload, &changed)
      return value
    }
    let value = payload.value(for: key, as: SyncTransformed<Transform>.self)?.value
    return isOrder && (value as? any Collection)?.isEmpty ?? false ? nil : value
  }

  func update(_ value: inout (any Sendable)?, _ payload: SyncPayload, changed: inout Bool) throws {
    var own = value as? Transform.Value
    if let merge {
      try merge(&own, payload, &changed)
    } else {
      try payload.update(&own, for: key, by: Transform.self, changed: &changed)
    }
    value = own
  }

  func decode(_ columns: SyncColumnDecoder) throws -> (any Sendable)? {
    try columns.decodeIfPresent(Transform.Value.self, key)
  }

  func export(_ value: (any Sendable)?, to object: inout SyncObjectWriter) throws {
    try object.set(value as? Transform.Value, for: key, by: Transform.self)
  }
}

/// A to-one relationship with a column.
struct ReferenceCell<Related: SyncUpdatableModel>: ColumnCell {
  typealias Stored = Related.SyncID

  let key: SyncKey
  let isOptional: Bool

  var isRequired: Bool { !isOptional }

  func make(_ payload: SyncPayload) throws -> (any Sendable)? {
    isOptional
      ? payload.reference(to: Related.self, for: key)
      : try payload.requiredReference(to: Related.self, for: key)
  }

  func link(
    _ value: inout (any Sendable)?, _ payload: SyncPayload, in context: SyncContext,
    _ operations: SyncRelationshipOperations, changed: inout Bool
  ) throws {
    var own = value as? Reference<Related>
    if isOptional {
      try context.update(&own, for: key, from: payload, operations: operations, changed: &changed)
      value = own
    } else {
      guard var own else { throw NoValue() }
      try context.update(&own, for: key, from: payload, operations: operations, changed: &changed)
      value = own
    }
  }

  func decode(_ columns: SyncColumnDecoder) throws -> (any Sendable)? {
    isOptional
      ? try columns.decodeIfPresent(Reference<Related>.self, key)
      : try columns.decode(Reference<Related>.self, key)
  }

  func encode(_ value: (any Sendable)?, to encoder: SyncColumnEncoder) {
    encoder.encode(value as? Reference<Related>, key)
  }

  func export(_ value: (any Sendable)?, to object: inout SyncObjectWriter) throws {
    try object.set(value as? Reference<Related>, for: key)
  }

  func identity(of value: (any Sendable)?) -> (any SyncScalar)? { (value as? Reference<Related>)?.id }

  func isSame(_ left: (any Sendable)?, _ right: (any Sendable)?) -> Bool {
    left as? Reference<Related> == right as? Reference<Related>
  }
}
