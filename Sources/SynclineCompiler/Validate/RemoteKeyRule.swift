import SynclineNaming

/// Checks explicit JSON keys: at most one attribute per property, with valid paths.
enum RemoteKeyRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.typesWithProperties
    where !model.propertyAttributes.isDisjoint(with: [.remoteKey, .primaryKey]) {
      for property in model.properties where property.orderedList == nil && property.hasExplicitKeys {
        if property.primaryRemoteKey != nil, let range = property.places[.remoteKey] {
          bag.error(
            .twoRemoteKeys,
            "“\(property.name)” has a key by “@PrimaryKey(remote:)” and another by “@RemoteKey”", at: range,
            fixIts: [.remove(range, "“@RemoteKey”")])
        }
        var seen: Set<String> = []
        for key in property.explicitKeys {
          let path = RemotePath.rooted(key.value, below: model.below?.value)
          guard seen.insert(RemotePath.unquoted(path)).inserted else {
            bag.error(.invalidKey, "“\(property.name)” has the key “\(key.value)” twice", at: key.range)
            continue
          }
          check(key, of: property, in: model, schema, &bag)
        }
      }
    }
  }

  private static func check(
    _ key: Located<String>, of property: Property, in model: Model, _ schema: Schema,
    _ bag: inout DiagnosticBag
  ) {
    // `ObjectItselfRule` checks it.
    if key.value == RemotePath.itself { return }
    guard !key.value.isEmpty else { return bag.error(.invalidKey, "a key cannot be empty", at: key.range) }
    let path = RemotePath.rooted(key.value, below: nil)
    if let (place, problem) = problem(of: path, property, in: model, schema) {
      let start = key.value.utf8.count - path.utf8.count
      bag.error(
        .invalidKey, "“\(key.value)” is not a valid key: \(problem)",
        at: key.range.inText(key.value, at: (start + place.lowerBound)..<(start + place.upperBound)))
    }
  }

  /// The reason why a key is invalid, and the range of the error in it.
  private static func problem(
    of key: String, _ property: Property, in model: Model, _ schema: Schema
  ) -> (place: Range<Int>, problem: String)? {
    let path: RemotePath
    do { path = try RemotePath(key) } catch { return (error.range, error.description) }
    guard path.beginsWithName || (path.beginsWithPlace && !model.isStruct) else {
      let first = RemotePath.components(of: key)[0]
      return (0..<first.utf8.count, "“\(first)” must follow a name")
    }
    if let number = path.number(in: key) {
      return (
        number,
        "“\(key.utf8Text(number))” is a list index: write “[\(key.utf8Text(number))]” after the name of the list"
      )
    }
    guard path.isMany, !property.isIncomplete, property.type != .invalid else { return nil }
    let place = key.placeOfMany
    let isList: Bool =
      switch property.type {
      case .toMany, .value(.list): true
      default: false
      }
    guard isList else {
      return (place, "it selects many values, but “\(property.name)” is \(property.typeText)")
    }
    if model.isStruct { return (place, "a path to many values is allowed only in models, not in structs") }
    return map(path, property, schema).map { (place, $0) }
  }

  /// The problem with a path into a map, if any.
  private static func map(_ path: RemotePath, _ property: Property, _ schema: Schema) -> String? {
    let maps = path.steps.indices.filter { if case .members = path.steps[$0] { true } else { false } }
    guard let last = maps.last, case .members(let name) = path.steps[last] else { return nil }
    if maps.count > 1 || path.steps[(last + 1)...].contains(where: \.isMany) {
      return "no step after “{}” may select many values: an export could not write them back"
    }
    if property.unionPart != nil {
      return "the rows of a union are in a list, not in an object by their keys"
    }
    guard let target = property.target else {
      return name.map { "“{\($0)}” names a property of a row, and these are values" }
        ?? "declare the values of a JSON object as a map: “\(property.name): [String: …]”"
    }
    if schema.isComposite(target) {
      return "the keys of an object cannot be identities of “\(target)”, which has a composite primary key"
    }
    guard let name else { return nil }
    guard last == path.steps.endIndex - 1 else { return "“{\(name)}” must be the last step of a path" }
    guard let model = schema.visibleModel(target), !model.isIncomplete else { return nil }
    guard let found = model.property(name) else {
      return "“\(target)” has no property “\(name)”"
        + Vocabulary(model.properties.map(\.name)).didYouMean(name)
    }
    // Its type was reported, or is declared in a target that is not imported.
    if found.isIncomplete || found.isInvalid { return nil }
    let isPlain =
      found.explicitPaths(below: model.below?.value).first.map { !$0.contains { ".[{\"".contains($0) } }
      ?? (model.below == nil)
    guard !found.isRelationship, isPlain, found.name != model.identityProperty?.name, !found.isTransient,
      found.export != .never, case .value(let type) = found.type, !type.mayBeObject
    else {
      return
        "“{\(name)}” needs a property of “\(target)” other than its identity that is exported, is not an object and has a plain key"
    }
    return nil
  }
}

extension ValueType {
  /// Whether its JSON may be an object, which would be read as a nested row.
  fileprivate var mayBeObject: Bool {
    switch self {
    case .scalar(.json), .structure, .union, .map: true
    case .scalar, .enumeration, .list: false
    }
  }
}

extension RemotePath {
  fileprivate var beginsWithName: Bool { if case .member? = steps.first { true } else { false } }
  fileprivate var beginsWithPlace: Bool { if case .index? = steps.first { true } else { false } }

  /// The range of a numeric component. Without other components, a number is a valid member name.
  func number(in key: String) -> Range<Int>? {
    var offset = 0
    let components = RemotePath.components(of: key)
    guard components.count > 1 else { return nil }
    var isOfPairs = false
    for component in components {
      let count = component.utf8.count
      // The keys of a list of pairs may be numbers.
      defer { isOfPairs = component.last == "]" && component.contains(":") }
      if !isOfPairs, component.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
        return offset..<(offset + count)
      }
      offset += count + 1
    }
    return nil
  }
}

extension String {
  func utf8Text(_ range: Range<Int>) -> String {
    String(decoding: Array(utf8)[range], as: UTF8.self)
  }

  /// The range of the first step that selects several values.
  var placeOfMany: Range<Int> {
    let bytes = Array(utf8)
    for index in bytes.indices.dropLast() {
      let isEach = bytes[index] == UInt8(ascii: "[") && bytes[index + 1] == UInt8(ascii: "]")
      if isEach { return index..<(index + 2) }
      if bytes[index] == UInt8(ascii: "{") {
        return index..<((bytes[index...].firstIndex(of: UInt8(ascii: "}")) ?? index) + 1)
      }
    }
    return 0..<bytes.count
  }
}

extension SourceRange {
  /// The range of a part of a string literal. With escapes in the literal, the offsets in its content differ from those in the
  /// source, so this returns the range of the whole literal.
  func inText(_ text: String, at place: Range<Int>) -> SourceRange {
    let quote = self.text.hasPrefix("#") ? 2 : 1
    guard offsets.count == text.utf8.count + 2 * quote else { return self }
    let start = offsets.lowerBound + quote
    return file.range((start + place.lowerBound)..<(start + place.upperBound))
  }
}
