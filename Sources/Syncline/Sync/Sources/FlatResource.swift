import SynclineNaming

/// One resource of a document, to write as a flat object.
struct FlatResource {
  private let resource: SyncValue
  private let table: SyncTable
  private let keys: KeyTable
  private let style: KeyStyle

  init(_ resource: SyncValue, _ table: SyncTable, _ run: Run) {
    self.resource = resource
    self.table = table
    style = run.style
    keys = table.keyTable(run.style)
  }

  func write(to text: inout [UInt8], type: (String) -> ModelCatalog.Entry?) {
    guard let names = table.below.flatMap({ ExportKey($0).names }) else {
      return write(to: &text, where: { _ in true }, type: type)
    }
    // `@Below` has no effect in a document: a member is written where it is read, in the row's object or below.
    write(to: &text, where: { isReadInRow($0) && $0 != names[0] }, type: type)
    text.removeLast()
    if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
    text += names.map { SyncJSON.string($0).description + ":" }.joined(separator: "{").utf8
    write(to: &text, where: { isReadBelow($0) || !isReadInRow($0) }, type: type)
    text += names.map { _ in UInt8(ascii: "}") }
  }

  /// Writes the members whose names meet a condition.
  private func write(
    to text: inout [UInt8], where isWritten: (String) -> Bool, type: (String) -> ModelCatalog.Entry?
  ) {
    let start = text.count
    func member(_ key: String, _ write: (inout [UInt8]) -> Void) {
      let name = name(of: key)
      guard isWritten(name) else { return }
      text.append(text.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text += JSONWriter.key(name)
      write(&text)
    }
    let id = resource.member("id")
    let identity = keys.plainName(of: table.identity) ?? "id"
    // A model whose identity is made of other values may not read it.
    if let id, isRead(identity) { member(identity) { id.append(to: &$0) } }
    let attributes = resource.member("attributes")
    for whole in ["links", "meta"] where isRead(whole) {
      guard let value = resource.member(whole) else { continue }
      if property(whole)?.isReadFromObjects != false {
        member(whole) { value.append(to: &$0) }
      } else if attributes?.member(whole) == nil {
        // The property has another value. Only paths read the members, also as keys with dots.
        value.forEachMember { key, value in
          let path = "\(whole).\(key.string ?? "")"
          if isRead(path) { member(path) { value.append(to: &$0) } }
        }
      }
    }
    attributes?.forEachMember { key, value in
      // Some servers send the key of a table in an attribute with the name of the identity. Links have the resource's `id`.
      if id != nil, !table.isComposite, name(of: key.string ?? "") == identity { return }
      member(key.string ?? "") { value.append(to: &$0) }
    }
    resource.member("relationships")?.forEachMember { key, value in
      guard let linkage = value.member("data") else { return }
      member(key.string ?? "") { write(linkage, to: &$0, key.string ?? "", type) }
    }
    if text.count == start { text.append(UInt8(ascii: "{")) }
    text.append(UInt8(ascii: "}"))
  }

  /// The key for a member's name: in the container's key style if the name has hyphens, unless a property reads it as it is.
  private func name(of key: String) -> String {
    guard key.contains("-"), !isRead(key) else { return key }
    return style.transform(key.replacing("-", with: "_"))
  }

  private func isRead(_ key: String) -> Bool { isReadInRow(key) || isReadBelow(key) }

  private func isReadInRow(_ key: String) -> Bool { isRead(key, by: table) }

  /// Whether a model reads a key in its object, or one that it reads from the same object.
  private func isRead(_ key: String, by table: SyncTable) -> Bool {
    let keys = table.keyTable(style)
    return keys.position(of: key) != nil
      || keys.itself.flatMap { table.properties[$0.property].related?.syncTable }
        .map { isRead(key, by: $0) } ?? false
  }

  /// The path of a key in the object of `@Below`; nil if the model has none.
  private func path(below key: String) -> String? { table.below.map { "\($0).\(key)" } }

  private func isReadBelow(_ key: String) -> Bool {
    guard let path = path(below: key) else { return false }
    return keys.candidates.joined().contains { candidate in
      guard candidate.text.hasPrefix(path) else { return false }
      return candidate.text.dropFirst(path.count).first.map { ".[{".contains($0) } ?? true
    }
  }

  private func write(
    _ linkage: SyncValue, to text: inout [UInt8], _ key: String, _ type: (String) -> ModelCatalog.Entry?
  ) {
    let property = property(name(of: key), where: \.isRelationship)
    func write(_ identifier: SyncValue, to text: inout [UInt8]) {
      if let union = property?.union { return self.write(identifier, of: union, to: &text, type) }
      // The key may be read by a scalar instead of a relationship.
      if let property {
        let name = identifier.member("type")?.string
        if name.flatMap(type)?.table !== property.related?.syncTable {
          let isLone = property.isToMany && !linkage.isArray
          return text += unreadable(property, ofType: isLone ? nil : name).description.utf8
        }
      }
      if isSingleton(property?.related?.syncTable) { return text += Array("{}".utf8) }
      guard let key = identity(in: identifier, of: property?.related?.syncTable) else {
        return text += unreadable(property, ofType: nil).description.utf8
      }
      guard !key.isObject, let related = property?.related?.syncTable else { return key.append(to: &text) }
      if property?.lookup == nil {
        // `@KeyPattern` describes the keys of other payloads. In a document, the key may be the plain identity.
        guard property?.keyPatterns.isEmpty == false, let keys = property?.keyReader,
          keys.identity(in: key) == nil, let identity = related.identityReader.identity(in: key)
        else { return key.append(to: &text) }
        return text += keys.json(identity).description.utf8
      }
      // Without the object it would be looked up by another property.
      let name = related.keyTable(style).plainName(of: related.identity) ?? "id"
      text += SyncJSON.object(SyncJSONObject([(name, SyncJSON(key))])).description.utf8
    }
    if linkage.isNull { return linkage.append(to: &text) }
    guard linkage.isArray else { return write(linkage, to: &text) }
    linkage.appendElements(to: &text) { write($0, to: &$1) }
  }

  /// A value that a relationship does not read, and that does not mean null.
  ///
  /// - Parameter type: the type of another model, which the problem names. Nil where a list would be read as rows.
  private func unreadable(_ property: SyncProperty?, ofType type: String?) -> SyncJSON {
    if let type, property?.isOfLists == false { return [[], .string(type)] }
    let nulls = [property?.nulls, property?.related?.syncTable.identityReader.nulls]
    return .bool(nulls.contains { $0?.words.contains(false) ?? false })
  }

  /// The value that identifies a row: its `id`, or the object in `meta` for a composite primary key.
  private func identity(in identifier: SyncValue, of related: SyncTable?) -> SyncValue? {
    let parts = related?.isComposite ?? false ? identifier.member("meta") : nil
    return parts?.isObject ?? false ? parts : identifier.member("id")
  }

  /// Whether a model has one row only, which any object identifies.
  private func isSingleton(_ table: SyncTable?) -> Bool {
    table.map { $0.isComposite && $0.identityParts.isEmpty } ?? false
  }

  /// Writes the value that identifies a row of a union: its identity and the type of its case.
  private func write(
    _ identifier: SyncValue, of union: UnionPlace, to text: inout [UInt8],
    _ type: (String) -> ModelCatalog.Entry?
  ) {
    guard let name = identifier.member("type")?.string else { return text += Array("{}".utf8) }
    let cases = union.cases.cases
    let table = type(name)?.table
    let found = cases.first { $0.element.syncTable === table } ?? cases.first { $0.type == name }
    let related = found.map { $0.element.syncTable }
    guard let identity = identity(in: identifier, of: related) else { return text += Array("{}".utf8) }
    let key = related.flatMap { $0.keyTable(style).plainName(of: $0.identity) }
    var object =
      isSingleton(related)
      ? SyncJSONObject() : SyncJSON(identity).object ?? SyncJSONObject([(key ?? "id", SyncJSON(identity))])
    object.merge(.string(found?.type ?? name), at: ExportKey(union.cases.key))
    text += SyncJSON.object(object).description.utf8
  }

  /// The property that a member's whole value is read as.
  private func property(
    _ key: String, where isWanted: (SyncProperty) -> Bool = { _ in true }
  ) -> SyncProperty? {
    for (position, property) in table.properties.enumerated() where isWanted(property) {
      let isKey = keys.candidates[position].contains { candidate in
        candidate.rest.isEmpty && keys.name(of: candidate) == key || candidate.text == path(below: key)
      }
      if isKey { return property }
    }
    return nil
  }
}
