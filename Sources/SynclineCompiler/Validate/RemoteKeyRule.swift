/// Explicit JSON keys: one for a property, and one that can be found.
enum RemoteKeyRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for property in schema.typesWithProperties.flatMap(\.properties) {
      if property.primaryRemoteKey != nil, let range = property.places[.remoteKey] {
        bag.error(
          .twoRemoteKeys,
          "“\(property.name)” has a key by “@PrimaryKey(remote:)” and another by “@RemoteKey”", at: range,
          fixIts: [.init(message: "remove “@RemoteKey”", range: range, replacement: "")])
      }
      var seen: Set<String> = []
      for key in property.explicitKeys {
        if seen.insert(key.value).inserted {
          check(key, &bag)
        } else {
          bag.error(.invalidKey, "“\(property.name)” has the key “\(key.value)” twice", at: key.range)
        }
      }
    }
  }

  private static func check(_ explicit: Located<String>, _ bag: inout DiagnosticBag) {
    let (key, range) = (explicit.value, explicit.range)
    guard !key.isEmpty else { return bag.error(.invalidKey, "an empty text is no key", at: range) }
    let components = key.split(separator: ".", omittingEmptySubsequences: false)
    guard let (component, problem) = firstProblem(of: components) else { return }
    bag.error(.invalidKey, "“\(key)” is no key: \(problem)", at: place(of: component, in: key, range))
  }

  /// The first component that finds nothing, and why.
  private static func firstProblem(of components: [Substring]) -> (component: Substring, problem: String)? {
    for component in components {
      if component.isEmpty { return (component, "a name between its dots is empty") }
      // Alone it is the name of a member.
      if components.count > 1,
        component.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      {
        return (component, "“\(component)” is a place in a list, and \(advice)")
      }
      if let step = step(of: component) {
        return (component, "“\(step)” is a step into a list or map, and \(advice)")
      }
    }
    return nil
  }

  private static let advice = "a path leads through objects only: read the list as “[Model]” or “JSON”"

  /// The brackets that a component ends with.
  private static func step(of component: Substring) -> Substring? {
    for (open, close) in [("[", "]"), ("{", "}")] as [(Character, Character)] where component.last == close {
      if let start = component.lastIndex(of: open) { return component[start...] }
    }
    return nil
  }

  /// Where a component stands, or the dot that has none beside it. In a text with escapes letters are not where they are in
  /// the file: of those, the whole.
  private static func place(of component: Substring, in key: String, _ literal: SourceRange) -> SourceRange {
    let offsets = literal.offsets
    guard offsets.count == key.utf8.count + 2 else { return literal }
    let start = key.utf8.distance(from: key.startIndex, to: component.startIndex)
    let lower = offsets.lowerBound + 1 + start - (component.isEmpty && start > 0 ? 1 : 0)
    return SourceRange(file: literal.file, offsets: lower..<(lower + max(1, component.utf8.count)))
  }
}
