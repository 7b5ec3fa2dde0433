/// What a schema reads otherwise than an earlier one did, for those who send payloads.
public struct SyncAPIChange: Hashable, Sendable, Codable, CustomStringConvertible {
  /// What became of a key.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// New rows need the key.
    case required
    /// The key is read.
    case added
    /// The key is not read any more.
    case removed
    /// The key is read as another type.
    case typeChanged
  }

  /// What became of it.
  public let kind: Kind
  /// The model that reads it.
  public let model: String
  /// The first of the keys that the property is read from.
  public let key: String
  /// The type that it was read as, where that changed.
  public let from: String?
  /// The type that it is read as.
  public let to: String?

  /// The sentence.
  public var description: String {
    switch kind {
    case .required: "\(model) needs “\(key)”, \(to ?? "")"
    case .added: "\(model) reads “\(key)”, \(to ?? "")"
    case .removed: "\(model) does not read “\(key)” any more"
    case .typeChanged: "\(model) reads “\(key)” as \(to ?? ""), and read \(from ?? "")"
    }
  }
}

extension SchemaDifference {
  /// What is read otherwise. A schema that a store remembers has no keys.
  package var apiChanges: [SyncAPIChange] {
    new.models.flatMap { model -> [SyncAPIChange] in
      guard let former = match.models[model.name].flatMap(old.model) else { return [] }
      return model.properties.flatMap { changes(of: $0, model, former) } + removed(from: former, model)
    }
  }

  private func changes(
    of property: SyncSchemaSnapshot.Property, _ model: SyncSchemaSnapshot.Model,
    _ former: SyncSchemaSnapshot.Model
  ) -> [SyncAPIChange] {
    guard let key = property.keys.first else { return [] }
    func change(_ kind: SyncAPIChange.Kind, from: String? = nil) -> SyncAPIChange {
      SyncAPIChange(kind: kind, model: model.name, key: key, from: from, to: property.type)
    }
    let isRequired = property.isStored && !property.isOptional && !property.hasDefault
    // Whatever the property is called, a key that was read before is known to those who send it.
    guard let before = former.properties.first(where: { !Set($0.keys).isDisjoint(with: property.keys) })
    else {
      return [change(isRequired ? .required : .added)]
    }
    var changes: [SyncAPIChange] = []
    let wasRequired = before.isStored && !before.isOptional && !before.hasDefault
    if isRequired, !wasRequired { changes.append(change(.required)) }
    if before.plainType(match) != property.plainType(nil) {
      changes.append(change(.typeChanged, from: before.type))
    }
    return changes
  }

  private func removed(
    from former: SyncSchemaSnapshot.Model, _ model: SyncSchemaSnapshot.Model
  ) -> [SyncAPIChange] {
    let read = Set(model.properties.flatMap(\.keys))
    return former.properties.filter { !$0.keys.isEmpty && read.isDisjoint(with: $0.keys) }.compactMap(
      \.keys.first
    )
    .map { SyncAPIChange(kind: .removed, model: model.name, key: $0, from: nil, to: nil) }
  }
}

extension SyncSchemaSnapshot.Property {
  /// The type without the mark of an optional, under the names that models have today.
  fileprivate func plainType(_ match: SchemaMatch?) -> String {
    guard let target else { return type.hasSuffix("?") ? String(type.dropLast()) : type }
    let name = match.map { $0.modelsToday[target] ?? target } ?? target
    return isToMany ? "[\(name)]" : name
  }
}
