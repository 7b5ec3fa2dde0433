extension SchemaInference {
  /// Declares the union of a list's objects, unless a union of the same models exists.
  mutating func declare(_ union: SampleUnion, named own: String, in index: Int) -> Int {
    let models = union.variants.map { (tag: Optional($0.tag), declaration: model(of: $0)) }
    if union.isOfRows, let known = draft.union(on: union.key, of: models) { return known }
    let declaration = draft.add(
      SchemaDraft.Declaration(kind: .union(key: union.key), name: draft.typeName(own, in: index)))
    fill(declaration, with: union, in: index)
    return declaration
  }

  private func model(of variant: SampleUnion.Variant) -> Int? {
    kinds.number(of: variant.shape).map { models[$0] }
  }

  /// Adds the cases of a union, with comments on how often each one was seen.
  ///
  /// - Parameter index: the declaration of the enclosing object.
  mutating func fill(_ declaration: Int, with union: SampleUnion, in index: Int) {
    let total = union.variants.reduce(0) { $0 + $1.count }
    let counts = union.variants.map { "\($0.count) \($0.tag)" }.joined(separator: ", ")
    let objects = union.isOfRows ? "rows" : "objects"
    draft.declarations[declaration].comments += [
      "“\(union.key)” distinguishes \(total) \(objects): \(counts).",
      union.isOfRows
        ? "A sync skips and reports rows with another “\(union.key)”."
        : "A sync keeps objects with another “\(union.key)” as they are, and reports them.",
    ]
    var titles: [String: String] = [:]
    if union.isOfResources {
      for tag in union.variants.map(\.tag) { titles[tag] = DraftName.type(tag, isList: true) }
    }
    let cases = SchemaDraft.Declaration.cases(
      ofUnionOn: union.key, tags: union.variants.map(\.tag), titles: titles)
    for (variant, entry) in zip(union.variants, cases) {
      let type = union.isOfRows ? model(of: variant) : structure(of: variant, union, declaration, in: index)
      guard let type else { continue }
      draft.declarations[declaration].properties.append(
        SchemaDraft.Property(name: entry.name, type: .declared(type), key: entry.rawValue))
    }
  }

  /// Declares the struct of one case.
  private mutating func structure(
    of variant: SampleUnion.Variant, _ union: SampleUnion, _ declaration: Int, in index: Int
  ) -> Int {
    let own = draft.declarations[declaration].name
    let tag = DraftName.type(variant.tag)
    let structure = draft.add(
      SchemaDraft.Declaration(kind: .structure, name: tag.hasSuffix(own) && tag != own ? tag : tag + own))
    noteSmall(structure, variant.shape, in: index)
    addProperties(of: variant.shape, at: [], to: structure, besides: [union.key])
    return structure
  }
}
