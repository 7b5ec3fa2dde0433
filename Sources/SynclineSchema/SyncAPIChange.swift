/// A change in the JSON that a schema reads, compared with an earlier schema. It matters to servers that send
/// payloads.
public struct SyncAPIChange: Hashable, Sendable, Codable, CustomStringConvertible {
  /// How a key changed.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// New rows now require the key.
    case required
    /// The key is read.
    case added
    /// The key is no longer read.
    case removed
    /// The key is read as another type.
    case typeChanged
    /// The key is read with other words of the schema, such as `@Merged`.
    case wordsChanged
  }

  /// How the key changed.
  public let kind: Kind
  /// The model that reads it.
  public let model: String
  /// The first key of the property.
  public let key: String
  /// The former type, if it changed, or the former words.
  public let from: String?
  /// The type as which it is read, or the words with which it is.
  public let to: String?

  /// The change as a sentence.
  public var description: String {
    switch kind {
    case .required: "\(model) needs “\(key)”, \(to ?? "")"
    case .added: "\(model) reads “\(key)”, \(to ?? "")"
    case .removed: "\(model) does not read “\(key)” any more"
    case .typeChanged: "\(model) reads “\(key)” as \(to ?? ""), and read \(from ?? "")"
    case .wordsChanged:
      "\(model) reads “\(key)” \(to.map { "with \($0)" } ?? "without \(from ?? "")")"
    }
  }
}

extension SchemaDifference {
  /// The changes in the JSON that is read. Empty for a schema from a store, which has no keys.
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
    // A key that was read before is not new to servers, even if its property was renamed.
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
    if before.words != property.words {
      func text(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }
      changes.append(
        SyncAPIChange(
          kind: .wordsChanged, model: model.name, key: key, from: text(before.words), to: text(property.words)
        ))
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
  /// The type without the `?` of an optional, with today's names of models.
  fileprivate func plainType(_ match: SchemaMatch?) -> String {
    guard let target else { return type.hasSuffix("?") ? String(type.dropLast()) : type }
    let name = match.map { $0.modelsToday[target] ?? target } ?? target
    return isToMany ? "[\(name)]" : name
  }
}
