import SynclineNaming

/// JSON:API documents: resources of many types, which are rows of many models.
enum PayloadDocument {
  /// The rows of a document, one slice per model; the call's model comes last.
  ///
  /// - Parameter notes: the state of a run, if the document is a page.
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the payload is not a document, or is a document of errors.
  static func slices(of whole: PayloadSlice, in run: Run, _ notes: PageNotes?) throws -> [PayloadSlice] {
    let model = whole.entry.table.name
    let tape = try JSONDocument.scan(whole.text.bytes)
    defer { tape.close() }
    guard case .found(let root) = tape.value(at: 0).follow(whole.path.steps) else {
      throw SyncError(.noDocument(found: tape.value(at: 0).summary), model: model)
    }
    let data = try data(of: root, model)
    if whole.isItem, data.isArray { throw SyncError(.itemIsAList, model: model) }
    var reader = DocumentReader(run: run, own: whole.entry, tape: tape)
    reader.read(data, at: "data")
    if reader.parts[.own] == nil, !reader.unknown.isEmpty || !reader.parts.isEmpty {
      let types = PayloadDocument.types(of: data)
      throw SyncError(reader.parts.isEmpty ? .noModelOfTypes(types) : .otherTypes(types), model: model)
    }
    // Only a whole list of known types deletes missing rows.
    let isList = data.isArray && reader.unknown.isEmpty
    let isWhole = isList && !whole.isItem && !isPage(root)
    if !isList { notes?.areWhole = false }
    if let included = root.member("included") { reader.read(included, at: "included") }
    // Rows that are looked up come before the call's own rows, which are scanned.
    var slices = run.catalog.entries.compactMap { entry in
      reader.parts[.other(entry.number)].map { whole.part($0, of: entry, policy: .none) }
    }
    let own = reader.parts[.own] ?? PayloadPart(of: "data", length: 0)
    // Without a row of the model there is no item to sync.
    if whole.isItem, own.isEmpty { return slices }
    slices.append(
      whole.part(
        whole.isItem ? own.asItem() : own, of: whole.entry, policy: isWhole ? whole.policy : .none))
    return slices
  }

  private static func data(of root: SyncValue, _ model: String) throws -> SyncValue {
    guard root.isObject else { throw SyncError(.noDocument(found: root.summary), model: model) }
    if let errors = root.member("errors"), errors.isArray, !errors.isEmptyArray {
      throw SyncError(.documentOfErrors(sentence(errors)), model: model)
    }
    guard let data = root.member("data") else { throw SyncError(.documentWithoutData, model: model) }
    return data
  }

  /// The types of the resources, without duplicates.
  private static func types(of data: SyncValue) -> [String] {
    var types: [String] = []
    for resource in data.isArray ? Array(data.elements) : [data] {
      if let type = resource.member("type")?.string, !types.contains(type) { types.append(type) }
    }
    return types
  }

  /// The models of the document's resources, and whether it is one model and all types are known.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if no model has any of the types.
  static func models(
    of bytes: UnsafeRawBufferPointer, in catalog: ModelCatalog
  ) throws -> (models: [any SyncUpdatableModel.Type], isOne: Bool) {
    do {
      let (types, isEmpty) = try JSONDocument.read(bytes) { root in
        let data = try data(of: root, "")
        return (PayloadDocument.types(of: data), data.isNull || data.isEmptyArray)
      }
      let entries = types.map(catalog.entry(ofType:))
      let known = entries.compactMap { $0 }
      if known.isEmpty, !isEmpty { throw SyncError(.noModelOfTypes(types), model: "") }
      var numbers: Set<ModelNumber> = []
      let models = known.filter { numbers.insert($0.number).inserted }.map(\.model)
      return (models, isOne: models.count == 1 && known.count == entries.count)
    } catch let error as JSONError {
      throw SyncError.invalidPayload(model: "", reason: error.description)
    }
  }

  /// Whether the links of a document point to a previous or next page.
  private static func isPage(_ root: SyncValue) -> Bool {
    ["next", "prev"].contains { name in
      guard let link = root.member("links")?.member(name) else { return false }
      return link.isString || link.isObject
    }
  }

  private static func sentence(_ errors: SyncValue) -> String {
    let texts = errors.elements.prefix(3).map { error in
      ["status", "title", "detail"].compactMap { error.member($0) }
        .compactMap { $0.isNumber ? JSONText.string($0.content) : $0.string }.joined(separator: ": ")
    }
    return texts.filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

extension SyncValue {
  /// The value of an object's member; nil if the value is not an object.
  func member(_ name: String) -> SyncValue? { isObject ? member(Array(name.utf8)) : nil }
}

/// Reads the resources of a document as flat objects, with `attributes` and `relationships` next to `id`.
private struct DocumentReader {
  enum Part: Hashable {
    /// The rows of the call's model in `data`.
    case own
    /// All other rows of a model, which may be the call's model, too.
    case other(ModelNumber)
  }

  let run: Run
  let own: ModelCatalog.Entry
  let tape: JSONTape
  var parts: [Part: PayloadPart] = [:]
  /// The types that no model has.
  var unknown: Set<String> = []
  /// The models by the types that were found; nil for unknown types.
  var known: [String: ModelCatalog.Entry?] = [:]

  mutating func read(_ value: SyncValue, at path: String) {
    guard value.isArray else { return value.isNull ? () : readResource(value, at: path, nil, length: 0) }
    let elements = Array(value.elements)
    for (index, resource) in elements.enumerated() {
      readResource(resource, at: path, index, length: elements.count)
    }
  }

  private mutating func readResource(
    _ resource: SyncValue, at path: String, _ index: Int?, length: Int
  ) {
    guard let found = entry(of: resource) else { return report(resource, at: path, index) }
    let isOwn = path == "data" && found.number == own.number
    let part: Part = isOwn ? .own : .other(found.number)
    var rows = parts[part] ?? (isOwn ? PayloadPart(of: "data", length: length) : PayloadPart())
    parts[part] = nil
    rows.append(resource, on: tape, from: path, at: index) { resource, text in
      FlatResource(resource, found.table, run).write(to: &text) { entry(named: $0) }
    }
    parts[part] = rows
  }

  /// The model of a resource. The call gives its own rows their parent, so their model may have a parent scope.
  private mutating func entry(of resource: SyncValue) -> ModelCatalog.Entry? {
    guard let type = resource.member("type")?.string, let entry = entry(named: type) else { return nil }
    return entry.number == own.number || entry.hasResources ? entry : nil
  }

  private mutating func entry(named type: String) -> ModelCatalog.Entry? {
    if let entry = known[type] { return entry }
    let entry = own.table.isNamed(type) ? own : run.catalog.entry(named: type)
    known[type] = .some(entry)
    return entry
  }

  /// Reports a type that no model has, once.
  private mutating func report(_ resource: SyncValue, at path: String, _ index: Int?) {
    let type = resource.member("type")?.string ?? ""
    guard unknown.insert(type).inserted else { return }
    run.log.record(
      SyncProblem(
        model: type, row: index, identity: resource.member("id")?.string,
        path: index.map(path.path(ofElement:)) ?? path, .noModelOfType(type), action: .skippedRow))
  }
}

extension ModelCatalog {
  /// The model for the type of a document's resource; nil if there is none, or it has no resources.
  func entry(ofType type: String) -> Entry? { entry(named: type).flatMap { $0.hasResources ? $0 : nil } }

  /// The model for a type of a document; nil if there is none.
  func entry(named type: String) -> Entry? {
    entries.first { $0.table.typeName == type }
      ?? entries.first { $0.table.typeName == nil && $0.table.isCalled(type) }
      ?? entries.first { $0.table.isNamed(type) }
  }
}

extension ModelCatalog.Entry {
  /// Whether its rows may be resources of a document: it is neither handwritten, nor has it a parent scope.
  fileprivate var hasResources: Bool { table.isGenerated && table.parentScope == nil }
}
