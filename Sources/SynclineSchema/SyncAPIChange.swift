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
    /// A list does something else to the rows that it leaves out.
    case missingChanged
    /// Rows with the key, or with a value of it, are deleted.
    case deletes
    /// Rows with the key, or with a value of it, are no longer deleted.
    case keeps
    /// The key, or a row, is read with other words of the schema, such as `@Null("")`.
    case wordsChanged
  }

  /// How the key changed.
  public let kind: Kind
  /// The model that reads it.
  public let model: String
  /// The first key of the property; for deleted rows, what marks them; empty for the rows of the model themselves.
  public let key: String
  /// The former type, if it changed; what was done to missing rows; the former words.
  public let from: String?
  /// The type as which it is read; what is done to missing rows; the words with which it is read.
  public let to: String?

  /// The change as a sentence.
  public var description: String {
    switch kind {
    case .required: "\(model) needs “\(key)”, \(to ?? "")"
    case .added: "\(model) reads “\(key)”, \(to ?? "")"
    case .removed: "\(model) does not read “\(key)” any more"
    case .typeChanged: "\(model) reads “\(key)” as \(to ?? ""), and read \(from ?? "")"
    case .missingChanged:
      "\(model) \(SyncAPIChange.verb(to)) rows that a list at “\(key)” leaves out, and \(SyncAPIChange.verb(from)) them before"
    case .deletes: "\(model) deletes rows by “\(key)”"
    case .keeps: "\(model) does not delete rows by “\(key)” any more"
    case .wordsChanged:
      "\(model) reads \(key.isEmpty ? "its rows" : "“\(key)”") \(to.map { "with \($0)" } ?? "without \(from ?? "")")"
    }
  }

  /// What a rule for missing rows does to them.
  private static func verb(_ rule: String?) -> String {
    switch rule {
    case "keep": "keeps"
    case "delete": "deletes"
    case "softDelete": "marks"
    default: "unlinks"
    }
  }
}

extension SchemaDifference {
  /// The changes in the JSON that is read. Empty for a schema from a store, which has no keys.
  package var apiChanges: [SyncAPIChange] {
    new.models.flatMap { model -> [SyncAPIChange] in
      guard let former = match.models[model.name].flatMap(old.model) else { return [] }
      return rows(of: model, former) + model.properties.flatMap { changes(of: $0, model, former) }
        + removed(from: former, model) + marks(of: model, former)
    }
  }

  /// The changes in how whole rows are read.
  private func rows(
    of model: SyncSchemaSnapshot.Model, _ former: SyncSchemaSnapshot.Model
  ) -> [SyncAPIChange] {
    guard former.hasKeys, model.hasKeys else { return [] }
    return words("", of: model, from: former.words, to: model.words)
  }

  /// The change in the words with which a key is read, or a row for an empty key.
  private func words(
    _ key: String, of model: SyncSchemaSnapshot.Model, from old: [String], to new: [String]
  ) -> [SyncAPIChange] {
    guard old != new else { return [] }
    func list(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }
    return [
      SyncAPIChange(kind: .wordsChanged, model: model.name, key: key, from: list(old), to: list(new))
    ]
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
    if before.missing != property.missing {
      changes.append(
        SyncAPIChange(
          kind: .missingChanged, model: model.name, key: key, from: before.missing, to: property.missing))
    }
    return changes + words(key, of: model, from: before.words, to: property.words)
  }

  /// The changes in what marks rows as deleted. A schema from a store has no keys, and no marks either.
  private func marks(
    of model: SyncSchemaSnapshot.Model, _ former: SyncSchemaSnapshot.Model
  ) -> [SyncAPIChange] {
    guard former.hasKeys, model.hasKeys else { return [] }
    func changes(_ kind: SyncAPIChange.Kind, _ marks: [String], without others: [String]) -> [SyncAPIChange] {
      marks.filter { !others.contains($0) }
        .map { SyncAPIChange(kind: kind, model: model.name, key: $0, from: nil, to: nil) }
    }
    return changes(.deletes, model.deletionMarks, without: former.deletionMarks)
      + changes(.keeps, former.deletionMarks, without: model.deletionMarks)
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

extension SyncSchemaSnapshot.Model {
  /// Whether it is of schema files, rather than of a store.
  fileprivate var hasKeys: Bool { properties.contains { !$0.keys.isEmpty } }
}

extension SyncSchemaSnapshot.Property {
  /// The type without the `?` of an optional, with today's names of models.
  fileprivate func plainType(_ match: SchemaMatch?) -> String {
    guard let target else { return type.hasSuffix("?") ? String(type.dropLast()) : type }
    let name = match.map { $0.modelsToday[target] ?? target } ?? target
    return isToMany ? "[\(name)]" : name
  }
}
