import SynclineNaming

/// Documents of JSON:API: resources of many types, which are rows of many models.
extension SyncRequest {
  /// The parts of a document by their models, that of the call first.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for what is no document, or one of errors.
  func partsOfDocument(in run: SyncRun) throws -> [SyncRequest] {
    let model = entry.table.name
    return try bytes.withUnsafeBytes { bytes in
      let tape = try JSONDocument.scan(bytes)
      defer { tape.close() }
      guard case .found(let root) = tape.value(at: 0).follow(steps) else {
        throw SyncError(.noDocument(found: tape.value(at: 0).summary), model: model)
      }
      let data = try SyncRequest.data(of: root, model)
      if isItem, data.isArray { throw SyncError(.itemIsAList, model: model) }
      var reader = DocumentReader(run)
      reader.read(data, at: "data", isList: data.isArray)
      if let included = root.member("included") { reader.read(included, at: "included", isList: true) }
      return parts(reader, data, isPage: SyncRequest.hasNext(root))
    }
  }

  /// What a document is of.
  private static func data(of root: SyncValue, _ model: String) throws -> SyncValue {
    guard root.isObject else { throw SyncError(.noDocument(found: root.summary), model: model) }
    if let errors = root.member("errors"), errors.isArray {
      throw SyncError(.documentOfErrors(sentence(errors)), model: model)
    }
    guard let data = root.member("data") else { throw SyncError(.documentWithoutData, model: model) }
    return data
  }

  /// The models of the rows that a document is of.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` where no model has any of their types.
  static func models(
    ofDocument bytes: UnsafeRawBufferPointer, in catalog: ModelCatalog
  ) throws -> [any SyncUpdatableModel.Type] {
    do {
      let tape = try JSONDocument.scan(bytes)
      defer { tape.close() }
      let data = try data(of: tape.value(at: 0), "")
      var types: [String] = []
      for resource in data.isArray ? Array(data.elements) : [data] {
        if let type = resource.member("type")?.string, !types.contains(type) { types.append(type) }
      }
      let entries = types.compactMap(catalog.entry(ofType:))
      if entries.isEmpty, !types.isEmpty { throw SyncError(.noModelOfTypes(types), model: "") }
      return entries.map(\.model)
    } catch let error as JSONError {
      throw SyncError.invalidPayload(model: "", reason: error.description)
    }
  }

  /// - Parameter isPage: whether other pages follow, so that nothing is missing.
  private func parts(_ reader: DocumentReader, _ data: SyncValue, isPage: Bool) -> [SyncRequest] {
    let own = reader.parts[entry.number] ?? PayloadPart()
    let others = reader.parts.keys.filter { $0 != entry.number }.sorted().compactMap { number in
      reader.parts[number].map {
        forPart($0, of: container.catalog.entries[number], policy: .none)
      }
    }
    // An item is looked for among the rows, and a list that is empty has none.
    if isItem, data.isNull || own.isEmpty { return others }
    let item = isItem && data.isObject ? own.asItem() : own
    let deletes = data.isArray && !isPage && !isItem
    return [forPart(item, of: entry, policy: deletes ? policy : .none)] + others
  }

  /// Whether a document says that it is a page before others.
  private static func hasNext(_ root: SyncValue) -> Bool {
    guard let next = root.member("links")?.member("next") else { return false }
    return next.isString || next.isObject
  }

  private static func sentence(_ errors: SyncValue) -> String {
    let texts = errors.elements.prefix(3).map { error in
      ["status", "title", "detail"].compactMap { error.member($0)?.string }.joined(separator: ": ")
    }
    return texts.filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

extension SyncValue {
  /// The value of a member of an object; nil for what is no object.
  func member(_ name: String) -> SyncValue? { isObject ? member(Array(name.utf8)) : nil }
}

/// Reads the resources of a document as flat objects: what stands in `attributes` and `relationships` as if it stood beside `id`.
private struct DocumentReader {
  private let run: SyncRun
  /// The rows by their models.
  private(set) var parts: [ModelNumber: PayloadPart] = [:]
  private var unknown: Set<String> = []

  init(_ run: SyncRun) {
    self.run = run
  }

  mutating func read(_ value: SyncValue, at path: String, isList: Bool) {
    guard isList else { return value.isNull ? () : readResource(value, at: path, nil) }
    for (index, resource) in value.elements.enumerated() { readResource(resource, at: path, index) }
  }

  private mutating func readResource(_ resource: SyncValue, at path: String, _ index: Int?) {
    guard let entry = entry(of: resource) else { return report(resource, at: path, index) }
    parts[entry.number, default: PayloadPart(of: "data")].append(from: path, at: index) {
      FlatResource(resource, entry.table, run).write(to: &$0) { [run] in run.catalog.entry(ofType: $0) }
    }
  }

  private func entry(of resource: SyncValue) -> ModelCatalog.Entry? {
    resource.member("type")?.string.flatMap(run.catalog.entry(ofType:))
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

/// One resource of a document, to be written as a flat object.
private struct FlatResource {
  private let resource: SyncValue
  private let table: SyncTable
  private let keys: KeyTable
  private let style: KeyStyle

  init(_ resource: SyncValue, _ table: SyncTable, _ run: SyncRun) {
    self.resource = resource
    self.table = table
    style = run.style
    keys = table.keyTable(run.style)
  }

  func write(to text: inout [UInt8], type: (String) -> ModelCatalog.Entry?) {
    let start = text.count
    func member(_ key: String, _ write: (inout [UInt8]) -> Void) {
      text.append(text.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
      var writer = JSONWriter()
      writer.write(string: name(of: key))
      text += writer.bytes
      text.append(UInt8(ascii: ":"))
      write(&text)
    }
    if let id = resource.member("id") {
      let key = keys.candidates[table.identity].first { $0.rest.isEmpty }?.text ?? "id"
      member(key) { id.append(to: &$0) }
    }
    for whole in ["links", "meta"] {
      if let value = resource.member(whole) { member(whole) { value.append(to: &$0) } }
    }
    resource.member("attributes")?.forEachMember { key, value in
      member(key.string ?? "") { value.append(to: &$0) }
    }
    resource.member("relationships")?.forEachMember { key, value in
      guard let linkage = value.member("data") else { return }
      member(key.string ?? "") { write(linkage, to: &$0, key.string ?? "", type) }
    }
    if text.count == start { text.append(UInt8(ascii: "{")) }
    text.append(UInt8(ascii: "}"))
  }

  /// A name as it is looked for: with hyphens it is one in the container's style, where nothing is read under the other.
  private func name(of key: String) -> String {
    guard key.contains("-"), !isRead(key) else { return key }
    return style.transform(key.replacing("-", with: "_"))
  }

  private func isRead(_ key: String) -> Bool { keys.names.contains { $0.elementsEqual(key.utf8) } }

  /// The keys of related rows. One of another type than the relationship's is none.
  private func write(
    _ linkage: SyncValue, to text: inout [UInt8], _ key: String, _ type: (String) -> ModelCatalog.Entry?
  ) {
    let target = relationship(name(of: key))?.related?.syncTable
    func write(_ identifier: SyncValue, to text: inout [UInt8]) {
      let isRight = identifier.member("type")?.string.flatMap(type).map { $0.table === target } ?? false
      guard isRight, let id = identifier.member("id") else { return text += Array("false".utf8) }
      id.append(to: &text)
    }
    if linkage.isNull { return linkage.append(to: &text) }
    guard linkage.isArray else { return write(linkage, to: &text) }
    text.append(UInt8(ascii: "["))
    for (index, identifier) in linkage.elements.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      write(identifier, to: &text)
    }
    text.append(UInt8(ascii: "]"))
  }

  private func relationship(_ key: String) -> SyncProperty? {
    for (position, property) in table.properties.enumerated() where property.isRelationship {
      if keys.candidates[position].contains(where: { $0.rest.isEmpty && $0.text == key }) { return property }
    }
    return nil
  }
}

extension ModelCatalog {
  /// The model whose rows a type of a document is of; nil where there is none, or only one within its parents.
  func entry(ofType type: String) -> Entry? {
    let named = entries.first { $0.table.typeName == type }
    let found = named ?? entries.first { $0.table.typeName == nil && $0.table.isCalled(type) }
    return found.flatMap { $0.table.isGenerated && $0.table.parentScope == nil ? $0 : nil }
  }
}
