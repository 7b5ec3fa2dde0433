/// Finds the two ends of each relationship, and where it is stored.
struct RelationshipPairing {
  private var models: [Model]
  private let imported: [Model]
  private(set) var diagnostics: [Diagnostic] = []
  /// The other end of each property that is paired by name; nil for one that is named as without inverse.
  private var named: [End: End?] = [:]
  /// Properties whose inverse is named wrongly or not known, which was reported.
  private var broken: Set<End> = []
  private var pairs: [End: End] = [:]
  private let positions: [String: Int]

  /// A property by the positions of its model and itself.
  private struct End: Hashable {
    let model: Int
    let property: Int
  }

  init(_ models: [Model], _ imported: [Model]) {
    self.models = models
    self.imported = imported
    positions = Dictionary(
      models.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func run() -> [Model] {
    let ends = ends
    pairNamed(ends)
    pairUnnamed(ends)
    for end in ends { store(end) }
    checkLinkTables(ends)
    return models
  }

  private subscript(end: End) -> Property { models[end.model].properties[end.property] }

  private func name(_ end: End) -> String { "\(models[end.model].name).\(self[end].name)" }

  // MARK: Named

  private mutating func pairNamed(_ ends: [End]) {
    for end in ends {
      guard let attribute = self[end].attribute(.relationship) else { continue }
      guard attribute.isRight else {
        broken.insert(end)
        continue
      }
      if attribute.isNil("inverse") {
        named[end] = .some(nil)
        continue
      }
      guard let path = attribute.keyPath("inverse") else { continue }
      guard let other = other(of: end, path) else {
        broken.insert(end)
        continue
      }
      named[end] = other
    }
    for end in ends {
      guard case .some(let named?) = named[end] else { continue }
      if broken.contains(named) { continue }
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
        .inverseMismatch, "the inverse of “\(name(end))” is a property of “\(target)”, not of “\(root.text)”",
        root.range)
      return nil
    }
    guard let model = positions[target] else {
      error(
        .inverseMismatch, "“\(target)” belongs to another target and cannot point back", path.property.range)
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
      models[model].properties.indices.map { End(model: model, property: $0) }.filter {
        self[$0].isRelationship
      }
    }
  }

  /// What leads from one model to another, and nothing is named for.
  private struct Open {
    var lists: [End] = []
    var singles: [End] = []
  }

  private struct Route: Hashable {
    let from: Int
    let to: Int
  }

  private mutating func pairUnnamed(_ ends: [End]) {
    var open: [Route: Open] = [:]
    var order: [Route] = []
    for end in ends where pairs[end] == nil && named[end] == nil && !broken.contains(end) {
      guard let target = self[end].target.flatMap({ positions[$0] }) else { continue }
      let route = Route(from: end.model, to: target)
      if open[route] == nil { order.append(route) }
      if self[end].isToMany {
        open[route, default: Open()].lists.append(end)
      } else {
        open[route, default: Open()].singles.append(end)
      }
    }
    for route in order {
      guard let there = open[route] else { continue }
      if route.from == route.to {
        pairWithin(there)
      } else if let back = open[Route(from: route.to, to: route.from)], route.from < route.to {
        pair(there, back)
      }
    }
  }

  private mutating func pair(_ there: Open, _ back: Open) {
    switch (there.lists.count, there.singles.count, back.lists.count, back.singles.count) {
    case (0, 1, 0, 1): pair(there.singles[0], back.singles[0])
    case (1, 0, 0, 1): pair(there.lists[0], back.singles[0])
    case (0, 1, 1, 0): pair(there.singles[0], back.lists[0])
    case (1, 0, 1, 0): reportManyToMany(there.lists[0], back.lists[0])
    default: reportAmbiguous(there.lists + there.singles, back.lists + back.singles)
    }
  }

  /// Pairs what leads from a model to itself. A to-one alone, or a list alone, has no other end.
  private mutating func pairWithin(_ open: Open) {
    switch (open.lists.count, open.singles.count) {
    case (0, _), (1, 0): return
    case (1, 1): pair(open.lists[0], open.singles[0])
    case (2, 0): reportManyToMany(open.lists[0], open.lists[1])
    default: reportAmbiguous([open.lists[0]], open.lists.dropFirst() + open.singles)
    }
  }

  private mutating func pair(_ first: End, _ second: End) {
    pairs[first] = second
    pairs[second] = first
  }

  private mutating func reportManyToMany(_ owner: End, _ other: End) {
    broken.formUnion([owner, other])
    diagnostics.append(
      Diagnostic(
        code: .manyToManyWithoutAnchor, severity: .error,
        message: "“\(name(owner))” and “\(name(other))” are many-to-many: name the inverse on one of them",
        range: self[owner].range,
        notes: [.init(message: "“\(name(other))” is here", range: self[other].range)],
        fixIts: [anchor(owner, other)]))
  }

  private mutating func reportAmbiguous(_ first: [End], _ second: [End]) {
    guard let owner = first.first else { return }
    broken.formUnion(first + second)
    let firstNames = first.map { "“\(name($0))”" }.joined(separator: ", ")
    let secondNames = second.map { "“\(name($0))”" }.joined(separator: ", ")
    diagnostics.append(
      Diagnostic(
        code: .ambiguousInverse, severity: .error,
        message:
          "which of \(firstNames) belongs to which of \(secondNames)? Name the inverse, or “inverse: nil” where nothing points back",
        range: self[owner].range,
        notes: (first.dropFirst() + second).map {
          .init(message: "“\(name($0))” is here", range: self[$0].range)
        },
        fixIts: second.map { anchor(owner, $0) }))
  }

  /// Names the inverse: in the attribute that the property has, else in a new one.
  private func anchor(_ owner: End, _ other: End) -> Diagnostic.FixIt {
    let property = self[owner]
    let argument = "inverse: \\\(name(other))"
    let offset: Int
    let replacement: String
    if let attribute = property.attribute(.relationship) {
      if let first = attribute.arguments.first {
        offset = first.label?.range.offsets.lowerBound ?? first.value.range.offsets.lowerBound
        replacement = argument + ", "
      } else {
        // `@Relationship` or `@Relationship()`
        return .init(
          message: "write “@Relationship(\(argument))”", range: attribute.range,
          replacement: "@Relationship(\(argument))")
      }
    } else {
      offset = property.declaration
      replacement = "@Relationship(\(argument)) "
    }
    return .init(
      message:
        "write “\(replacement.dropLast(replacement.hasSuffix(", ") ? 2 : 1))” before “\(attributeText(property))”",
      range: SourceRange(file: property.range.file, offsets: offset..<offset), replacement: replacement)
  }

  /// What the anchor is written before.
  private func attributeText(_ property: Property) -> String {
    property.attribute(.relationship)?.arguments.first?.label?.text ?? property.name
  }

  // MARK: Storage

  private mutating func store(_ end: End) {
    let property = self[end]
    let other = pairs[end]
    let attribute = property.attribute(.relationship)
    let hasExplicitInverse = attribute?.keyPath("inverse") != nil
    // Of an end whose place is not known no rule can be judged.
    let rules = broken.contains(end) ? nil : attribute
    let storage: Relationship.Storage
    switch (property.isToMany, other.map { self[$0].isToMany }) {
    case (false, nil), (false, true?): storage = .column(isUnique: false)
    case (false, false?):
      storage =
        other.map { isStored(end, rather: $0) ? .column(isUnique: true) : .inverse(self[$0].name) }
        ?? .column(isUnique: false)
    case (true, nil): storage = .link(table: "\(models[end.model].name)_\(property.name)", isSource: true)
    case (true, false?): storage = .inverse(other.map { self[$0].name } ?? "")
    case (true, true?):
      let isSource = other.map { name(end) < name($0) } ?? true
      let source = isSource ? end : other ?? end
      storage = .link(table: "\(models[source.model].name)_\(self[source].name)", isSource: isSource)
    }
    models[end.model].properties[end.property].relationship = Relationship(
      storage: storage, inverse: other.map { self[$0].name }, hasExplicitInverse: hasExplicitInverse,
      deleteRule: rules?.member("deleteRule").flatMap(Relationship.DeleteRule.init),
      missing: rules?.member("missing").flatMap(Relationship.MissingRule.init))
  }

  /// A one-to-one is stored at the end that is required, else at the one whose name comes first.
  private func isStored(_ end: End, rather other: End) -> Bool {
    if self[end].isOptional != self[other].isOptional { return !self[end].isOptional }
    return name(end) < name(other)
  }

  private mutating func checkLinkTables(_ ends: [End]) {
    var owners: [String: String] = Dictionary(
      (models + imported).map { ($0.name.lowercased(), "the model “\($0.name)”") },
      uniquingKeysWith: { first, _ in first })
    for end in ends {
      guard case .link(let table, true)? = self[end].relationship?.storage else { continue }
      if let owner = owners[table.lowercased()] {
        error(
          .unusableName,
          "the links of “\(name(end))” would be stored in the table “\(table)”, as \(owner) is",
          self[end].range)
      }
      owners[table.lowercased()] = "“\(name(end))”"
    }
  }

  private mutating func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: code, severity: .error, message: message, range: range))
  }
}
