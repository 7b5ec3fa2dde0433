/// A schema as saved in a store: its models, and where each property is stored.
///
/// A container saves the schema of its store in the store itself, as JSON. `syncline snapshot` writes the same JSON from schema
/// files.
public struct SyncSchemaSnapshot: Hashable, Sendable {
  /// A model and its table.
  public struct Model: Hashable, Sendable, Codable {
    /// The name of the model and of its table.
    public var name: String
    /// The property that identifies rows.
    public var identity: String
    /// The properties that form the composite identity, each with its stored type: `user: Int`. Empty if a single property is the
    /// identity.
    public var identityParts: [String]
    /// The to-one relationship within which the identity is unique.
    public var parentScope: String?
    /// The properties, in the order of the schema.
    public var properties: [Property]
    /// The properties of each declared index.
    public var indexes: [[String]]
    /// The former names that were in effect in the store.
    public var renamedFrom: [String]
    /// Whether local edits of its rows are recorded for a push, from `@Offline`.
    public var isOffline: Bool
    /// The marks of deleted rows in JSON, from `@Deleted`. Empty in a store, which does not depend on them.
    public var deletionMarks: [String]
    /// The attributes that affect how rows are read or kept, such as `@OneOrMany`. Empty in a store, which does not depend on
    /// them.
    public var words: [String]
    /// Whether it has a single row, from `@Singleton`.
    public var isSingleton: Bool
    /// The date that marks rows as deleted, if the model has unique values, because deleted rows need not be unique. Nil for
    /// other models.
    public var softDelete: String?

    /// Creates a model.
    public init(
      name: String, identity: String, identityParts: [String] = [], parentScope: String? = nil,
      properties: [Property], indexes: [[String]] = [], renamedFrom: [String] = [], isOffline: Bool = false,
      deletionMarks: [String] = [], words: [String] = [], isSingleton: Bool = false,
      softDelete: String? = nil
    ) {
      self.name = name
      self.identity = identity
      self.identityParts = identityParts
      self.isSingleton = isSingleton
      self.parentScope = parentScope
      self.properties = properties
      self.indexes = indexes
      self.renamedFrom = renamedFrom
      self.isOffline = isOffline
      self.deletionMarks = deletionMarks
      self.words = words
      self.softDelete = softDelete
    }

    /// The property with the name; nil if there is none.
    public func property(_ name: String) -> Property? { properties.first { $0.name == name } }
  }

  /// A property of a model.
  public struct Property: Hashable, Sendable {
    /// The type of the property, and where it is stored.
    public enum Kind: Hashable, Sendable {
      /// A value in a column of the property's name.
      case value(SyncStoredType)
      /// The identity of a row of another model, in a column of the property's name. The column is unique for a one-to-one
      /// relationship.
      case toOne(String, isUnique: Bool)
      /// The rows of another model whose column holds this row's identity.
      case inverse(of: String, in: String, isToMany: Bool)
      /// Rows of another model through a join table, whose `source` or `target` column holds this row's identity.
      case links(to: String, table: String, isSource: Bool)
    }

    /// The name of the property and, if it has one, of its column.
    public var name: String
    /// Its type, and where it is stored.
    public var kind: Kind
    /// Whether it can be null.
    public var isOptional: Bool
    /// Whether it has a default, which new rows without a value get.
    public var hasDefault: Bool
    /// The rule for rows that a complete list no longer contains: `keep`, `delete` or `softDelete`; nil if they are unlinked.
    public var missing: String?
    /// The former names that were in effect in the store.
    public var renamedFrom: [String]
    /// The JSON keys that it is read from. Empty in a store, which does not depend on them.
    public var keys: [String]
    /// The attributes and arguments that affect how it is read, written or kept: `@Null("")`, `deleteRule: .cascade`, `= 3`.
    /// Empty in a store, which does not depend on them.
    public var words: [String]
    /// Whether all rows must have different values, from `@Unique`. A one-to-one relationship is unique by its kind.
    public var isUnique: Bool
    /// The type in schema syntax, if it contains the name of an enum, a struct or a union: `[Address]`. Otherwise nil, and always
    /// nil in a store.
    package var declared: String?
    /// The key that an export writes; nil if it is the first key that is read.
    package var written: String?

    /// Creates a property.
    public init(
      name: String, kind: Kind, isOptional: Bool = false, hasDefault: Bool = false, missing: String? = nil,
      renamedFrom: [String] = [], keys: [String] = [], words: [String] = [], isUnique: Bool = false
    ) {
      self.name = name
      self.kind = kind
      self.isOptional = isOptional
      self.hasDefault = hasDefault
      self.missing = missing
      self.renamedFrom = renamedFrom
      self.keys = keys
      self.words = words
      self.isUnique = isUnique
    }

    /// Whether the model's table has a column for it.
    public var isStored: Bool {
      switch kind {
      case .value, .toOne: true
      case .inverse, .links: false
      }
    }

    /// The related model of a relationship.
    public var target: String? {
      switch kind {
      case .value: nil
      case .toOne(let target, _), .inverse(_, let target, _), .links(let target, _, _): target
      }
    }

    /// Whether it is a to-many relationship.
    public var isToMany: Bool {
      switch kind {
      case .value, .toOne: false
      case .inverse(_, _, let isToMany): isToMany
      case .links: true
      }
    }

    /// The type in schema syntax: `Int8?`, `[String]`, `Project`, `[Tag]`.
    public var type: String {
      let name =
        switch kind {
        case .value(let type): type.name
        case .toOne(let target, _): target
        case .inverse(_, let target, let isToMany): isToMany ? "[\(target)]" : target
        case .links(let target, _, _): "[\(target)]"
        }
      return isOptional && !isToMany ? name + "?" : name
    }
  }

  /// The models, sorted by name.
  public var models: [Model]
  /// The declarations without tables. Nil in a store, and in files that earlier versions of `syncline snapshot` wrote. Such
  /// snapshots also have no words, so not all changes can be found.
  package var declarations: [Declaration]?

  /// Creates a schema from models.
  public init(models: [Model]) {
    self.models = models.sorted { $0.name < $1.name }
  }

  /// The model with the name; nil if there is none.
  public func model(_ name: String) -> Model? { models.first { $0.name == name } }

  /// The stored type of a model's identity.
  package func identityType(of model: String) -> SyncStoredType {
    guard let model = self.model(model), case .value(let type)? = model.property(model.identity)?.kind else {
      return SyncStoredType(.string)
    }
    return type
  }
}

package typealias SchemaModel = SyncSchemaSnapshot.Model
package typealias SchemaProperty = SyncSchemaSnapshot.Property
