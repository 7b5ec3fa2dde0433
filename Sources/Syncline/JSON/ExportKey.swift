import SynclineNaming

/// The key that a property is exported under, and its steps: more than one where it is a path.
struct ExportKey {
  let text: String
  /// The steps up to a map of rows.
  let steps: ArraySlice<RemotePath.Step>
  /// The map of rows at the end of the steps; nil where there is none.
  let map: ExportedMap?
  /// The names of the path; nil where it leads into a list or a map.
  let names: [String]?
  /// Whether it leads to one index of a list.
  let hasPlace: Bool

  init(_ text: String) {
    self.text = text
    let steps =
      (try? RemotePath(text).steps)
      ?? text.split(separator: ".", omittingEmptySubsequences: false).map { .member(String($0)) }
    let map = steps.firstIndex { if case .members = $0 { true } else { false } }
    self.steps = steps[..<(map ?? steps.endIndex)]
    self.map = map.map { ExportedMap(steps[$0], rest: steps[($0 + 1)...]) }
    var names: [String] = []
    for case .member(let name) in steps { names.append(name) }
    self.names = names.count == steps.count ? names : nil
    hasPlace = steps.contains { if case .index = $0 { true } else { false } }
  }
}

extension ExportKey {
  /// Whether the path leads into the value of another path, at one index of its list or at all.
  func leads(into other: ExportKey) -> Bool {
    guard other.map == nil, steps.count + (map == nil ? 0 : 1) > other.steps.count else { return false }
    return zip(steps, other.steps).allSatisfy { own, other in
      switch (own, other) {
      case (.member(let own), .member(let other)): own == other
      case (.index, .index), (.index, .each), (.each, .index), (.each, .each): true
      default: false
      }
    }
  }
}

/// A map of rows by their identities.
struct ExportedMap {
  /// The property whose value represents a row; nil where its object does.
  let property: String?
  /// The steps from the map's values on.
  private let rest: ArraySlice<RemotePath.Step>

  fileprivate init(_ step: RemotePath.Step, rest: ArraySlice<RemotePath.Step>) {
    if case .members(let property) = step { self.property = property } else { property = nil }
    self.rest = rest
  }

  /// The value for the identity of a row.
  ///
  /// - Parameters:
  ///   - row: the row's object, or a key.
  ///   - key: the key of the property in the object.
  func value(_ row: SyncJSON, key: String?) -> SyncJSON {
    // Of a row that is not written whole, an object says that it is there.
    if property != nil { return key.flatMap { row[$0] } ?? (row.object == nil ? [:] : row) }
    // A key alone says that it is there.
    return SyncJSON.null.merging(row.object == nil ? true : row, at: rest)
  }
}

extension SyncJSONObject {
  /// Sets a value at a path. Objects are merged, and a null never replaces an object.
  mutating func merge(_ json: SyncJSON, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard let present = self[key] else { return append(key, json.nested(at: path.dropFirst())) }
    guard case .object(var inner) = present else {
      self[key] = json.nested(at: path.dropFirst())
      return
    }
    if path.count > 1 {
      inner.merge(json, at: path.dropFirst())
    } else {
      guard case .object(let members) = json else { return }
      for (name, value) in members { inner.merge(value, at: [name]) }
    }
    self[key] = .object(inner)
  }

  /// Sets a value at a path that may lead into lists: an index of one is written after nulls, and of several lists in each
  /// other the last has the values.
  ///
  /// Nil is not written where the list of its values exists: it is written under the key as a whole, which is
  /// read first.
  mutating func merge(_ json: SyncJSON, at key: ExportKey) {
    if let names = key.names { return merge(json, at: names[...]) }
    if json.isNull {
      // Null anywhere along a path is null.
      if key.steps.indices.contains(where: { value(at: key.steps[..<$0])?.isNull ?? false }) { return }
      if let many = key.steps.firstIndex(where: \.isMany), value(at: key.steps[..<many])?.array != nil {
        self[key.text] = json
        return
      }
    }
    if case .object(let object) = SyncJSON.object(self).merging(json, at: key.steps) { self = object }
  }

  /// What a path leads to; nil where there is nothing.
  private func value(at path: ArraySlice<RemotePath.Step>) -> SyncJSON? {
    path.reduce(SyncJSON.object(self)) { value, step in
      switch step {
      case .member(let name): value?.object?[name]
      case .index(let index): value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      case .each, .members: nil
      }
    }
  }
}

extension SyncJSON {
  /// The value inside of the objects of a path.
  fileprivate func nested(at path: ArraySlice<String>) -> SyncJSON {
    path.reversed().reduce(self) { .object(SyncJSONObject([($1, $0)])) }
  }

  /// The value with another one at a path into it.
  fileprivate func merging(_ json: SyncJSON, at path: ArraySlice<RemotePath.Step>) -> SyncJSON {
    guard let step = path.first else {
      guard case .object(var own) = self else { return json }
      guard case .object(let members) = json else { return self }
      for (name, value) in members { own.merge(value, at: [name]) }
      return .object(own)
    }
    let rest = path.dropFirst()
    switch step {
    case .member(let name):
      var object = object ?? SyncJSONObject()
      object[name] = (object[name] ?? .null).merging(json, at: rest)
      return .object(object)
    case .index(let index): return merging(element: index, json, at: rest)
    case .each:
      // Nil is null instead of the outermost list: further in, it would be a list that has no values.
      if json.isNull { return isNull ? json : self }
      guard !rest.contains(where: \.isMany) else {
        // A list without values is there when the outermost list is: an element of that would say more.
        if json.array?.isEmpty ?? false { return array == nil ? json : self }
        return merging(element: 0, json, at: rest)
      }
      guard let values = json.array else { return self }
      var elements = array.map(Array.init) ?? []
      for (index, value) in values.enumerated() {
        if index == elements.count { elements.append(.null) }
        elements[index] = elements[index].merging(value, at: rest)
      }
      return .array(elements)
    case .members: return self
    }
  }

  private func merging(element index: Int, _ json: SyncJSON, at path: ArraySlice<RemotePath.Step>) -> SyncJSON
  {
    // Null adds no element to an existing list.
    if json.isNull, let array, array.count <= index { return self }
    var elements = array.map(Array.init) ?? []
    while elements.count <= index { elements.append(.null) }
    elements[index] = elements[index].merging(json, at: path)
    return .array(elements)
  }
}
