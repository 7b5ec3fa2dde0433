import GRDB
@_spi(Generated) import Syncline

/// A row of an interpreted model. The runtime calls the same functions on it as on a generated type.
struct InterpretedModel<Number: TypeNumber, SyncID: SyncIdentityValue>: SyncGeneratedModel {
  private(set) var identity: SyncID
  /// The values of the columns, in the declaration's order.
  private var values: [(any Sendable)?]

  private struct NoIdentity: Error {}

  private static var declaration: ModelDeclaration? {
    Declarations.declaration(of: Number.self, as: ModelDeclaration.self)
  }

  static var syncTable: SyncTable {
    declaration?.table
      ?? SyncTable(
        Declarations.name(of: Number.self), identity: SyncKey(0), SyncID.self,
        properties: [.scalar("id", SyncID.self, snake: [], camel: [])])
  }

  static var syncIdentity: KeyPath<Self, SyncID> { \.identity }
  static var syncIdentityColumn: String { declaration?.identityName ?? "id" }
  static var syncIdentityRemoteKeys: [String] { declaration?.remoteKeys ?? [] }

  static func syncPropertyName(_ keyPath: PartialKeyPath<Self>) -> String? {
    keyPath == \Self.identity ? declaration?.identityName : relationshipName(keyPath)
  }

  private init(_ values: [(any Sendable)?], identity: SyncID?, of declaration: ModelDeclaration) throws {
    guard let found = identity ?? Self.composite(values, of: declaration) else { throw NoIdentity() }
    self.identity = found
    self.values = values
  }

  /// The composite identity; nil if a part is missing.
  private static func composite(_ values: [(any Sendable)?], of declaration: ModelDeclaration) -> SyncID? {
    let parts = declaration.identityParts.compactMap { declaration.columns[$0].identity(of: values[$0]) }
    guard parts.count == declaration.identityParts.count else { return nil }
    return InterpretedID<Number>(parts) as? SyncID
  }

  static func make(from payload: SyncPayload) throws -> Self {
    guard let declaration else { throw NoIdentity() }
    let payload = payload.read(by: declaration.table)
    var identity: SyncID?
    let values = try declaration.columns.map { column in
      guard column.key.position == declaration.identity.position else { return try column.make(payload) }
      identity = try payload.required(SyncID.self, for: column.key)
      return identity
    }
    return try Self(values, identity: identity, of: declaration)
  }

  mutating func apply(_ payload: SyncPayload) throws -> Bool {
    guard let declaration = Self.declaration else { return false }
    let payload = payload.read(by: declaration.table)
    var changed = false
    for (index, column) in declaration.columns.enumerated()
    where column.key.position != declaration.identity.position {
      try column.update(&values[index], payload, changed: &changed)
    }
    return changed
  }

  mutating func applyRelationships(
    _ payload: SyncPayload, in context: SyncContext, operations: SyncRelationshipOperations
  ) throws -> Bool {
    guard let declaration = Self.declaration else { return false }
    let payload = payload.read(by: declaration.table)
    var changed = false
    // Required properties are checked before anything is written.
    for isRequired in [true, false] {
      for (index, column) in declaration.columns.enumerated() where column.isRequired == isRequired {
        try column.link(&values[index], payload, in: context, operations, changed: &changed)
      }
    }
    for list in declaration.lists {
      try context.update(list, from: payload, operations: operations, changed: &changed)
    }
    return changed
  }

  mutating func syncTakePlace(_ place: Int) -> Bool {
    guard let index = Self.declaration?.columns.firstIndex(where: \.isPlace) else { return false }
    return Self.declaration?.columns[index].take(place, &values[index]) ?? false
  }

  init(columns: SyncColumnDecoder) throws {
    guard let declaration = Self.declaration else { throw NoIdentity() }
    var identity: SyncID?
    let values = try declaration.columns.map { column in
      let value = try column.decode(columns)
      if column.key.position == declaration.identity.position { identity = value as? SyncID }
      return value
    }
    try self.init(values, identity: identity, of: declaration)
  }

  func encodeColumns(to encoder: SyncColumnEncoder) {
    guard let declaration = Self.declaration else { return }
    for (column, value) in zip(declaration.columns, values) { column.encode(value, to: encoder) }
    if declaration.isComposite { encoder.encode(identity, declaration.identity) }
  }

  func export(in context: SyncExportContext) throws -> SyncJSON {
    guard let declaration = Self.declaration else { return .null }
    var object = context.object(declaration.table)
    for exported in declaration.exported {
      switch exported {
      case .column(let index): try declaration.columns[index].export(values[index], to: &object)
      case .list(let key): try object.setRelated(of: identity, for: key)
      case .composite(let key): try object.set(identity, for: key)
      }
    }
    return object.json
  }

  static func == (left: Self, right: Self) -> Bool {
    guard let declaration else { return false }
    return declaration.columns.indices.allSatisfy {
      declaration.columns[$0].isSame(left.values[$0], right.values[$0])
    }
  }
}

struct InterpretedID<Number: TypeNumber>: SyncCompositeID {
  private let parts: [any SyncScalar]

  init(_ parts: [any SyncScalar]) { self.parts = parts }

  init(from reader: inout SyncIDReader) throws {
    let declaration = Declarations.declaration(of: Number.self, as: ModelDeclaration.self)
    var parts: [any SyncScalar] = []
    for part in declaration?.identityParts ?? [] {
      if let type = declaration?.columns[part].identityType { parts.append(try reader.next(type)) }
    }
    self.parts = parts
  }

  func write(to writer: inout SyncIDWriter) {
    for part in parts { writer.write(part) }
  }
}
