import GRDB
import SynclineNaming
import SynclineSchema

/// A property of a model: where it is stored, which JSON keys it is read from, and how it is exported.
///
/// The compiler generates these; the position of a property in its table is its ``SyncKey``.
@_spi(Generated)
public struct SyncProperty: Sendable {
  enum Kind: Sendable {
    case scalar(ColumnKind, isOptional: Bool)
    /// A to-one relationship stored in the model's own column.
    case toOne(isOptional: Bool)
    /// Stored in a to-one column of the related model.
    case inverse(column: String, isToMany: Bool)
    case link(SyncLinkTable)
  }

  let name: String
  let quotedName: String
  let kind: Kind
  let related: (any SyncUpdatableModel.Type)?
  /// The keys in two styles; nil until a table makes them from the name or from ``statedKeys``.
  private var listedKeys: (snake: [String], camel: [String])?
  /// The keys that the schema states, as paths; nil if the lists of keys show them.
  private var statedKeys: [String]?
  /// The path of the object that its model's keys are in; nil if it is the object of the row.
  private var below: String?
  let columnType: ColumnType
  /// A stored value as JSON; nil if the column does not hold a value of the property's type.
  let storedJSON: StoredJSON?
  /// Reads a payload's value and binds it. Returns false if the value must be reported, or has another type.
  private(set) var bindPayload: (@Sendable (SyncValue, SyncForm, SyncStatement, Int32) -> Bool)?
  /// Reads a payload's value as it would be stored, if it is read without loss; nil for a relationship.
  private(set) var readStored: (@Sendable (SyncValue, SyncForm) -> DatabaseValue?)?
  /// Writes a payload's value as it would be stored; nil for a relationship. Returns false as ``bindPayload`` does.
  private(set) var transcribe: (@Sendable (SyncValue, SyncForm, inout SyncStoredText) -> Bool)?
  /// Whether a column has the value in a payload; nil without a transform.
  private(set) var isStoredValue: (@Sendable (SyncValue, SyncColumn, SyncForm) -> Bool)?
  // The modifiers below describe these.
  var format: SyncDateFormat?
  var export: Export = .objects
  var deleteRule: DeleteRule?
  private(set) var keyPatterns: [KeyPattern] = []
  private(set) var nulls: NullWords?
  var missing: MissingRule?
  private(set) var isLocal = false
  private(set) var createsUnknown = false
  private(set) var lookup: String?
  private(set) var isMerged = false
  private(set) var isPlace = false
  private(set) var orderedList: String?
  private(set) var isOfLists = false
  var isUnique = false
  var hasExplicitInverse = false
  var renamedFrom: [String] = []

  /// The case of a union that it holds; nil if it is not part of one.
  private(set) var union: UnionPlace?
  /// Whether a list of one is read as its element, or a lone value as a list of one; nil without `@OneOrMany`.
  private(set) var oneOrMany: OneOrMany?
  /// Whether it is part of the composite identity of its model.
  private(set) var isIdentityPart = false
  /// The value of a new row whose payload has none; nil for null.
  private(set) var defaultValue: DatabaseValue?
  /// The stored type of the property's values; nil for a relationship.
  private(set) var storedType: SyncStoredType?
  /// The Swift type of the stored values; nil for a relationship.
  private(set) var valueType: (any SyncScalar.Type)?
  /// The type that a transform reads; nil without a transform.
  private(set) var transformedType: (any SyncScalar.Type)?
  /// Whether the row is kept if its value is unreadable.
  private var hasValueForUnreadable = false

  typealias StoredJSON = @Sendable (SyncColumn, SyncForm) throws -> SyncJSON?

  private init(
    _ name: String, _ kind: Kind, related: (any SyncUpdatableModel.Type)? = nil, keys: [String],
    snake: [String]?, camel: [String]?, columnType: ColumnType = .text, storedJSON: StoredJSON? = nil
  ) {
    self.name = name
    quotedName = name.quotedIdentifier
    self.kind = kind
    self.related = related
    statedKeys = keys.isEmpty ? nil : keys
    listedKeys = snake.flatMap { snake in camel.map { (snake, $0) } }
    self.columnType = columnType
    self.storedJSON = storedJSON
  }

  /// How a property is exported.
  public enum Export: Sendable {
    /// It is not exported: `@NotExport`.
    case never
    /// A scalar is exported as its value, a relationship as the objects of its rows.
    case objects
    /// A relationship is exported as the identities of its rows.
    case identities
  }

  /// The delete rule of a relationship: what happens to the rows at its other end when a row is deleted.
  public enum DeleteRule: String, Sendable {
    /// The links to it are removed.
    case nullify
    /// They are deleted with it.
    case cascade
    /// The row is kept while related rows exist, and the report lists it.
    case deny
  }

  /// What happens to rows that a list of a to-many relationship no longer contains.
  public enum MissingRule: String, Sendable {
    /// They are kept unchanged, without a report.
    case keep
    /// They are deleted, by the delete rules of their model.
    case delete
    /// They are marked as deleted, with the time of the sync. Only for models with `@SoftDelete`.
    case softDelete
  }

  /// A scalar, stored in a column with the property's name. A new row whose object lacks the key gets the
  /// default.
  ///
  /// Its JSON keys are derived from the keys in the schema, or else from the name. If they cannot be derived, they are
  /// listed in snake case and in camel case.
  public static func scalar<Value: SyncScalar>(
    _ name: String, _ type: Value.Type, isOptional: Bool = false, default value: Value? = nil,
    keys: [String] = [], snake: [String]? = nil, camel: [String]? = nil
  ) -> SyncProperty {
    let kind = ColumnKind(type)
    var property = SyncProperty(
      name, .scalar(kind, isOptional: isOptional), keys: keys, snake: snake, camel: camel,
      columnType: kind.columnType,
      storedJSON: { try Value.syncLoad($0)?.syncExport(form: $1) })
    property.bindPayload = { value, form, statement, parameter in
      guard case .value(let read) = Value.syncRead(value, form: form) else { return false }
      read.syncBind(to: statement, at: parameter)
      return true
    }
    property.readStored = { value, form in
      guard case .value(let read) = Value.syncRead(value, form: form) else { return nil }
      return read.syncDatabaseValue
    }
    property.transcribe = { Value.syncTranscribe($0, form: $1, to: &$2) }
    property.storedType = SyncStoredType(type)
    property.defaultValue = value?.syncDatabaseValue
    property.valueType = type
    if let transformed = type as? any AnyTransformed.Type {
      (property.valueType, property.transformedType) = (transformed.valueType, type)
      property.isStoredValue = { value, column, form in
        switch Value.syncRead(value, form: form) {
        case .value(let read):
          Value.syncLoad(column).map { Value.syncIsSame($0, read) }
            ?? (column.isNull && (Value.self as? any AnyTransformed.Type)?.isNull(read) ?? false)
        case .null: column.isNull
        case .inexact, .unreadable: false
        }
      }
    }
    property.hasValueForUnreadable = Value.syncValueForUnreadable != nil
    return property
  }

  /// A to-one relationship, stored as the identity of the related row.
  public static func toOne<Model: SyncUpdatableModel>(
    _ name: String, _ type: Model.Type, isOptional: Bool = true, keys: [String] = [],
    snake: [String]? = nil, camel: [String]? = nil
  ) -> SyncProperty {
    SyncProperty(
      name, .toOne(isOptional: isOptional), related: type, keys: keys, snake: snake, camel: camel,
      columnType: ColumnKind(Model.SyncID.self).columnType,
      storedJSON: { try Model.SyncID.syncLoad($0)?.syncExport(form: $1) })
  }

  /// The other end of a to-one relationship: the rows whose column holds this row's identity.
  public static func toMany<Model: SyncUpdatableModel>(
    _ name: String, _ type: Model.Type, by column: String, keys: [String] = [],
    snake: [String]? = nil, camel: [String]? = nil
  ) -> SyncProperty {
    SyncProperty(
      name, .inverse(column: column, isToMany: true), related: type, keys: keys, snake: snake, camel: camel)
  }

  /// The other end of a one-to-one relationship that is stored in the related model.
  public static func toOne<Model: SyncUpdatableModel>(
    _ name: String, _ type: Model.Type, by column: String, keys: [String] = [],
    snake: [String]? = nil, camel: [String]? = nil
  ) -> SyncProperty {
    SyncProperty(
      name, .inverse(column: column, isToMany: false), related: type, keys: keys, snake: snake, camel: camel)
  }

  /// A to-many relationship stored in a join table.
  public static func toMany<Model: SyncUpdatableModel>(
    _ name: String, _ type: Model.Type, through table: SyncLinkTable, keys: [String] = [],
    snake: [String]? = nil, camel: [String]? = nil
  ) -> SyncProperty {
    SyncProperty(name, .link(table), related: type, keys: keys, snake: snake, camel: camel)
  }

  // MARK: Modifiers

  /// The same property with `@Merged`: an object in a payload updates only the members that it contains.
  public func merged() -> SyncProperty { modified { $0.isMerged = true } }
  /// The same property with `@Position`: it contains the index of the row in the synced list.
  public func takingPlace() -> SyncProperty {
    modified {
      $0.isPlace = true
      $0.listedKeys = ([], [])
    }
  }
  /// The same property, containing the order of an `@Ordered` list.
  public func ordering(_ list: String) -> SyncProperty {
    modified { $0.orderedList = list }
  }
  /// The same property, with the keys of its `@RemoteKey`. They are needed for other key styles than snake case and camel
  /// case.
  public func withKeys(_ keys: [String]) -> SyncProperty { modified { $0.statedKeys = keys } }
  /// The same property in a table, with the keys that generated code does not list, made once since they are often read.
  func inTable(isIdentity: Bool, isPart: Bool, below path: String?) -> SyncProperty {
    modified {
      $0.isIdentityPart = isPart
      $0.below = path
      guard $0.listedKeys == nil else { return }
      let stated = statedKeys ?? []
      let (named, form) = keyConvention
      func keys(in style: KeyStyle) -> [String] {
        isIdentity
          ? KeyCandidates.identity(name, explicit: stated, style: style)
          : KeyCandidates.keys(of: named, form, explicit: stated, below: path, in: style)
      }
      $0.statedKeys = stated
      $0.listedKeys = (keys(in: .snakeCase), keys(in: .camelCase))
    }
  }
  func withoutKeys() -> SyncProperty { modified { $0.listedKeys = ([], []) } }
  /// The same relationship, as one case of a union.
  func inUnion(_ place: UnionPlace) -> SyncProperty { modified { $0.union = place } }
  /// The same relationship, for a model whose rows are lists in JSON.
  public func ofLists() -> SyncProperty { modified { $0.isOfLists = true } }
  /// The same property, excluded from exports.
  public func notExported() -> SyncProperty { modified { $0.export = .never } }
  /// The same relationship, exported as identities.
  public func exportingIdentities() -> SyncProperty { modified { $0.export = .identities } }
  /// The same property with `@Local`: no sync changes it, it is not exported, and its changes are not offline edits.
  public func local() -> SyncProperty {
    modified {
      $0.isLocal = true
      $0.export = .never
      $0.listedKeys = ([], [])
    }
  }
  /// The same property, whose dates are read and exported in a format.
  public func dateFormat(_ pattern: String) -> SyncProperty {
    modified { $0.format = SyncDateFormat(checkedPattern: pattern) }
  }
  /// The same identity or relationship, with patterns of the strings that contain its keys. Exports use the first pattern
  /// without `*`.
  public func keyPattern(_ patterns: [String]) -> SyncProperty {
    modified { $0.keyPatterns = patterns.compactMap(KeyPattern.init) }
  }
  /// The same property with `@Null`: the given values are read as null.
  public func null(_ words: [SyncJSON]) -> SyncProperty { modified { $0.nulls = NullWords(words) } }
  /// The same property with `@OneOrMany`: a single value is read as a list of one, or a list of one as its
  /// element.
  ///
  /// - Parameter depth: the number of lists around its values; 0 for one value.
  public func takingOneOrMany(lists depth: Int) -> SyncProperty {
    modified { $0.oneOrMany = OneOrMany(depth: depth) }
  }
  /// The same relationship with a delete rule.
  public func onDelete(_ rule: DeleteRule) -> SyncProperty { modified { $0.deleteRule = rule } }
  /// The same list, with a rule for the rows that a complete list no longer contains.
  public func whenMissing(_ rule: MissingRule) -> SyncProperty { modified { $0.missing = rule } }
  /// The same relationship with `unknown: .create`: foreign keys insert rows that are not stored.
  public func creatingUnknown() -> SyncProperty { modified { $0.createsUnknown = true } }
  /// The same relationship with `by:`, whose foreign keys are the values of a unique property of the related
  /// model.
  public func lookedUp(by property: String) -> SyncProperty { modified { $0.lookup = property } }
  /// The same property with `@Unique`: no two rows may have the same value.
  public func unique() -> SyncProperty { modified { $0.isUnique = true } }
  /// The same property, with its former names.
  public func renamed(from names: [String]) -> SyncProperty { modified { $0.renamedFrom = names } }
  /// The same relationship, whose inverse is stated in the schema.
  public func withExplicitInverse() -> SyncProperty { modified { $0.hasExplicitInverse = true } }

  private func modified(_ change: (inout SyncProperty) -> Void) -> SyncProperty {
    var copy = self
    change(&copy)
    return copy
  }

  // MARK: Derived

  func keys(in style: KeyStyle) -> [String] {
    let (named, form) = keyConvention
    return KeyCandidates.keys(
      of: named, form, snake: listedKeys?.snake ?? [], camel: listedKeys?.camel ?? [], explicit: statedKeys,
      below: below, in: style)
  }

  /// The name from which its keys are made if the schema states none, and what their values are.
  private var keyConvention: (name: String, form: KeyCandidates.Form) {
    if let orderedList { return (orderedList, .toMany) }
    if !isRelationship { return (name, .scalar) }
    let named = union?.property ?? name
    // The list of a union has no keys for identities.
    if isToMany { return (named, union == nil ? .toMany : .scalar) }
    return (named, .toOne)
  }

  var isStored: Bool {
    switch kind {
    case .scalar, .toOne: true
    case .inverse, .link: false
    }
  }

  var isOptional: Bool {
    switch kind {
    case .scalar(_, let isOptional), .toOne(let isOptional): isOptional
    case .inverse, .link: true
    }
  }

  /// Whether an unreadable value leaves the stored value as it is, rather than rejecting the row.
  var mayBeUnreadable: Bool { isOptional || hasValueForUnreadable }

  var isToMany: Bool {
    switch kind {
    case .inverse(_, let isToMany): isToMany
    case .link: true
    case .scalar, .toOne: false
    }
  }

  /// The Swift type of composed values: a struct, a map, or a list of these.
  var composedType: (any SyncScalar.Type)? { storedType?.shape == nil ? nil : valueType }

  /// The reader for keys of a relationship; nil for a scalar.
  var keyReader: IdentityReader? {
    related.map { related in
      if let lookup, let kind = related.syncTable.keyKind(of: lookup) {
        return IdentityReader(kind: kind, patterns: keyPatterns)
      }
      let target = related.syncTable.identityReader
      return keyPatterns.isEmpty ? target : IdentityReader(kind: target.kind, patterns: keyPatterns)
    }
  }

  var hasDefault: Bool { defaultValue != nil }
  /// Whether it is a value that no two rows have.
  var hasUniqueValues: Bool { isUnique && !isRelationship }
  var isRelationship: Bool { related != nil }
  /// Whether its value may be read from an object that is not a row. With `@OneOrMany`, an object may be a list's only element.
  var isReadFromObjects: Bool { transformedType != nil || valueType.map { mayBeObject($0) } ?? false }

  private func mayBeObject(_ type: any SyncScalar.Type) -> Bool {
    switch type {
    case is SyncJSON.Type, is any SyncStruct.Type, is any SyncValueUnion.Type, is any ScalarMap.Type: true
    case let list as any ScalarList.Type: oneOrMany != nil && mayBeObject(list.element)
    default: false
    }
  }
}
