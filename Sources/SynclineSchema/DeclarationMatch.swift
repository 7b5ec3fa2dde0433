/// Matches the declarations without tables of two schemas.
struct DeclarationMatch {
  typealias Declaration = SyncSchemaSnapshot.Declaration

  /// The declarations of the new schema, each with the declaration of the old schema that it replaces.
  private(set) var pairs: [(old: Declaration, new: Declaration)] = []
  /// The declarations that exist in only one of the schemas.
  let added, removed: [Declaration]
  /// The current names of models and declarations, by their former names.
  private(set) var names: [String: String]

  /// Matches declarations by name. A missing declaration counts as renamed if a property that had its type now has a new type of
  /// the same kind.
  ///
  /// - Parameter fields: the properties of all models.
  init(_ difference: SchemaDifference, fields: [FieldPairs]) {
    let (before, today) = (difference.old.declarations ?? [], difference.new.declarations ?? [])
    let (old, new) = (before.first(by: \.name), today.first(by: \.name))
    var names = difference.match.modelsToday
    var pairs: [(old: Declaration, new: Declaration)] = today.compactMap { declaration in
      guard let former = old[declaration.name], former.kind == declaration.kind else { return nil }
      return (former, declaration)
    }
    var renamed: Set<String> = []
    func note(_ former: String?, becomes name: String?) {
      guard let former, let name, former != name, let before = old[former], let today = new[name],
        new[former] == nil, old[name] == nil, before.kind == today.kind, names[former] == nil,
        renamed.insert(name).inserted
      else { return }
      names[former] = name
      pairs.append((before, today))
    }
    for case (let former?, let field) in fields.flatMap(\.pairs) {
      note(former.type.typeName, becomes: field.type.typeName)
    }
    var next = 0
    while next < pairs.count {
      let (before, today) = pairs[next]
      next += 1
      guard today.kind == .structure || today.kind == .union else { continue }
      let members = before.members.first(by: \.name)
      for member in today.members {
        note(members[member.name]?.type.typeName, becomes: member.type.typeName)
      }
    }
    let kept = Set(pairs.map(\.old.name))
    let continued = Set(pairs.map(\.new.name))
    added = today.filter { !continued.contains($0.name) }
    removed = before.filter { !kept.contains($0.name) }
    self.pairs = pairs
    self.names = names
  }
}
