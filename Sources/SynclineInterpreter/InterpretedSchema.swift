import GRDB
import Syncline
import SynclineCompiler

/// The models of a schema as the runtime takes them, without Swift being generated and built.
///
/// Each model is a type that is put together while the program runs and reads, stores and exports rows as the generated
/// one would, through the same public functions; so what the runtime does with a payload is what it does in an app. Only
/// what the types of `@Transform` do is not known: their values are kept as the JSON that came.
package struct InterpretedSchema: Sendable {
  /// The models of the target, then those of the targets that it imports.
  package let models: [any SyncUpdatableModel.Type]
  /// The names of the target's models, in the order of its files.
  package let names: [String]
  private let schemas: [Schema]

  /// Puts together the models of a schema.
  ///
  /// - Parameter modules: the schemas of the targets that may be imported, whole.
  package init(_ schema: Schema, importing modules: [String: Schema] = [:]) {
    var types = InterpretedTypes()
    let schemas =
      [schema] + modules.sorted { $0.key < $1.key }.map(\.value).filter { $0.target != schema.target }
    for schema in schemas { types.reserve(schema) }
    for schema in schemas { ValueDeclarer(schema: schema, types: types).declare() }
    for schema in schemas { ModelDeclarer(schema: schema, types: types).declare() }
    self.schemas = schemas
    names = schema.models.map(\.name)
    models = schemas.flatMap { schema in schema.models.compactMap { types.model($0.name, in: schema) } }
  }

  /// The model of a name; that of the target, where one that is imported has the same.
  package func model(_ name: String) -> (any SyncUpdatableModel.Type)? {
    models.first { $0.syncTable.name == name }
  }

  /// How a schema writes the type of a property of a model, or of a member of a struct.
  package func type(of property: String, in name: String) -> String? {
    for schema in schemas {
      guard let declared = schema.model(name) ?? schema.structure(name) else { continue }
      return declared.property(property).map { $0.typeText }
    }
    return nil
  }
}
