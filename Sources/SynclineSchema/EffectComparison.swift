/// Compares how two schemas read, write and keep rows.
struct EffectComparison {
  let difference: SchemaDifference
  /// The properties of the models that exist in both schemas.
  private let models: [(model: SchemaModel, former: SchemaModel, fields: FieldPairs)]
  let declarations: DeclarationMatch
  private(set) var effects: [SchemaEffect] = []
  private var known: Set<SchemaEffect> = []

  init(_ difference: SchemaDifference) {
    self.difference = difference
    let isWhole = difference.isOfWholeSchemas
    models = difference.new.models.compactMap { model in
      guard let former = difference.match.models[model.name].flatMap(difference.old.model) else { return nil }
      func fields(_ model: SchemaModel) -> [SchemaField] {
        model.properties.map { SchemaField($0, isWhole: isWhole) }
      }
      let names = difference.match.properties[model.name] ?? [:]
      return (model, former, FieldPairs(from: fields(former), to: fields(model), names: names))
    }
    declarations = DeclarationMatch(difference, fields: models.map(\.fields))
  }

  /// Whether attributes and declarations are compared.
  var isWhole: Bool { difference.isOfWholeSchemas }

  /// Adds an effect, unless it was already added for another case of the same union.
  mutating func add(
    _ area: SchemaEffect.Area, _ kind: SchemaEffect.Kind, of name: String, key: String? = nil,
    from: String? = nil, to: String? = nil, _ sentence: String
  ) {
    let effect = SchemaEffect(
      area: area, kind: kind, name: name, key: key, from: from, to: to, sentence: sentence)
    if known.insert(effect).inserted { effects.append(effect) }
  }

  // MARK: Models

  mutating func compareModels() {
    if isWhole {
      let kept = Set(models.map(\.model.name))
      for model in difference.new.models where !kept.contains(model.name) { announce(model, isNew: true) }
    }
    let identities = difference.changes.filter {
      $0.kind == .identityChanged || $0.kind == .parentScopeChanged
    }
    let identified = Set(identities.map(\.model))
    for (model, former, fields) in models {
      if identified.contains(model.name) { compareIdentity(of: model, former) }
      compareWords(
        of: model.name, from: former.words.map(SchemaWord.init), to: model.words.map(SchemaWord.init))
      compare(fields, of: model.name, isRead: isWhole || former.hasKeys && model.hasKeys)
      compareMarks(of: model, former)
      compareEarlierNames(of: model, former)
    }
    compareOtherEnds()
    guard isWhole else { return }
    let kept = Set(models.map(\.former.name))
    for model in difference.old.models where !kept.contains(model.name) { announce(model, isNew: false) }
  }

  private mutating func announce(_ model: SchemaModel, isNew: Bool) {
    let name = model.name
    let (kind, negation): (SchemaEffect.Kind, String) =
      isNew ? (.added, "") : (.removed, "no longer ")
    add(.reading, kind, of: name, "rows of \(name) are \(negation)read")
    add(.bodies, kind, of: name, "rows of \(name) are \(negation)written")
  }

  private mutating func compareIdentity(of model: SchemaModel, _ former: SchemaModel) {
    func text(_ model: SchemaModel) -> String {
      if model.isSingleton { return "nothing, because there is at most one row" }
      return model.identityText + (model.parentScope.map { " within \($0)" } ?? "")
    }
    let (from, to) = (text(former), text(model))
    add(
      .reading, .identityChanged, of: model.name, from: from, to: to,
      "rows of \(model.name) are identified by \(to); before: by \(from)")
  }

  private mutating func compareMarks(of model: SchemaModel, _ former: SchemaModel) {
    guard isWhole || former.hasKeys && model.hasKeys else { return }
    let (before, today) = (Set(former.deletionMarks), Set(model.deletionMarks))
    for mark in model.deletionMarks where !before.contains(mark) {
      add(
        .reading, .deletes, of: model.name, key: mark, "\(model.name) deletes rows by “\(mark)”")
    }
    for mark in former.deletionMarks where !today.contains(mark) {
      add(
        .reading, .keeps, of: model.name, key: mark,
        "\(model.name) no longer deletes rows by “\(mark)”")
    }
  }

  /// Compares the earlier names that do not explain a difference between these two schemas. They affect only older stores.
  private mutating func compareEarlierNames(of model: SchemaModel, _ former: SchemaModel) {
    guard isWhole else { return }
    compareEarlierNames(
      of: (model.name, model.renamedFrom), nil, (former.name, former.renamedFrom), keeping: "rows")
    let names = difference.match.properties[model.name] ?? [:]
    for property in model.properties {
      guard let before = names[property.name].flatMap(former.property) else { continue }
      compareEarlierNames(
        of: (property.name, property.renamedFrom), model.name, (before.name, before.renamedFrom),
        keeping: "values")
    }
  }

  /// - Parameter owner: the model of a property, or the struct of a member.
  mutating func compareEarlierNames(
    of new: (name: String, earlier: [String]), _ owner: String?, _ old: (name: String, earlier: [String]),
    keeping what: String
  ) {
    let subject = owner.map { "\($0).\(new.name)" } ?? new.name
    func add(_ name: String, _ sentence: String) {
      self.add(
        .store, .wordsChanged, of: owner ?? new.name, key: owner.map { _ in new.name }, to: name, sentence)
    }
    for name in new.earlier where !old.earlier.contains(name) && name != old.name {
      add(name, "\(subject) takes the \(what) of “\(name)” from older stores")
    }
    for name in old.earlier where !new.earlier.contains(name) && name != new.name {
      add(name, "\(subject) no longer takes the \(what) of “\(name)” from older stores")
    }
  }

  // MARK: Words

  /// Compares attributes, arguments and settings.
  ///
  /// - Parameter property: a property of a model, or a member of a struct; nil for the declaration itself.
  mutating func compareWords(
    of name: String, _ property: String? = nil, from old: [SchemaWord], to new: [SchemaWord]
  ) {
    guard isWhole else { return }
    let subject = property.map { "\(name).\($0)" } ?? name
    for (head, before, today) in SchemaWord.changes(from: old, to: new) {
      for meaning in SchemaWord.meanings(of: head) {
        add(
          meaning.area, .wordsChanged, of: name, key: property, from: before, to: today,
          "\(subject): \(meaning.clause(today)); before: \(meaning.clause(before))")
      }
    }
  }
}

extension SchemaModel {
  /// Whether it comes from schema files rather than from a store.
  fileprivate var hasKeys: Bool { properties.contains { !$0.keys.isEmpty } }
}
