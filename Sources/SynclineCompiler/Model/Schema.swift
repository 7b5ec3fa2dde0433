import SynclineNaming

/// The resolved, valid schema of a target, and the only input of the emitter.
public struct Schema: Sendable {
  package enum Access: String, Sendable, CaseIterable {
    case `public`, package, `internal`
  }

  /// The settings of a target's `schema { … }` block.
  package struct Settings: Sendable {
    /// The access level of generated code.
    package var access = Access.internal
    /// Whether an import of another target states its access level.
    package var hasExplicitImports = false
    /// The style of the target's JSON keys that no attribute states.
    package var keyStyle = KeyStyle.snakeCase
    /// The JSON values that mean null in all of its models and structs.
    package var nulls: [NullWord] = []
  }

  package let target: String
  package let settings: Settings
  /// The schema files and their declarations, in source order.
  package let files: [SyntaxTree]
  package let imports: [String]
  /// The targets that declare the models and enums of imports.
  package let importedModules: [String: String]
  package let models: [Model]
  package let enums: [Enumeration]
  package let structs: [Model]
  package let unions: [Union]
  /// The imported models, reduced to the parts that rules need.
  package let imported: [Model]
  /// The position of each model, enum, struct and union by name, since every relationship looks one up.
  private let modelPositions: [String: Int]
  private let enumPositions: [String: Int]
  private let structPositions: [String: Int]
  private let unionPositions: [String: Int]

  init(
    target: String, settings: Settings, files: [SyntaxTree], imports: [String],
    importedModules: [String: String], models: [Model], enums: [Enumeration], structs: [Model],
    unions: [Union], imported: [Model]
  ) {
    self.target = target
    self.settings = settings
    self.files = files
    self.imports = imports
    self.importedModules = importedModules
    self.models = models
    self.enums = enums
    self.structs = structs
    self.unions = unions
    self.imported = imported
    modelPositions = Schema.positions(of: models.map(\.name))
    enumPositions = Schema.positions(of: enums.map(\.name))
    structPositions = Schema.positions(of: structs.map(\.name))
    unionPositions = Schema.positions(of: unions.map(\.name))
  }

  package var access: Access { settings.access }
  package var keyStyle: KeyStyle { settings.keyStyle }

  /// The index of the first declaration of each name.
  private static func positions(of names: [String]) -> [String: Int] {
    Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  /// Whether the target declares a model, an enum, a struct or a union of a name.
  package func declares(_ name: String) -> Bool {
    declaresModel(name) || enumeration(name) != nil || structure(name) != nil || union(name) != nil
  }

  package func declaresModel(_ name: String) -> Bool { modelPositions[name] != nil }

  /// The position of a model in the target's source order. Names that are not models of the target sort after all models.
  func position(of model: String) -> Int { modelPositions[model] ?? models.count }

  package func model(_ name: String) -> Model? { modelPositions[name].map { models[$0] } }

  /// Whether a model of the target or of an imported one has a composite identity.
  package func isComposite(_ name: String) -> Bool {
    visibleModel(name)?.identityProperty?.isComposite ?? false
  }

  /// A model of the target, or of an imported one.
  package func visibleModel(_ name: String) -> Model? { model(name) ?? imported.first { $0.name == name } }

  package func structure(_ name: String) -> Model? { structPositions[name].map { structs[$0] } }

  package func union(_ name: String) -> Union? { unionPositions[name].map { unions[$0] } }

  package var typesWithProperties: [Model] { models + structs }

  package func enumeration(_ name: String) -> Enumeration? { enumPositions[name].map { enums[$0] } }
}
