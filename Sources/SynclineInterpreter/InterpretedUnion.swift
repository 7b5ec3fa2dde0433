@_spi(Generated) import Syncline

/// A row of a union of models. No instance is created, because the runtime only uses the list of cases.
struct InterpretedUnion<Number: TypeNumber>: SyncUnion {
  let id: Reference

  static var syncCases: SyncUnionCases<any SyncUpdatableModel.Type> {
    Declarations.declaration(of: Number.self, as: UnionDeclaration<any SyncUpdatableModel.Type>.self)?.cases
      ?? SyncUnionCases(Declarations.name(of: Number.self), on: "type", [])
  }

  struct Reference: SyncUnionReference {
    let type: String

    static func unrecognized(_ type: String) -> Self { Self(type: type) }
  }
}
