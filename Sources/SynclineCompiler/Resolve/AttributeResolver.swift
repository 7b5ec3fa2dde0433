/// Checks attributes against their specifications.
struct AttributeResolver {
  private(set) var bag = DiagnosticBag()

  /// The attributes of a model or a property that are right.
  mutating func resolve(
    _ attributes: [AttributeSyntax], places: Set<AttributeSpec.Place>, on subject: String, named name: String
  ) -> [Attribute] {
    var result: [Attribute] = []
    var seen: Set<AttributeKind> = []
    for attribute in attributes {
      guard let kind = AttributeKind(rawValue: attribute.name.text) else {
        bag.error(
          .unknownAttribute,
          "unknown attribute “@\(attribute.name.text)”"
            + Suggestion.didYouMean(attribute.name.text, in: AttributeKind.allCases.map(\.rawValue)),
          at: attribute.name.range)
        continue
      }
      let spec = AttributeSpec.of(kind)
      guard spec.places.contains(where: places.contains) else {
        bag.error(.misplacedAttribute, "“@\(kind.rawValue)” cannot stand on \(subject)", at: attribute.range)
        continue
      }
      let mayRepeat = kind == .index && places.contains(.model)
      guard seen.insert(kind).inserted || mayRepeat else {
        bag.error(.duplicateAttribute, "“@\(kind.rawValue)” stands twice on “\(name)”", at: attribute.range)
        continue
      }
      // That it stands there is known even where its arguments are wrong.
      let isRight = attribute.isComplete && checkArguments(of: attribute, kind, spec)
      result.append(
        Attribute(
          kind: kind, arguments: isRight ? attribute.arguments : [], range: attribute.range, isRight: isRight)
      )
    }
    return result
  }

  private mutating func checkArguments(
    of attribute: AttributeSyntax, _ kind: AttributeKind, _ spec: AttributeSpec
  ) -> Bool {
    var seen: Set<String> = []
    for argument in attribute.arguments {
      let label = argument.label?.text
      guard let expected = spec.arguments.first(where: { $0.label == label }) else {
        let labels = spec.arguments.compactMap(\.label)
        let what = label.map { "“\($0):”" } ?? "without a label"
        let meant = label.flatMap { Suggestion.nearest(to: $0, in: labels) }
        bag.error(
          .invalidArgument,
          "“@\(kind.rawValue)” has no argument \(what)"
            + (meant.map { "; did you mean “\($0):”?" } ?? "; write \(spec.example)"),
          at: argument.label?.range ?? argument.value.range)
        return false
      }
      guard seen.insert(label ?? "").inserted || expected.repeats else {
        bag.error(
          .invalidArgument, "“@\(kind.rawValue)” has too many arguments; write \(spec.example)",
          at: argument.value.range)
        return false
      }
      guard check(argument.value, expected.type, kind, spec) else { return false }
    }
    if let missing = spec.arguments.first(where: { $0.isRequired && !seen.contains($0.label ?? "") }) {
      let what = missing.label.map { "“\($0):”" } ?? "its argument"
      bag.error(
        .invalidArgument, "“@\(kind.rawValue)” misses \(what); write \(spec.example)", at: attribute.range)
      return false
    }
    return true
  }

  private mutating func check(
    _ value: LiteralSyntax, _ type: AttributeSpec.ArgumentType, _ kind: AttributeKind, _ spec: AttributeSpec
  ) -> Bool {
    switch (type, value.value) {
    case (.text, .text), (.keyPath, .keyPath), (.keyPathOrNil, .keyPath), (.keyPathOrNil, .null): return true
    case (.member(let names), .member(let member)):
      let name = member.text
      if names.contains(name) { return true }
      bag.error(
        .invalidArgument,
        "“@\(kind.rawValue)” does not know “.\(name)”\(Suggestion.didYouMean(name, in: names)) (\(names.map { ".\($0)" }.joined(separator: ", ")))",
        at: value.range)
    default:
      bag.error(
        .invalidArgument, "“@\(kind.rawValue)” does not take \(value.kindName); write \(spec.example)",
        at: value.range)
    }
    return false
  }
}
