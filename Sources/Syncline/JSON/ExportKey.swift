import SynclineNaming

/// The key under which a property is exported, and its steps. A path has more than one.
struct ExportKey {
  let text: String
  /// The steps up to a map of rows.
  let steps: ArraySlice<RemotePath.Step>
  /// The map of rows at the end of the steps; nil if there is none.
  let map: ExportedMap?
  /// The names of the path; nil if it has a step into a list or a map.
  let names: [String]?
  /// Whether it has a step to one index of a list.
  let hasPlace: Bool
  /// Its place in a row that is a list.
  var placeInRow: Int? { if case .index(let place)? = steps.first { place } else { nil } }
  /// The path of the first list that it leads into, which is empty for a row that is a list. Nil if there is none.
  var list: [String]? {
    var names: [String] = []
    for step in steps {
      guard case .member(let name) = step else { return names }
      names.append(name)
    }
    return nil
  }
  /// Whether the whole path is also read as one key.
  let isLiteral: Bool

  /// Whether the whole path can be the name of one member: of an object, or of a row that is a list.
  var isName: Bool {
    if let names { return isLiteral && !names.isEmpty }
    return placeInRow != nil && steps.count == 1 && map == nil
  }
  /// Whether it is the path `.`, the object itself.
  var isItself: Bool { names?.isEmpty ?? false }

  init(_ text: String) {
    self.text = text
    // The path of a property does not begin in a map.
    let path = text.utf8.first == UInt8(ascii: "{") ? nil : (try? RemotePath(text))
    isLiteral = !(path?.hasQuotes ?? false)
    let steps: [RemotePath.Step] =
      text == RemotePath.itself
      ? []
      : path?.steps
        ?? text.split(separator: ".", omittingEmptySubsequences: false).map { .member(String($0)) }
    let map = steps.firstIndex { if case .members = $0 { true } else { false } }
    self.steps = steps[..<(map ?? steps.endIndex)]
    self.map = map.map { ExportedMap(steps[$0], rest: steps[($0 + 1)...]) }
    var names: [String] = []
    for case .member(let name) in steps { names.append(name) }
    self.names = names.count == steps.count ? names : nil
    hasPlace = steps.contains { if case .index = $0 { true } else { false } }
  }

  /// Whether the path goes into the value at another path, ignoring the indexes of lists.
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

  /// Whether the path begins with the whole of another path and continues into its value.
  func isInside(_ other: ExportKey) -> Bool { leads(into: other) && steps.starts(with: other.steps) }
}

/// A map of rows, keyed by their identities.
struct ExportedMap {
  /// The property whose value represents a row; nil if the row's object does.
  let property: String?
  /// The steps after the map's values.
  private let rest: ArraySlice<RemotePath.Step>

  fileprivate init(_ step: RemotePath.Step, rest: ArraySlice<RemotePath.Step>) {
    if case .members(let property) = step { self.property = property } else { property = nil }
    self.rest = rest
  }

  /// The map's value for a row.
  ///
  /// - Parameters:
  ///   - row: the row's object, or a key.
  ///   - key: the key of the property in the object.
  func value(_ row: SyncJSON, key: String?) -> SyncJSON {
    // If the row's values are not written, an object shows that the row is in the map.
    if property != nil { return key.flatMap { row[$0] } ?? (row.object == nil ? [:] : row) }
    // If only a key is written, `true` shows that the row is in the map.
    return SyncJSON.null.merging(row.object == nil ? true : row, at: rest)
  }
}

extension SyncJSONObject {
  /// Sets a value at a path that begins with a member. Objects are merged, and a null never replaces an object.
  mutating func merge(_ json: SyncJSON, at path: ArraySlice<RemotePath.Step>) {
    guard case .member(let key)? = path.first else { return }
    let rest = path.dropFirst()
    guard let present = self[key] else { return append(key, SyncJSON.null.merging(json, at: rest)) }
    self[key] = present.merging(json, at: rest)
  }

  /// Sets a value at a path that may go into lists. Before an index, missing elements are filled with nulls. If lists are nested,
  /// the innermost one contains the values.
  ///
  /// If the list for the value exists, a nil is instead written under the whole path as a literal key, which is read first. A
  /// path with quotes is not read as one key, so nothing is written.
  mutating func merge(_ json: SyncJSON, at key: ExportKey) {
    if key.names == nil, json.isNull {
      // A null on the path already means null.
      let own = SyncJSON.object(self)
      if key.steps.indices.contains(where: { own.value(at: key.steps[..<$0])?.isNull ?? false }) { return }
      if let many = key.steps.firstIndex(where: \.isMany), own.value(at: key.steps[..<many])?.array != nil {
        if key.isLiteral { self[key.text] = json }
        return
      }
    }
    merge(json, at: key.steps)
  }

  /// Adds the members of another row's object that this one lacks: also inside objects and lists that exist here only because a
  /// path leads through them.
  mutating func fill(from json: SyncJSON, besides paths: [ArraySlice<RemotePath.Step>]) {
    guard case .object(let members) = json else { return }
    for (name, value) in members {
      guard let own = self[name] else {
        append(name, value)
        continue
      }
      let inside = paths.filter { $0.count > 1 && $0.first == .member(name) }.map { $0.dropFirst() }
      if !inside.isEmpty { self[name] = own.filled(from: value, besides: inside) }
    }
  }
}

extension SyncJSON {
  func value(at path: ArraySlice<RemotePath.Step>) -> SyncJSON? {
    path.reduce(self) { (value: SyncJSON?, step: RemotePath.Step) -> SyncJSON? in
      switch step {
      case .member(let name): value?.object?[name]
      case .index(let index): value?.array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      case .each, .members, .pairs: nil
      }
    }
  }

  /// The value that the paths have written, completed with the parts of another row's value that no path writes.
  fileprivate func filled(from other: SyncJSON, besides paths: [ArraySlice<RemotePath.Step>]) -> SyncJSON {
    switch (self, other) {
    case (.object(var own), .object):
      own.fill(from: other, besides: paths)
      return .object(own)
    case (.array(let own), .array(let others)):
      var elements = Array(own)
      if case .pairs(let name, let value)? = paths.first?.first {
        for pair in others { elements.fill(from: pair, (name, value), besides: paths) }
        return .array(elements)
      }
      for (index, element) in others.enumerated() {
        let inside = paths.filter { $0.first == .index(index) || $0.first == .each }.map { $0.dropFirst() }
        if index == elements.count {
          elements.append(element)
        } else if inside.isEmpty {
          // No path writes this element; it only fills the list up to a later one.
          elements[index] = element
        } else if !inside.contains(where: \.isEmpty) {
          elements[index] = elements[index].filled(from: element, besides: inside)
        }
      }
      return .array(elements)
    default: return self
    }
  }

  /// The value, with another value merged at a path.
  func merging(_ json: SyncJSON, at path: ArraySlice<RemotePath.Step>) -> SyncJSON {
    guard let step = path.first else {
      guard case .object(var own) = self else { return json }
      guard case .object(let members) = json else { return self }
      for (name, value) in members { own.merge(value, at: [.member(name)]) }
      return .object(own)
    }
    let rest = path.dropFirst()
    switch step {
    case .member:
      var object = object ?? SyncJSONObject()
      object.merge(json, at: path)
      return .object(object)
    case .index(let index): return merging(element: index, json, at: rest)
    case .each:
      // A nil is written as null in place of the outermost list. Further in, null would mean a list without values.
      if json.isNull { return isNull ? json : self }
      guard !rest.contains(where: \.isMany) else {
        // An empty list needs only the outermost list: an element there would add a value.
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
    case .pairs(let name, let value):
      guard case .member(let pair)? = rest.first else { return self }
      return merging(pair: pair, (name, value), json, at: rest.dropFirst())
    }
  }

  /// The list of pairs, with a value merged into one of them. Nil adds no pair.
  private func merging(
    pair: String, _ keys: (name: String, value: String), _ json: SyncJSON,
    at path: ArraySlice<RemotePath.Step>
  ) -> SyncJSON {
    var pairs = array.map(Array.init) ?? []
    let index = pairs.firstIndex { $0[keys.name] == .string(pair) }
    if json.isNull, index == nil { return .array(pairs) }
    let value = (index.flatMap { pairs[$0][keys.value] } ?? .null).merging(json, at: path)
    let new = SyncJSON.object(SyncJSONObject([(keys.name, .string(pair)), (keys.value, value)]))
    if let index { pairs[index] = new } else { pairs.append(new) }
    return .array(pairs)
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

extension [SyncJSON] {
  /// Adds a pair of another row to the pairs that paths made, or the parts of its value to which they do not lead.
  fileprivate mutating func fill(
    from pair: SyncJSON, _ keys: (name: String, value: String), besides paths: [ArraySlice<RemotePath.Step>]
  ) {
    guard let name = pair[keys.name]?.string,
      let index = firstIndex(where: { $0[keys.name]?.string == name }), case .object(var own) = self[index]
    else { return append(pair) }
    let member = RemotePath.Step.member(name)
    let inside = paths.map { $0.dropFirst() }.filter { $0.count > 1 && $0.first == member }
    guard !inside.isEmpty, let value = own[keys.value], let other = pair[keys.value] else { return }
    own[keys.value] = value.filled(from: other, besides: inside.map { $0.dropFirst() })
    self[index] = .object(own)
  }
}
