/// Finds the two ends of each relationship, and where the relationship is stored.
struct RelationshipPairing {
  private(set) var models: [Model]
  var log: ResolutionLog
  /// The intermediate results for each property of each model.
  private var facts: [[Facts]]
  private let positions: [String: Int]
  /// The models whose rows are arrays in JSON.
  private let listModels: Set<String>

  /// A property, identified by the indices of its model and itself.
  struct End: Equatable {
    let model: Int
    let property: Int
  }

  private struct Facts {
    enum Inverse {
      case end(End)
      /// `inverse: nil`
      case nothing
    }

    /// The inverse that its attribute states; nil if it states none.
    var named: Inverse?
    /// Whether its inverse is invalid or unknown. This was already reported.
    var isBroken = false
    /// The other end of the relationship.
    var pair: End?
  }

  init(_ models: [Model], imported: [Model], log: ResolutionLog) {
    self.models = models
    self.log = log
    listModels = Set((models + imported).filter(\.isOfLists).map(\.name))
    positions = Dictionary(
      models.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    facts = models.map { Array(repeating: Facts(), count: $0.properties.count) }
  }

  mutating func run() -> [Model] {
    let ends = ends
    pairNamed(ends)
    pairUnnamed(ends)
    // The models may be in the cache of other analyses, so copies are modified.
    for model in Set(ends.map(\.model)) { models[model] = models[model].copy() }
    for end in ends { store(end) }
    return models
  }

  private subscript(factsOf end: End) -> Facts {
    get { facts[end.model][end.property] }
    set { facts[end.model][end.property] = newValue }
  }

  mutating func markBroken(_ ends: [End]) {
    for end in ends { self[factsOf: end].isBroken = true }
  }

  subscript(end: End) -> Property { models[end.model].properties[end.property] }

  func name(_ end: End) -> String { "\(models[end.model].name).\(self[end].name)" }

  // MARK: Named

  private mutating func pairNamed(_ ends: [End]) {
    for end in ends {
      referToLookup(of: end)
      guard !isUnknown(end) else {
        self[factsOf: end].isBroken = true
        continue
      }
      guard let inverse = self[end].relationshipClause?.inverse else { continue }
      switch inverse.value {
      case .nothing: self[factsOf: end].named = .nothing
      case .property(let root, let name):
        if let other = other(of: end, root, name) {
          self[factsOf: end].named = .end(other)
        } else {
          self[factsOf: end].isBroken = true
        }
      }
    }
    for end in ends {
      guard case .end(let named)? = self[factsOf: end].named, !self[factsOf: named].isBroken else { continue }
      pair(end, named: named)
    }
  }

  /// Records the names in the `by:` of a relationship. `LookupRule` checks them.
  private mutating func referToLookup(of end: End) {
    guard self[end].unionPart == nil, let lookup = self[end].relationshipClause?.lookup?.value,
      let target = self[end].target, lookup.root?.value ?? target == target
    else { return }
    if let root = lookup.root { log.symbols.refer(to: .model(target), at: root.range) }
    log.symbols.refer(to: .property(model: target, lookup.name.value), at: lookup.name.range)
  }

  private mutating func pair(_ end: End, named: End) {
    let place = self[end].relationshipClause?.inverse?.range ?? self[end].range
    let facts = self[factsOf: named]
    let back: End? = if case .end(let back)? = facts.named { back } else { nil }
    if facts.named != nil, back != end {
      log.bag.error(
        .inverseMismatch,
        "“\(name(end))” names “\(name(named))” as its inverse, which names \(back.map { "“\(name($0))”" } ?? "none")",
        at: place)
    } else if let taken = facts.pair, taken != end {
      log.bag.error(
        .inverseMismatch, "“\(name(named))” is the inverse of “\(name(taken))” already", at: place)
    } else if self[end].unionPart != nil, self[named].unionPart != nil, !self[end].isToMany,
      !self[named].isToMany
    {
      log.bag.error(
        .inverseMismatch,
        "“\(name(end))” and “\(name(named))” are both to-one unions, which cannot be inverses of each other",
        at: place)
    } else {
      pair(end, named)
    }
  }

  /// Whether the other end cannot be determined, because a part that decides it could not be read.
  private func isUnknown(_ end: End) -> Bool {
    if models[end.model].isIncomplete || self[end].isIncomplete { return true }
    return self[end].target.flatMap { positions[$0] }.map { models[$0].isIncomplete } ?? false
  }

  private mutating func other(of end: End, _ root: Located<String>?, _ path: Located<String>) -> End? {
    guard let target = self[end].target else { return nil }
    if let root {
      guard root.value == target else {
        log.bag.error(
          .inverseMismatch,
          "the inverse of “\(name(end))” is a property of “\(target)”, not of “\(root.value)”", at: root.range
        )
        return nil
      }
      log.symbols.refer(to: .model(target), at: root.range)
    }
    guard let model = positions[target] else {
      log.bag.error(
        .inverseMismatch, "“\(target)” belongs to another target and cannot declare the inverse",
        at: path.range)
      return nil
    }
    guard
      let property = models[model].properties.firstIndex(where: { property in
        if property.name == path.value, property.unionPart?.property != path.value { return true }
        return property.unionPart?.property == path.value && property.target == models[end.model].name
      })
    else {
      log.bag.reportUnknownProperty(path, of: models[model])
      return nil
    }
    log.symbols.refer(to: .property(model: target, path.value), at: path.range)
    return check(End(model: model, property: property), isInverseOf: end, at: path.range)
  }

  private mutating func check(_ other: End, isInverseOf end: End, at range: SourceRange) -> End? {
    // The unreadable part was already reported.
    if self[other].isIncomplete || self[other].isInvalid { return nil }
    guard self[other].target == models[end.model].name else {
      log.bag.error(
        .inverseMismatch,
        "“\(name(other))” is \(self[other].typeText); the inverse of “\(name(end))” must refer to “\(models[end.model].name)”",
        at: range)
      return nil
    }
    guard other != end else {
      log.bag.error(.inverseMismatch, "“\(name(end))” cannot be its own inverse", at: range)
      return nil
    }
    return other
  }

  // MARK: Unnamed

  private var ends: [End] {
    var ends: [End] = []
    for (model, declaration) in models.enumerated() {
      for (position, property) in declaration.properties.enumerated() where property.isRelationship {
        ends.append(End(model: model, property: position))
      }
    }
    return ends
  }

  /// The unpaired relationships from one model to another.
  private struct Open {
    var lists: [End] = []
    var singles: [End] = []
  }

  private struct Route: Hashable {
    let from: Int
    let to: Int
  }

  private func route(of end: End) -> Route? {
    self[end].target.flatMap { positions[$0] }.map { Route(from: end.model, to: $0) }
  }

  private mutating func pairUnnamed(_ ends: [End]) {
    var open: [Route: Open] = [:]
    var order: [Route] = []
    let isUnclear = models.map { $0.properties.contains(where: \.isInvalid) }
    // If one end between two models is unknown, it may be the inverse of any other end between them.
    let broken = ends.filter { self[factsOf: $0].isBroken }
    let closed = Set(broken.compactMap(route(of:)).flatMap { [$0, Route(from: $0.to, to: $0.from)] })
    for end in ends {
      let facts = self[factsOf: end]
      guard facts.pair == nil, facts.named == nil, !facts.isBroken else { continue }
      // Syncs must not change a local to-one, so it is not the inverse of a relationship that payloads contain.
      guard !self[end].isLocal, let route = route(of: end) else { continue }
      guard !closed.contains(route), !isUnclear[route.to] else {
        self[factsOf: end].isBroken = true
        continue
      }
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
    // Unions on both sides have separate columns, so they are not paired.
    case (0, 1, 0, 1) where [there, back].allSatisfy({ self[$0.singles[0]].unionPart != nil }): return
    case (0, 1, 0, 1): pair(there.singles[0], back.singles[0])
    case (1, 0, 0, 1): pair(there.lists[0], back.singles[0])
    case (0, 1, 1, 0): pair(there.singles[0], back.lists[0])
    case (1, 0, 1, 0): reportManyToMany(there.lists[0], back.lists[0])
    default: reportAmbiguous(there.lists + there.singles, back.lists + back.singles)
    }
  }

  /// Pairs the relationships of a model to itself. A single to-one or a single list has no other end.
  private mutating func pairWithin(_ open: Open) {
    switch (open.lists.count, open.singles.count) {
    case (0, _), (1, 0): return
    case (1, 1): reportListAndSingle(open.lists[0], open.singles[0])
    case (2, 0): reportManyToMany(open.lists[0], open.lists[1])
    default: reportAmbiguous([open.lists[0]], open.lists.dropFirst() + open.singles)
    }
  }

  private mutating func pair(_ first: End, _ second: End) {
    self[factsOf: first].pair = second
    self[factsOf: second].pair = first
  }

  // MARK: Storage

  private mutating func store(_ end: End) {
    let property = self[end]
    let other = self[factsOf: end].pair
    let clause = property.relationshipClause
    let hasExplicitInverse = if case .property? = clause?.inverse?.value { true } else { false }
    let storage: Relationship.Storage
    // A join table is named after its source. Model names contain no dot, so the names cannot collide.
    switch (property.isToMany, other.map { self[$0].isToMany }) {
    case (false, nil), (false, true?): storage = .column(isUnique: false)
    case (false, false?):
      storage =
        other.map { isStored(end, rather: $0) ? .column(isUnique: true) : .inverse(self[$0].name) }
        ?? .column(isUnique: false)
    case (true, nil): storage = .link(table: name(end), isSource: true)
    case (true, false?): storage = .inverse(other.map { self[$0].name } ?? "")
    case (true, true?):
      let isSource = other.map { isLinkSource(end, rather: $0) } ?? true
      let source = isSource ? end : other ?? end
      storage = .link(table: name(source), isSource: isSource)
    }
    let related = property.copy()
    related.relationship = Relationship(
      storage: storage, inverse: other.map { self[$0].name }, hasExplicitInverse: hasExplicitInverse,
      deleteRule: clause?.deleteRule?.value, missing: clause?.missing?.value ?? impliedRule(beyond: other),
      isOfLists: property.target.map { listModels.contains($0) } ?? false,
      isIncomplete: self[factsOf: end].isBroken)
    models[end.model].properties[end.property] = related
  }

  /// The rule for rows that a complete list no longer contains, if their to-one is part of their identity. Such rows cannot exist
  /// without a parent.
  private func impliedRule(beyond other: End?) -> Relationship.MissingRule? {
    guard let other, identifies(other) else { return nil }
    return models[other.model].softDelete == nil ? .delete : .softDelete
  }

  /// Whether a relationship is part of the identity of its model.
  private func identifies(_ end: End) -> Bool {
    models[end.model].identityParts.contains { $0.position == end.property }
  }

  /// Whether a join table belongs to this end: the only one whose links can be pushed, or else the one whose name sorts first. The
  /// links are edits of the rows of its model.
  private func isLinkSource(_ end: End, rather other: End) -> Bool {
    func isPushed(_ end: End) -> Bool { models[end.model].isOffline && self[end].export != .never }
    return isPushed(end) == isPushed(other) ? name(end) < name(other) : isPushed(end)
  }

  /// Whether a one-to-one is stored at this end: the end that is part of an identity; otherwise the required one; otherwise the
  /// one whose name sorts first.
  private func isStored(_ end: End, rather other: End) -> Bool {
    // The property of a union reads and writes the columns of its cases.
    if (self[end].unionPart == nil) != (self[other].unionPart == nil) { return self[end].unionPart != nil }
    if identifies(end) != identifies(other) { return identifies(end) }
    if self[end].isOptional != self[other].isOptional { return !self[end].isOptional }
    return name(end) < name(other)
  }
}
