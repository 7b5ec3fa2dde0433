/// The former names of a schema's models and properties in an earlier schema.
package struct SchemaMatch: Sendable {
  /// The former names of the models, by current name.
  package private(set) var models: [String: String] = [:]
  /// The current names of the models, by former name.
  package private(set) var modelsToday: [String: String] = [:]
  /// The former names of the properties, by the current names of model and property.
  package private(set) var properties: [String: [String: String]] = [:]
  /// Messages about names with an ambiguous former name.
  package private(set) var conflicts: [String] = []

  package init(from old: SyncSchemaSnapshot, to new: SyncSchemaSnapshot) {
    var naming = Naming(
      old.models.map { ($0.name, $0.renamedFrom) }, new.models.map { ($0.name, $0.renamedFrom) })
    models = naming.match()
    modelsToday = Dictionary(models.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    conflicts += naming.conflicts.map { "the model \($0)" }
    for model in new.models {
      guard let former = models[model.name].flatMap(old.model) else { continue }
      var naming = Naming(
        former.properties.map { ($0.name, $0.renamedFrom) },
        model.properties.map { ($0.name, $0.renamedFrom) })
      properties[model.name] = naming.match()
      conflicts += naming.conflicts.map { "\(model.name).\($0)" }
    }
    matchFarEnds(SchemaRelation.byEnd(old.relations), new.relations)
  }

  /// Matches a renamed end of a relationship by its inverse, if the schema does not state the former name.
  private mutating func matchFarEnds(
    _ old: [SchemaRelation.End: SchemaRelation], _ new: [SchemaRelation]
  ) {
    for relation in new {
      guard let far = relation.far else { continue }
      for (end, other) in [(relation.near, far), (far, relation.near)]
      where former(end.property, of: end.model) == nil {
        guard let formerOther = former(other.property, of: other.model), let before = old[formerOther],
          let formerEnd = before.end(opposite: formerOther), formerEnd.model == models[end.model],
          today(formerEnd) == nil
        else { continue }
        properties[end.model, default: [:]][end.property] = formerEnd.property
      }
    }
  }

  /// The former name of a current property; nil if it is new.
  package func former(_ property: String, of model: String) -> SchemaRelation.End? {
    guard let formerModel = models[model], let former = properties[model]?[property] else { return nil }
    return .init(model: formerModel, property: former)
  }

  /// Whether two relationships refer to the same model. True if either property is a value.
  package func hasSameTarget(_ former: SchemaProperty, _ property: SchemaProperty) -> Bool {
    guard let formerTarget = former.target, let target = property.target else { return true }
    return models[target] == formerTarget
  }

  /// The current name of a former property; nil if it was dropped.
  package func today(_ former: SchemaRelation.End) -> SchemaRelation.End? {
    guard let model = modelsToday[former.model],
      let property = properties[model]?.first(where: { $0.value == former.property })?.key
    else { return nil }
    return .init(model: model, property: property)
  }
}

extension SchemaRelation {
  /// The relations, keyed by each of their ends.
  package static func byEnd(_ relations: [SchemaRelation]) -> [End: SchemaRelation] {
    var result: [End: SchemaRelation] = [:]
    for relation in relations {
      result[relation.near] = relation
      if let far = relation.far { result[far] = relation }
    }
    return result
  }

  /// The other end; nil if it has no property.
  func end(opposite end: End) -> End? { end == near ? far : near }
}

/// The names of one kind in the earlier and the current schema.
private struct Naming {
  /// The names of the earlier schema, with the former names that were already replaced at that time.
  private let old: [String: [String]]
  /// The names of the earlier schema by lowercased name, because SQLite ignores case.
  private let oldByLetters: [String: String]
  private let new: [(name: String, renamedFrom: [String])]
  private(set) var conflicts: [String] = []

  init(_ old: [(String, [String])], _ new: [(String, [String])]) {
    self.old = Dictionary(old, uniquingKeysWith: { first, _ in first })
    oldByLetters = Dictionary(
      old.map { ($0.0.lowercasedASCII, $0.0) }, uniquingKeysWith: { first, _ in first })
    self.new = new.map { (name: $0.0, renamedFrom: $0.1) }
  }

  /// The former name of each current name. A name without an entry is new.
  mutating func match() -> [String: String] {
    var result: [String: String] = [:]
    var taken: Set<String> = []
    for (name, renamedFrom) in new {
      // A renaming that the earlier schema already contained is not applied again.
      let counted = old[name].map { Set($0) }
      let former = renamedFrom.filter { old[$0] != nil && !(counted?.contains($0) ?? false) }
      if former.count > 1 {
        conflicts.append(
          "\(name) was renamed from \(former.map { "“\($0)”" }.joined(separator: " and from ")), and the store has both"
        )
      }
      guard let first = former.first, taken.insert(first).inserted else { continue }
      result[name] = first
    }
    for (name, _) in new where result[name] == nil && old[name] != nil && taken.insert(name).inserted {
      result[name] = name
    }
    for (name, _) in new where result[name] == nil {
      // SQLite ignores the case of names.
      guard let former = oldByLetters[name.lowercasedASCII], taken.insert(former).inserted else { continue }
      result[name] = former
    }
    return result
  }
}

extension String {
  /// The name in ASCII lowercase, as SQLite compares it.
  package var lowercasedASCII: String {
    guard utf8.contains(where: { (65...90).contains($0) }) else { return self }
    return String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

extension Sequence {
  /// The first element with each key, by the key.
  func first<Key: Hashable>(by key: (Element) -> Key) -> [Key: Element] {
    Dictionary(map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}
