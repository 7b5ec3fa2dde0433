import GRDB
import Syncline
import SynclineCompiler

/// The models of a schema in the form that the runtime needs, without generating and building Swift.
///
/// Each model is a type that is composed at run time. It reads, stores and exports rows through the same public functions as the
/// generated type, so that a payload has the same result as in an app. Only the types of `@Transform` are unknown. Their values
/// are stored as the JSON of the payload.
package struct InterpretedSchema: Sendable {
  /// The models of the target, then those of the targets that it imports.
  package let models: [any SyncUpdatableModel.Type]
  /// The names of the target's models, in the order of its files.
  package let names: [String]
  /// The names of the target's unions of models, in the order of its files.
  package let unionNames: [String]
  private let types: InterpretedTypes
  private let schemas: [Schema]

  package init(_ schema: Schema, importing modules: [String: Schema] = [:]) {
    var types = InterpretedTypes()
    let schemas =
      [schema] + modules.sorted { $0.key < $1.key }.map(\.value).filter { $0.target != schema.target }
    for schema in schemas { types.reserve(schema) }
    for schema in schemas { ValueDeclarer(schema: schema, types: types).declare() }
    for schema in schemas { ModelDeclarer(schema: schema, types: types).declare() }
    self.schemas = schemas
    names = schema.models.map(\.name)
    unionNames = schema.unions.filter { !$0.isOfValues }.map(\.name)
    self.types = types
    models = schemas.flatMap { schema in schema.models.compactMap { types.model($0.name, in: schema) } }
  }

  /// The model with the name. A model of the target takes precedence over an imported one.
  package func model(_ name: String) -> (any SyncUpdatableModel.Type)? {
    models.first { $0.syncTable.name == name }
  }

  package func union(_ name: String) -> (any SyncUnion.Type)? {
    unionNames.contains(name) ? types.modelUnion(name, in: schemas[0]) : nil
  }

  /// The type of a model's property or a struct's member, as written in the schema.
  package func type(of property: String, in name: String) -> String? {
    let declared = schemas.lazy.compactMap { $0.model(name) ?? $0.structure(name) }.first
    return declared?.property(property)?.typeText
  }
}
