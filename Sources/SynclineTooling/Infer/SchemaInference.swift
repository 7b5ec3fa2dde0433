import Syncline
import SynclineCompiler
import SynclineNaming

/// Proposes a schema for sample payloads.
package struct SchemaInference {
  /// The minimum number of rows for making a property required that all rows have.
  private static let requiredRows = 200
  /// The minimum number of objects with a single member for making it required.
  private static let singleMemberObjects = 20
  /// The maximum number of properties of a model, since a table has at most 1,999 columns.
  private static let propertyLimit = 1_900

  /// The maximum number of parts of a path to rows, since objects may contain objects of their own kind.
  private static let pathLimit = 4

  let kinds: RowKinds
  var draft = SchemaDraft()
  let style: KeyStyle
  /// The names of the endpoints, as the caller wrote them, and their declarations.
  private(set) var roots: [(name: String, declaration: Int)] = []
  /// The declarations of the kinds, by the index of the kind.
  private(set) var models: [Int] = []
  var rowCounts: [Int: Int] = [:]
  var structures: [ObjectIdentifier: Int] = [:]
  /// The names of structs without the prefixes of their owners.
  var ownNames: [Int: String] = [:]
  /// The declarations for which too few objects were seen to decide which members are required.
  private var small: Set<Int> = []
  /// Whether the rows are resources of JSON:API documents.
  private let areResources: Bool
  /// The lists of rows, with the kind of the owner, the property, and the kind of the rows.
  private(set) var lists: [(owner: Int, property: String, kind: Int, isOneToMany: Bool)] = []

  package init(of rows: some Sequence<SyncJSON>, named name: String) {
    self.init(of: SampleRows(rows), named: name)
  }

  package init(of sample: SampleRows, named name: String) {
    self.init(of: [SampleEndpoint(sample, named: name)])
  }

  /// Proposes a schema for several endpoints. Rows with the same identity and similar keys become one model, even if they come
  /// from different endpoints.
  package init(of endpoints: [SampleEndpoint]) {
    let roots = endpoints.map(RowKinds.Root.init)
    areResources = endpoints.contains(where: \.isResource)
    var visited: Set<ObjectIdentifier> = []
    var count = KeyStyleCount()
    for root in roots { count.add(root.shape, &visited) }
    style = count.style
    for (root, endpoint) in zip(roots, endpoints) {
      if endpoint.isResource { root.splitReferences(endpoint.resourceTypes) }
      var search = UnionSearch()
      search.split(root, mayBeUnion: endpoint.mayBeUnion)
    }
    kinds = RowKinds(roots)
    draft.state(style)
    for endpoint in endpoints { note(endpoint, isOnly: endpoints.count == 1) }
    if areResources {
      draft.comments.append(
        "The payload is a JSON:API document: sync it with “sync(jsonAPI:)”, and try it with “syncline try --json-api”."
      )
    }
    let unions = roots.map { root in
      root.shape.union.map { SchemaDraft.Declaration(kind: .union(key: $0.key), name: root.name) }
    }
    let declarations = unions.map { union in union.map { draft.add($0) } }
    for kind in kinds.kinds { models.append(draft.add(declaration(of: kind))) }
    for (number, root) in roots.enumerated() {
      let model = kinds.number(of: root.shape).map { models[$0] }
      guard let declaration = declarations[number] ?? model else { continue }
      self.roots.append((endpoints[number].name, declaration))
      if let union = root.shape.union { fill(declaration, with: union, in: declaration) }
    }
    for number in kinds.kinds.indices { declare(number) }
    link()
    pair()
    while draft.uniteStructures(ownNames) {}
    draft.repair()
  }

  package var text: String { draft.text }

  // MARK: Models

  /// Adds a comment about where the rows of an endpoint were found, if its path does not show it.
  private mutating func note(_ endpoint: SampleEndpoint, isOnly: Bool) {
    guard let path = endpoint.rows.memberPath ?? endpoint.rows.listPath else { return }
    let rows = isOnly ? "The rows" : "The rows of \(DraftName.type(endpoint.name))"
    if endpoint.rows.readEnvelope?.only?.isList == false, !path.hasSuffix("{}") {
      let call = "sync(item:) with at: \(SwiftText.literal(path))"
      draft.comments.append("\(rows) are one object in each payload: use \(call), or “syncline try --item”")
      return
    }
    let list = "elements of a list in " + (path.hasPrefix("[") ? "a list" : "an object")
    let place =
      path.hasSuffix("{}")
      ? "the members of an object" : path.hasPrefix("[].") ? "in the elements of a list" : "the \(list)"
    draft.comments.append("\(rows) are \(place): sync them with at: \(SwiftText.literal(path))")
    if let itemPath = endpoint.rows.itemPath {
      let call = "sync(item:) with at: \(SwiftText.literal(itemPath))"
      let row = isOnly ? "row" : DraftName.type(endpoint.name)
      draft.comments.append("A payload may also contain a single \(row): use \(call)")
    }
  }

  private func declaration(of kind: RowKinds.Kind) -> SchemaDraft.Declaration {
    let best =
      kind.isNamed
      ? kind.order.first : kind.order.max { kind.names[$0, default: 0] < kind.names[$1, default: 0] }
    // A role is a better name than “User2”.
    let called = kind.called.flatMap { draft.freeName($0) == $0 ? $0 : nil }
    let name = kind.isNamed ? best : called ?? commonName(kind.order) ?? best
    var declaration = SchemaDraft.Declaration(kind: .model, name: name ?? "Row")
    if kind.order.count > 1 {
      let others = kind.order.filter { $0 != best }
      let names = ([best ?? ""] + others).joined(separator: ", ")
      declaration.comments.append("Merged into one model, because their keys match: \(names).")
    }
    return declaration
  }

  /// The words with which several names end, if no other rows have this name: `Team` for `HomeTeam` and `AwayTeam`.
  private func commonName(_ names: [String]) -> String? {
    let words = names.map { Array(KeyWords.words(of: $0).reversed()) }
    guard names.count > 1, let first = words.first else { return nil }
    let count = words.map { zip($0, first).prefix { $0 == $1 }.count }.min() ?? 0
    let name = DraftName.type(first.prefix(count).reversed().joined(separator: "_"))
    let isFree = !kinds.kinds.contains { $0.order != names && $0.order.contains(name) }
    guard count > 0, isFree, !["by", "id", "to"].contains(first[0]) else { return nil }
    return draft.freeName(name) == name ? name : nil
  }

  private mutating func declare(_ number: Int) {
    let kind = kinds.kinds[number]
    let index = models[number]
    if kind.shape.objects < SchemaInference.requiredRows {
      let rows = kind.shape.objects == 1 ? "One row was" : "\(kind.shape.objects) rows were"
      draft.declarations[index].comments.append(
        "\(rows) seen: too few to tell which properties are required, so all but the identity are optional.")
      small.insert(index)
    }
    // The union or the JSON:API document determines the kind of a row, so this key needs no property.
    let tags =
      areResources
      ? [SampleEndpoint.resourceKey]
      : kind.unions.map(\.key).filter { kind.shape.members[$0]?.values.count == 1 }
    addProperties(of: kind.shape, at: [], to: index, besides: addIdentity(of: kind, to: index).union(tags))
  }

  /// Adds the members of objects, including those of nested objects that contain rows.
  ///
  /// - Parameters:
  ///   - nulls: the values of the enclosing objects that mean null.
  ///   - mayLack: whether the enclosing object is absent in some of the rows.
  mutating func addProperties(
    of shape: SampleShape, at path: [String], to index: Int, besides taken: Set<String>, nulls: [String] = [],
    mayLack: Bool = false
  ) {
    let isModel = draft.isModel(index)
    for key in shape.keys where !taken.contains(key) {
      guard let value = shape.members[key] else { continue }
      if isIdentity(path: path, key: key, of: index) { continue }
      guard draft.declarations[index].properties.count < SchemaInference.propertyLimit else {
        return draft.leaveOutRest(from: key, of: index, as: "a table has at most 1,999 columns")
      }
      guard let part = RemotePath.part(key) else {
        draft.declarations[index].comments.append(
          "Left out: the key \(SwiftText.literal(key)), which no path can have.")
        continue
      }
      let other = style.transform(path: part)
      guard other == part || shape.members[other] == nil else {
        draft.declarations[index].comments.append(
          "Left out: the key \(SwiftText.literal(key)), because \(SwiftText.literal(other)), its spelling in the key style, exists too."
        )
        continue
      }
      // A nested row and the key with its identity form one relationship.
      if isModel, isKeyOfNested(key, in: shape) { continue }
      let words = nulls + value.nullWords.filter { !nulls.contains($0) }
      if isModel, value.isObject, !value.isOneOrMany, kinds.number(of: value) == nil,
        value.entries == nil, path.count < SchemaInference.pathLimit,
        case let isHolder = path.isEmpty && holdsProperties(value, key, of: shape),
        isHolder || leadsToRows(value)
      {
        addProperties(
          of: value, at: path + [part], to: index, besides: [], nulls: words,
          mayLack: !isHolder || value.objects < shape.objects)
        continue
      }
      if value.isExtendedJSON {
        addProperties(
          of: value, at: path + [part], to: index, besides: [], nulls: words,
          mayLack: mayLack || value.count < shape.objects || value.nulls > 0)
        continue
      }
      addProperty(key, value, in: shape, at: path + [part], to: index, nulls: words, mayLack: mayLack)
    }
  }

  /// Whether a member of a nested object is the identity, which was added first.
  private func isIdentity(path: [String], key: String, of index: Int) -> Bool {
    guard path.count == 1, let first = draft.declarations[index].properties.first else { return false }
    return first.isIdentity && first.key == "\(path[0]).\(key)"
  }

  private func isKeyOfNested(_ key: String, in shape: SampleShape) -> Bool {
    // A row's own identity is not that of the row in it: `{"milestone_id": 1, "milestone": {"milestone_id": 2}}`.
    if let number = kinds.number(of: shape), kinds.kinds[number].identity.key == key { return false }
    for ending in ["_id", "-id", "Id", "ID", "_ids", "-ids", "Ids"] where key.hasSuffix(ending) {
      let stem = String(key.dropLast(ending.count))
      for name in ending.lowercased().hasSuffix("s") ? [stem + "s", stem, Names.snake(stem) + "s"] : [stem] {
        guard let nested = shape.members[name] else { continue }
        if let value = nested.row, let kind = kinds.number(of: value) {
          return isIdentity(shape.members[key], of: kinds.kinds[kind])
        }
      }
    }
    return false
  }

  /// Whether values, or the elements of lists, have the type of a kind's identity. If they have another one, they belong to
  /// something else.
  private func isIdentity(_ value: SampleShape?, of kind: RowKinds.Kind) -> Bool {
    guard let identity = kind.identity.key.flatMap({ kind.shape.members[$0] }),
      let values = value?.isList == true ? value?.element : value, values.present > 0
    else { return true }
    return SchemaInference.haveOneType(values, identity)
  }

  /// Whether the rows have an object with their properties, such as `fields` or `properties`. References to them have none.
  private func holdsProperties(_ value: SampleShape, _ key: String, of shape: SampleShape) -> Bool {
    (KeyWords.holdsProperties(key) || RowKinds.holdsIdentity(key, of: shape)) && value.union == nil
      && !value.keys.isEmpty && value.objects * 2 >= shape.objects
  }

  private func leadsToRows(_ shape: SampleShape, level: Int = 0) -> Bool {
    guard level < 8 else { return false }
    return shape.keys.contains { key in
      guard let member = shape.members[key], let value = member.row, value.isObject else { return false }
      return kinds.number(of: value) != nil || value.union?.isOfRows ?? false
        || (value === member && leadsToRows(value, level: level + 1))
    }
  }

  // MARK: Properties

  private mutating func addProperty(
    _ key: String, _ value: SampleShape, in shape: SampleShape, at path: [String], to index: Int,
    nulls: [String], mayLack: Bool
  ) {
    let isModel = draft.isModel(index)
    let around = path.dropLast().last
    // The value of a property in Notion has the name of its type, such as `select`.
    let isOwnValue = RowKinds.isDefinition("id", of: shape) && shape.onlyText(of: "type") == key
    let telling = isOwnValue ? around ?? key : KeyWords.telling(key, under: around)
    var name = telling == key ? SchemaInference.name(of: key, in: shape) : DraftName.property(telling)
    let isNested = path.count > 1
    let isTaken = draft.declarations[index].properties.contains { $0.name == name }
    // Next to a nested row, `type` and `url` belong to the enclosing object.
    let isUnclear =
      mayLack && telling == key && KeyWords.isOfManyKinds(key)
      && !(around.map(KeyWords.holdsProperties) ?? false)
    let isShared = isElsewhere(telling == key ? key : nil, named: name, at: path, in: index)
    if isTaken || isUnclear || isShared, let around {
      name = DraftName.property(around + "_" + key)
    }
    name = draft.freeName(name, in: index)
    var property = SchemaDraft.Property(name: name, type: .scalar("JSON"))
    property.key = path.joined(separator: ".")
    property.isOptional =
      value.nulls > 0 || value.count < shape.objects || !tells(shape, in: index) || mayLack
    let row = isModel ? kinds.number(of: value) : nil
    let rows = isModel && value.row !== value ? value.row.flatMap { kinds.number(of: $0) } : nil
    if let row {
      property.type = .declared(models[row])
    } else if let rows {
      property.type = .list(.declared(models[rows]))
      if value.hasNullElements {
        property.comments.append(
          "A list with null in place of a row was seen. A sync reports the null, and removes no row from that list."
        )
      }
      lists.append(
        (
          owner: index, property: name, kind: rows,
          isOneToMany: kinds.kinds[rows].identity.isOwned
            || !value.isOneOrMany
              && (value.element.map { !$0.isShared && $0.listNumbers.count > 2 && $0.owners.count > 5 }
                ?? false)
        ))
    } else {
      decide(&property, telling, value, of: shape, in: index)
    }
    var candidates = KeyCandidates.scalar(name, style: style)
    // A model, or a union of models.
    if isModel, draft.isRelationship(property) { candidates = property.settleRelationship(style: style) }
    addWords(nulls, isOneOrMany: value.isOneOrMany, to: &property)
    let nodeKey = value.element?.nodeKey
    if rows != nil, value.entries != nil || nodeKey != nil {
      property.key? += nodeKey.map { "[].\($0)" } ?? "{}"
      property.isKeyExplicit = true
    }
    // A relationship would also read the other key, which has something else.
    let isAmbiguous =
      row != nil
      && candidates.contains { $0 != key && shape.members[$0] != nil && !isKeyOfNested($0, in: shape) }
    // A list of keys next to nested rows is read by the same relationship.
    let others = rows == nil ? candidates : candidates.filter { !isKeyOfNested($0, in: shape) }
    property.isKeyExplicit =
      property.isKeyExplicit || isNested || isAmbiguous || !candidates.contains(path[0])
      || clashes(others, key, shape)
    draft.declarations[index].properties.append(property)
  }

  /// Whether the model of a nested member has a key of the same name, or another object with such a member at one of the levels
  /// of its path: `head.repo` and `base.repo`, `players.white.user` and `players.black.user`.
  ///
  /// - Parameter key: the key of the member; nil if the property is named after the enclosing object.
  private func isElsewhere(_ key: String?, named name: String, at path: [String], in index: Int) -> Bool {
    guard path.count > 1, let number = models.firstIndex(of: index) else { return false }
    let row = kinds.kinds[number].shape
    var outer: SampleShape? = row
    for (level, part) in path.dropLast().enumerated() {
      guard let shape = outer else { return false }
      for other in shape.keys where RemotePath.part(other) != part {
        guard let value = shape.members[other] else { continue }
        if level == 0, DraftName.property(other) == name { return true }
        guard let key, value.members[key] != nil, value.isObject, kinds.number(of: value) == nil else {
          continue
        }
        if leadsToRows(value) || holdsProperties(value, other, of: row) { return true }
      }
      outer = shape.keys.first { RemotePath.part($0) == part }.flatMap { shape.members[$0] }
    }
    return false
  }

  /// The name of a property. An underscore at the start is kept only if another key has the same name without it.
  static func name(of key: String, in shape: SampleShape) -> String {
    let name = DraftName.property(key)
    let isAmbiguous =
      key.hasPrefix("_") && shape.keys.contains { $0 != key && DraftName.property($0) == name }
    return isAmbiguous ? DraftName.property(key, keepsUnderscore: true) : name
  }

  /// Adds the attributes for values that mean null, and for single values in the place of lists.
  func addWords(_ nulls: [String], isOneOrMany: Bool, to property: inout SchemaDraft.Property) {
    if isOneOrMany, case .map = property.type {
      property.type = .scalar("JSON")
      property.isOptional = true
    }
    // A `JSON` property keeps all values unchanged.
    if property.type == .scalar("JSON") { return }
    if isOneOrMany {
      property.attributes.append("@OneOrMany")
      property.comments.append("Both single values and lists were seen.")
    }
    if !nulls.isEmpty {
      property.attributes.append("@Null(\(nulls.joined(separator: ", ")))")
      property.comments.append(
        "The server seems to send \(nulls.joined(separator: " or ")) for a missing value.")
    }
  }

  /// Whether a key that is read before this one exists and holds an object or a list.
  func clashes(_ candidates: [String], _ key: String, _ shape: SampleShape) -> Bool {
    candidates.prefix { $0 != key }.contains { other in
      shape.members[other].map { $0.isObject || $0.isList } ?? false
    }
  }

  /// Whether enough objects were seen to decide which members are required. The only member of a struct is often present in each
  /// one by chance.
  private func tells(_ shape: SampleShape, in index: Int) -> Bool {
    let isLone = !draft.isModel(index) && shape.keys.count == 1
    return shape.objects >= (isLone ? SchemaInference.singleMemberObjects : SchemaInference.requiredRows)
  }

  /// Adds a comment to a struct for which few values were seen, unless its owner has such a comment.
  mutating func noteSmall(_ structure: Int, _ value: SampleShape, in index: Int) {
    guard !tells(value, in: structure) else { return }
    small.insert(structure)
    guard !small.contains(index) else { return }
    let values = value.objects == 1 ? "One object was" : "\(value.objects) objects were"
    draft.declarations[structure].comments.append(
      "\(values) seen: too few to tell which members are required, so all are optional.")
  }
}
