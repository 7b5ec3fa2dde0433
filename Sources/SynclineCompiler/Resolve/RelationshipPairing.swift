/// Finds the two ends of each relationship, and where it is stored.
struct RelationshipPairing {
  private var models: [Model]
  private let imported: [Model]
  private(set) var diagnostics: [Diagnostic] = []
  /// The other end of each property that is paired by name; nil for one that is named as without inverse.
  private var named: [End: End?] = [:]
  private var pairs: [End: End] = [:]

  /// A property by the positions of its model and itself.
  private struct End: Hashable {
    let model: Int
    let property: Int
  }

  init(_ models: [Model], _ imported: [Model]) {
    self.models = models
    self.imported = imported
  }

  mutating func run() -> [Model] {
    pairNamed()
    for first in models.indices {
      for second in models.indices[first...] { pairUnnamed(first, second) }
    }
    for model in models.indices {
      for property in models[model].properties.indices { store(End(model: model, property: property)) }
    }
    checkLinkTables()
    return models
  }

  private subscript(end: End) -> Property { models[end.model].properties[end.property] }

  private func name(_ end: End) -> String { "\(models[end.model].name).\(self[end].name)" }

  // MARK: Named

  private mutating func pairNamed() {
    for end in ends {
      guard let attribute = self[end].attribute(.relationship) else { continue }
      if attribute.isNil("inverse") {
        named[end] = .some(nil)
        continue
      }
      guard let path = attribute.keyPath("inverse"), let other = other(of: end, path) else { continue }
      named[end] = other
    }
    for end in ends {
      guard case .some(let named?) = named[end] else { continue }
      if let back = self.named[named], back != end {
        error(
          .inverseMismatch,
          "“\(name(end))” names “\(name(named))” as its inverse, which names \(back.map { "“\(name($0))”" } ?? "none")",
          self[end].attribute(.relationship)?.range(of: "inverse") ?? self[end].range)
        continue
      }
      if let taken = pairs[named], taken != end {
        error(
          .inverseMismatch, "“\(name(named))” is the inverse of “\(name(taken))” already",
          self[end].attribute(.relationship)?.range(of: "inverse") ?? self[end].range)
        continue
      }
      pairs[end] = named
      pairs[named] = end
    }
  }

  private mutating func other(of end: End, _ path: (root: NameSyntax?, property: NameSyntax)) -> End? {
    guard let target = self[end].target else { return nil }
    if let root = path.root, root.text != target {
      error(
        .inverseMismatch, "the inverse of “\(name(end))” is a property of “\(target)”, not of “\(root.text)”", root.range)
      return nil
    }
    guard let model = models.firstIndex(where: { $0.name == target }) else {
      error(.inverseMismatch, "“\(target)” belongs to another target and cannot point back", path.property.range)
      return nil
    }
    guard let property = models[model].properties.firstIndex(where: { $0.name == path.property.text }) else {
      error(
        .unknownKeyPath,
        "“\(target)” has no property “\(path.property.text)”"
          + Suggestion.didYouMean(path.property.text, in: models[model].properties.map(\.name)),
        path.property.range)
      return nil
    }
    let other = End(model: model, property: property)
    guard self[other].target == models[end.model].name else {
      error(
        .inverseMismatch,
        "“\(name(other))” is \(self[other].typeText); the inverse of “\(name(end))” leads to “\(models[end.model].name)”",
        path.property.range)
      return nil
    }
    guard other != end else {
      error(.inverseMismatch, "“\(name(end))” cannot be its own inverse", path.property.range)
      return nil
    }
    return other
  }

  // MARK: Unnamed

  private var ends: [End] {
    models.indices.flatMap { model in
      models[model].properties.indices.map { End(model: model, property: $0) }.filter { self[$0].isRelationship }
    }
  }

  /// The relationships from one model to another that nothing is named for.
  private func open(_ from: Int, _ to: Int, toMany: Bool) -> [End] {
    models[from].properties.indices.map { End(model: from, property: $0) }.filter { end in
      self[end].isRelationship && self[end].isToMany == toMany && self[end].target == models[to].name
        && pairs[end] == nil && named[end] == nil
    }
  }

  private mutating func pairUnnamed(_ first: Int, _ second: Int) {
    if first == second {
      pairWithin(first)
      return
    }
    let lists = (open(first, second, toMany: true), open(second, first, toMany: true))
    let singles = (open(first, second, toMany: false), open(second, first, toMany: false))
    if lists.0.isEmpty, lists.1.isEmpty {
      if singles.0.count == 1, singles.1.count == 1 {
        pair(singles.0[0], singles.1[0])
      } else if !singles.0.isEmpty, !singles.1.isEmpty {
        reportAmbiguous(singles.0, singles.1)
      }
      return
    }
    if singles.0.isEmpty, singles.1.isEmpty {
      if !lists.0.isEmpty, !lists.1.isEmpty { reportManyToMany(lists.0, lists.1) }
      return
    }
    pairList(lists.0, singles.1, rivals: singles.0)
    pairList(lists.1, singles.0, rivals: singles.1)
  }

  private mutating func pairWithin(_ model: Int) {
    let lists = open(model, model, toMany: true)
    let singles = open(model, model, toMany: false)
    if lists.count == 1, singles.count == 1 {
      pair(lists[0], singles[0])
    } else if lists.count > 1, singles.isEmpty {
      reportManyToMany([lists[0]], Array(lists.dropFirst()))
    } else if !lists.isEmpty, !singles.isEmpty {
      reportAmbiguous(lists, singles)
    }
  }

  /// Pairs one list of a model with the one to-one that leads back to it.
  private mutating func pairList(_ lists: [End], _ singles: [End], rivals: [End]) {
    guard !lists.isEmpty, !singles.isEmpty else { return }
    if lists.count == 1, singles.count == 1, rivals.isEmpty {
      pair(lists[0], singles[0])
    } else {
      reportAmbiguous(lists + rivals, singles)
    }
  }

  private mutating func pair(_ first: End, _ second: End) {
    pairs[first] = second
    pairs[second] = first
  }

  private mutating func reportManyToMany(_ first: [End], _ second: [End]) {
    guard let owner = first.first, let other = second.first else { return }
    let anchor = "@Relationship(inverse: \\\(name(other)))"
    let start = self[owner].range
    diagnostics.append(
      Diagnostic(
        code: .manyToManyWithoutAnchor, severity: .error,
        message: "“\(name(owner))” and “\(name(other))” are many-to-many: name the inverse on one of them",
        range: start,
        notes: [.init(message: "“\(name(other))” is here", range: self[other].range)],
        fixIts: [
          .init(
            message: "write “\(anchor)” before “\(self[owner].name)”",
            range: SourceRange(file: start.file, offsets: start.offsets.lowerBound..<start.offsets.lowerBound),
            replacement: anchor + " ")
        ]))
  }

  private mutating func reportAmbiguous(_ first: [End], _ second: [End]) {
    guard let owner = first.first, let other = second.first else { return }
    let firstNames = first.map { "“\(name($0))”" }.joined(separator: ", ")
    let secondNames = second.map { "“\(name($0))”" }.joined(separator: ", ")
    let notes = (first.dropFirst() + second).map { Diagnostic.Note(message: "“\(name($0))” is here", range: self[$0].range) }
    let anchor = "@Relationship(inverse: \\\(name(other)))"
    diagnostics.append(
      Diagnostic(
        code: .ambiguousInverse, severity: .error,
        message:
          "which of \(firstNames) belongs to which of \(secondNames)? Name the inverse, as “\(anchor)”, or “inverse: nil” where nothing points back",
        range: self[owner].range, notes: Array(notes)))
  }

  // MARK: Storage

  private mutating func store(_ end: End) {
    let property = self[end]
    guard property.isRelationship, let target = property.target else { return }
    let other = pairs[end]
    let deleteRule = property.attribute(.relationship)?.member("deleteRule").flatMap(Relationship.DeleteRule.init)
    let hasExplicitInverse = property.attribute(.relationship)?.keyPath("inverse") != nil
    let storage: Relationship.Storage
    switch (property.isToMany, other.map { self[$0].isToMany }) {
    case (false, nil), (false, true?): storage = .column(isUnique: false)
    case (false, false?):
      storage = other.map { isStored(end, rather: $0) ? .column(isUnique: true) : .inverse(self[$0].name) } ?? .column(isUnique: false)
    case (true, nil): storage = .link(table: "\(models[end.model].name)_\(property.name)", isSource: true)
    case (true, false?): storage = .inverse(other.map { self[$0].name } ?? "")
    case (true, true?):
      let isSource = other.map { name(end) < name($0) } ?? true
      let source = isSource ? end : other ?? end
      storage = .link(table: "\(models[source.model].name)_\(self[source].name)", isSource: isSource)
    }
    _ = target
    models[end.model].properties[end.property].relationship = Relationship(
      storage: storage, inverse: other.map { self[$0].name }, hasExplicitInverse: hasExplicitInverse,
      deleteRule: deleteRule)
  }

  /// A one-to-one is stored at the end that is required, else at the one whose name comes first.
  private func isStored(_ end: End, rather other: End) -> Bool {
    if self[end].isOptional != self[other].isOptional { return !self[end].isOptional }
    return name(end) < name(other)
  }

  private mutating func checkLinkTables() {
    var owners: [String: String] = Dictionary(
      (models + imported).map { ($0.name.lowercased(), "the model “\($0.name)”") }, uniquingKeysWith: { first, _ in first })
    for end in ends {
      guard case .link(let table, true)? = self[end].relationship?.storage else { continue }
      if let owner = owners[table.lowercased()] {
        error(
          .unusableName, "the links of “\(name(end))” would be stored in the table “\(table)”, as \(owner) is",
          self[end].range)
      }
      owners[table.lowercased()] = "“\(name(end))”"
    }
  }

  private mutating func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: code, severity: .error, message: message, range: range))
  }
}
