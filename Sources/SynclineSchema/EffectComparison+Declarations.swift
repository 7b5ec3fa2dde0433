extension EffectComparison {
  private typealias Declaration = SyncSchemaSnapshot.Declaration

  /// Compares settings, enums, structs and unions.
  mutating func compareDeclarations() {
    guard isWhole else { return }
    for declaration in declarations.added {
      let (name, kind) = (declaration.name, declaration.kind.rawValue)
      add(.code, .added, of: name, "the \(kind) \(name) is new")
    }
    for (old, new) in declarations.pairs {
      if old.name != new.name {
        add(
          .code, .renamed, of: new.name, from: old.name, to: new.name,
          "the \(new.kind.rawValue) \(old.name) is renamed to \(new.name)")
      }
      compareWords(of: new.subject, from: old.words.map(SchemaWord.init), to: new.words.map(SchemaWord.init))
      switch new.kind {
      case .settings: break
      case .enumeration: compareCases(ofEnum: new, old)
      case .structure: compareMembers(of: new, old)
      case .union: compareCases(ofUnion: new, old)
      }
    }
    for declaration in declarations.removed {
      let (name, kind) = (declaration.name, declaration.kind.rawValue)
      add(.code, .removed, of: name, "the \(kind) \(name) was removed")
    }
  }

  // MARK: Structs

  private mutating func compareMembers(of new: Declaration, _ old: Declaration) {
    let fields = FieldPairs(from: old, to: new)
    compare(fields, of: new.name, isRead: true)
    var isSame = fields.dropped.isEmpty
    for case (let former?, let field) in fields.pairs {
      compareEarlierNames(
        of: (field.name, field.renamedFrom), new.name, (former.name, former.renamedFrom), keeping: "values")
      let isAlike = former.plainType(declarations.names) == field.plainType()
      isSame = isSame && isAlike && former.name == field.name
    }
    guard !isSame || fields.pairs.contains(where: { $0.old == nil }) else { return }
    // A comparison of models includes the members of their structs, but not those of their unions.
    for (_, union) in declarations.pairs where union.isUnionOfValues && union.has(new.name) {
      add(
        .store, .typeChanged, of: union.name, key: new.name,
        "stored values of \(union.name) that do not fit \(new.name) become “.unrecognized”")
    }
  }

  // MARK: Enums

  private mutating func compareCases(ofEnum new: Declaration, _ old: Declaration) {
    let (before, today) = (old.members.first(by: \.name), new.members.first(by: \.name))
    let (formerly, holders) = (old.members.first(by: \.type), new.members.first(by: \.type))
    let name = new.name
    for entry in new.members {
      let (label, value) = ("\(name).\(entry.name)", entry.type)
      if let former = before[entry.name], former.type != value {
        let (from, key) = (former.type, entry.name)
        add(
          .reading, .valueChanged, of: name, key: key, from: from, to: value,
          "\(label) is read from \(value); before: from \(from)")
        add(
          .bodies, .valueChanged, of: name, key: key, from: from, to: value,
          "\(label) is written as \(value); before: as \(from)")
      } else if let former = formerly[value]?.name {
        guard former != entry.name else { continue }
        add(
          .code, .renamed, of: name, key: entry.name, from: former, to: entry.name,
          "the case \(name).\(former) is renamed to \(label)")
      } else {
        add(
          .reading, .added, of: name, key: entry.name, to: value, "\(value) is read as \(label)")
        add(
          .bodies, .added, of: name, key: entry.name, to: value, "\(label) is written as \(value)")
      }
    }
    for entry in old.members {
      let value = entry.type
      if let holder = holders[value]?.name {
        guard holder != entry.name, today[entry.name] != nil else { continue }
        add(
          .store, .valueChanged, of: name, key: holder, from: entry.name, to: holder,
          "stored values \(value) of \(name) are \(name).\(holder); before: \(name).\(entry.name)")
        continue
      }
      if today[entry.name] == nil {
        add(
          .reading, .removed, of: name, key: entry.name, from: value,
          "\(value) no longer has a case of \(name), and is read as “.unrecognized”")
      }
      add(
        .store, .valueChanged, of: name, key: entry.name, from: value,
        "stored values \(value) of \(name) become “.unrecognized”")
    }
  }

  // MARK: Unions

  private mutating func compareCases(ofUnion new: Declaration, _ old: Declaration) {
    let (before, today) = (old.members.first(by: \.name), new.members.first(by: \.name))
    let formerly = old.members.first(by: \.tag)
    let tags = Set(new.members.map(\.tag))
    let name = new.name
    for entry in new.members {
      let former = before[entry.name] ?? formerly[entry.tag].flatMap { today[$0.name] == nil ? $0 : nil }
      guard let former else {
        both(.added, of: name, entry.name, "\(entry.tag) is the type of \(name).\(entry.name)")
        continue
      }
      if former.name != entry.name {
        add(
          .code, .renamed, of: name, key: entry.name, from: former.name, to: entry.name,
          "the case \(name).\(former.name) is renamed to \(name).\(entry.name)")
      }
      if former.tag != entry.tag {
        both(
          .valueChanged, of: name, entry.name,
          "\(entry.tag) is the type of \(name).\(entry.name); before: \(former.tag)")
      }
      let model = declarations.names[former.type] ?? former.type
      if model != entry.type {
        both(
          .typeChanged, of: name, entry.name,
          "\(entry.tag) is the type of \(entry.type); before: of \(former.type)")
      }
    }
    for entry in old.members where today[entry.name] == nil {
      if !tags.contains(entry.tag) {
        both(.removed, of: name, entry.name, "\(entry.tag) is no longer the type of a case of \(name)")
      }
      guard new.isUnionOfValues else { continue }
      // Rows contain the name of the case.
      add(
        .store, .removed, of: name, key: entry.name,
        "stored values of \(name).\(entry.name) become “.unrecognized”")
    }
  }

  /// Adds an effect on reading payloads and on writing request bodies.
  private mutating func both(
    _ kind: SchemaEffect.Kind, of name: String, _ key: String, _ sentence: String
  ) {
    add(.reading, kind, of: name, key: key, sentence)
    add(.bodies, kind, of: name, key: key, sentence)
  }
}

extension SyncSchemaSnapshot.Declaration {
  /// The subject of sentences about the whole declaration.
  fileprivate var subject: String { kind == .settings ? "the schema" : name }

  /// Whether it is a union of structs.
  fileprivate var isUnionOfValues: Bool { kind == .union && words.contains("values") }

  /// Whether a union has a case with the type.
  fileprivate func has(_ type: String) -> Bool { members.contains { $0.type == type } }
}

extension SyncSchemaSnapshot.Declaration.Member {
  /// The JSON value of a union's case, in quotes for messages.
  fileprivate var tag: String { "“\(keys.first ?? name)”" }
}
