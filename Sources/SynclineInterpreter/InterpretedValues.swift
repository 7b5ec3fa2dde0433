@_spi(Generated) import Syncline

/// A value of an enum of a schema.
struct InterpretedEnum<Number: TypeNumber, RawValue: InterpretedRawValue>: SyncEnum, SyncNamedType {
  let rawValue: RawValue

  init(rawValue: RawValue) { self.rawValue = rawValue }

  static var syncName: String { Declarations.name(of: Number.self) }
}

typealias InterpretedRawValue = SyncScalar & Codable & DatabaseValueConvertible & Hashable

/// A value of a struct of a schema.
struct InterpretedStruct<Number: TypeNumber>: SyncStruct, SyncNamedType {
  private let values: [(any SyncScalar)?]

  private static var declaration: StructDeclaration? {
    Declarations.declaration(of: Number.self, as: StructDeclaration.self)
  }

  static var syncName: String { Declarations.name(of: Number.self) }
  static var syncMembers: SyncMembers { declaration?.members ?? SyncMembers(syncName, []) }

  init(syncMembers members: inout SyncMemberReader) throws {
    values = try (Self.declaration?.cells ?? []).map { try $0.read(&members) }
  }

  func syncWrite(to members: inout SyncMemberWriter) {
    for (cell, value) in zip(Self.declaration?.cells ?? [], values) { cell.write(value, &members) }
  }

  init(from decoder: any Decoder) throws { throw NotCoded() }
  func encode(to encoder: any Encoder) throws { throw NotCoded() }

  static func == (left: Self, right: Self) -> Bool { syncIsSame(left, right) }
  func hash(into hasher: inout Hasher) { hasher.combine(databaseValue) }
}

/// A value of a union of structs.
struct InterpretedValueUnion<Number: TypeNumber>: SyncValueUnion, SyncNamedType {
  /// The index of the case; negative for a case that the schema does not contain.
  private let index: Int
  private let value: any SyncScalar

  static var syncName: String { Declarations.name(of: Number.self) }
  static var syncCases: SyncUnionCases<any SyncScalar.Type> {
    Declarations.declaration(of: Number.self, as: UnionDeclaration<any SyncScalar.Type>.self)?.cases
      ?? SyncUnionCases(syncName, on: "type", [])
  }

  init(syncCase index: Int, _ value: any SyncScalar) {
    self.index = index
    self.value = value
  }

  var syncValue: (index: Int, value: any SyncScalar) { (index, value) }
  static func unrecognized(_ json: SyncJSON) -> Self { Self(syncCase: -1, json) }

  static func == (left: Self, right: Self) -> Bool { syncIsSame(left, right) }
  func hash(into hasher: inout Hasher) { hasher.combine(databaseValue) }
}

/// Thrown by `Codable` methods. These types do not support them, because their values exist only while a command runs.
struct NotCoded: Error {}
