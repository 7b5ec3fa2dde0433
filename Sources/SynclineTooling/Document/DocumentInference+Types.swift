import Syncline

extension DocumentInference {
  /// The position of a schema: the key of its member, and whether it describes the elements of a list there.
  struct Place {
    let key: String
    /// The declaration that has the member.
    let index: Int
    var isElement = false
    var level = 0

    var next: Place { Place(key: key, index: index, isElement: isElement, level: level + 1) }
    var element: Place { Place(key: key, index: index, isElement: true, level: level + 1) }
    /// The name of a type that is declared for the schema.
    var typeName: String { DraftName.type(key, isList: isElement) }
  }

  mutating func type(of schema: SyncJSON, at place: Place) -> DescribedType {
    guard place.level < 24 else { return .json("The schema is recursive.") }
    var found: DescribedType
    if let reference = schema["$ref"]?.string {
      found = type(at: reference, place)
    } else if let part = schema["allOf"]?.array, part.count == 1, schema["properties"] == nil {
      found = type(of: part[0], at: place.next)
    } else if schema.describedCases == nil, let variants = schema.variants {
      return type(ofOne: variants, schema, at: place)
    } else {
      found = plainType(of: schema, at: place)
    }
    found.isNullable = found.isNullable || schema.allowsNull
    return found
  }

  private mutating func type(at reference: String, _ place: Place) -> DescribedType {
    let isModel = draft.isModel(place.index)
    switch role(of: reference) {
    case .declared(let target):
      return isModel || !draft.leadsToModel(.declared(target))
        ? DescribedType(.declared(target)) : .json("A struct cannot refer to a model.")
    case .envelope: return .json("It contains models.")
    case .alias, nil: break
    }
    let reference = document.canonical(reference)
    let known = reference + (isModel ? "" : " in a value")
    if let found = aliases[known] { return found }
    guard let schema = document.schema(at: reference) else {
      return .json("“\(reference)” is not in the document.")
    }
    guard open.insert(reference).inserted else { return .json("The schema is recursive.") }
    defer { open.remove(reference) }
    let found = type(of: schema, at: place.next)
    // The alias has this type wherever it is used. Uses in values are separate, since only models can refer to rows.
    aliases[known] = found
    return found
  }

  private mutating func type(ofOne variants: [SyncJSON], _ schema: SyncJSON, at place: Place) -> DescribedType
  {
    if let union = union(schema, at: place) { return union }
    let types = variants.map { type(of: $0, at: place.next) }
    let isNullable = schema.allowsNull || types.contains(where: \.isNullable)
    let distinct = Set(types.map(\.type))
    let scalars = Set(types.compactMap { if case .scalar(let name) = $0.type { name } else { nil } })
    var found: DescribedType
    if distinct.count == 1, let first = types.first {
      found = first
    } else if let row = row(of: distinct, scalars, in: place.index) {
      found = DescribedType(.declared(row))
    } else if scalars.count == distinct.count, !scalars.isEmpty {
      found = DescribedType(.scalar(DescribedType.common(scalars)))
    } else {
      found = .json(variants.isEmpty ? "The document gives no type." : "One of several types.")
    }
    found.isNullable = isNullable
    return found
  }

  /// The model of rows that are written as an object or as a key: `anyOf: [{type: string}, {$ref: …/customer}]`.
  private func row(
    of types: Set<SchemaDraft.TypeReference>, _ scalars: Set<String>, in index: Int
  ) -> Int? {
    guard draft.isModel(index), scalars.count == 1, let key = scalars.first else { return nil }
    var models = types.compactMap { type in
      if case .declared(let model) = type, draft.isModel(model) { model } else { nil }
    }
    guard models.count + scalars.count == types.count else { return nil }
    // A schema of deleted rows describes the same model.
    if models.count > 1 { models.removeAll { draft.declarations[$0].name.hasPrefix("Deleted") } }
    guard models.count == 1, let model = models.first,
      let identity = draft.declarations[model].properties.first(where: \.isIdentity),
      let keyType = DescribedType.identity(for: key), identity.type == .scalar(keyType)
    else { return nil }
    return model
  }

  private mutating func plainType(of schema: SyncJSON, at place: Place) -> DescribedType {
    if let cases = schema.describedCases {
      let index =
        draft.enumeration(ownName(for: schema, at: place), of: cases)
        ?? add(.enumeration(cases), freeName(for: schema, at: place), schema)
      return DescribedType(.declared(index))
    }
    if let items = schema["items"], schema.namedTypes.isEmpty || schema.namedTypes.contains("array") {
      let element = type(of: items, at: place.element)
      if element.isNullable { return .json("Null is among the elements.") }
      if element.type == .scalar("JSON") { return DescribedType(.scalar("JSON"), comments: element.comments) }
      return DescribedType(.list(element.type), comments: element.comments)
    }
    let members = document.members(of: schema)
    if !members.list.isEmpty { return object(schema, members, at: place) }
    if let others = members.others {
      let value = type(of: others, at: place.element)
      let isRow = draft.leadsToModel(value.type)
      if value.isNullable || isRow || value.type == .scalar("JSON") {
        return .json(
          isRow ? "Rows by their keys: a list with the key “\(place.key){}”." : "An object by keys.")
      }
      return DescribedType(.map(value.type), comments: value.comments)
    }
    return DescribedType(of: schema, document)
  }

  mutating func object(
    _ schema: SyncJSON, _ members: SchemaDocument.Members, at place: Place
  ) -> DescribedType {
    let isModel = usualIdentity(of: members) != nil && draft.isModel(place.index)
    guard isModel || !holdsRows(schema) else { return .json("It contains models.") }
    let declared = add(isModel ? .model : .structure, freeName(for: schema, at: place), schema)
    if isModel { addIdentity(of: schema, to: declared) }
    addMembers(of: schema, to: declared)
    return DescribedType(.declared(declared))
  }

  /// The name for the declaration of an unnamed schema: its title or its key.
  private func ownName(for schema: SyncJSON, at place: Place) -> String {
    schema["title"]?.string.map { DraftName.type($0) } ?? place.typeName
  }

  /// The name of an unnamed schema, prefixed with the owner's name if it is taken.
  func freeName(for schema: SyncJSON, at place: Place) -> String {
    draft.typeName(ownName(for: schema, at: place), in: place.index)
  }
}
