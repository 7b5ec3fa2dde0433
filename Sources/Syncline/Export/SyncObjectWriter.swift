import SynclineNaming

/// Builds the JSON object of a row: paths become nested objects and share their parents.
public struct SyncObjectWriter {
  private let context: SyncExportContext
  private let table: SyncTable
  private var object = SyncJSONObject()

  init(context: SyncExportContext, table: SyncTable) {
    self.context = context
    self.table = table
  }

  public var json: SyncJSON { .object(object) }

  /// Writes a scalar.
  public mutating func set(_ value: some SyncScalar, for key: SyncKey) {
    let format = table.properties[key.position].format ?? context.configuration.dateFormat
    set(value.syncExport(format: format), key.position, name: nil)
  }

  /// Writes a scalar, or null.
  public mutating func set<Value: SyncScalar>(_ value: Value?, for key: SyncKey) {
    if let value { set(value, for: key) } else { set(SyncJSON.null, key.position, name: nil) }
  }

  /// Writes a to-one relationship: the row's object or its identity, or null.
  public mutating func set<Model: SyncUpdatableModel>(_ reference: Reference<Model>?, for key: SyncKey) throws {
    let property = table.properties[key.position]
    let identity = reference?.id.syncIdentity
    switch property.export {
    case .never: break
    case .identities: setKey(identity?.json ?? .null, key.position)
    case .objects:
      let object = try identity.flatMap { try context.json(Model.self, $0) }
      set(object ?? .null, key.position, name: objectName(property))
    }
  }

  /// Writes a relationship that is stored elsewhere: a list, or the far end of a one-to-one.
  public mutating func setRelated(of owner: some SyncIdentityValue, for key: SyncKey) throws {
    let property = table.properties[key.position]
    switch property.export {
    case .never: break
    case .identities:
      let identities = try context.identities(property, of: owner.syncIdentity).map(\.json)
      setKey(property.isToMany ? .array(identities) : identities.first ?? .null, key.position)
    case .objects:
      let rows = try context.related(property, of: owner.syncIdentity)
      set(property.isToMany ? .array(rows) : rows.first ?? .null, key.position, name: objectName(property))
    }
  }

  // MARK: Keys

  private var style: KeyStyle { context.configuration.keyStyle }

  /// The key of a relationship's objects: the explicit key, else the name.
  private func objectName(_ property: SyncProperty) -> String? {
    property.hasExplicitKey(in: style) ? nil : style.transform(property.name)
  }

  /// Writes the identities of a relationship, unless a scalar has the same key.
  private mutating func setKey(_ json: SyncJSON, _ position: Int) {
    let property = table.properties[position]
    let keys = property.keys(in: style)
    let name: String
    if property.hasExplicitKey(in: style) {
      name = keys.first ?? property.name
    } else {
      name =
        property.isToMany
        ? KeyCandidates.toManyKey(property.name, style: style) : KeyCandidates.toOneKey(property.name, style: style)
    }
    let hasScalar = table.properties.contains {
      !$0.isRelationship && $0.export != .never && $0.keys(in: style).first == name
    }
    if !hasScalar { set(json, position, name: name) }
  }

  /// Writes a value under the first key of a property, or under a name.
  mutating func set(_ json: SyncJSON, _ position: Int, name: String?) {
    let key = name ?? table.properties[position].keys(in: style).first ?? table.properties[position].name
    let path = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    SyncObjectWriter.merge(json, at: path[...], into: &object)
  }

  /// Sets a value at a path. Objects are merged, and a null never replaces an object.
  private static func merge(_ json: SyncJSON, at path: ArraySlice<String>, into object: inout SyncJSONObject) {
    guard let key = path.first else { return }
    if path.count == 1 {
      if case .object(var present)? = object[key] {
        guard case .object(let members) = json else { return }
        // A relationship's object gives way to the scalars of the row itself.
        for (name, value) in members where present[name] == nil { present[name] = value }
        object[key] = .object(present)
      } else {
        object[key] = json
      }
      return
    }
    var inner = object[key]?.object ?? SyncJSONObject()
    merge(json, at: path.dropFirst(), into: &inner)
    object[key] = .object(inner)
  }
}

extension SyncProperty {
  /// Whether the schema names the keys of a relationship.
  fileprivate func hasExplicitKey(in style: KeyStyle) -> Bool {
    guard isRelationship else { return true }
    return !keys(in: style).contains(style.transform(name))
  }
}
