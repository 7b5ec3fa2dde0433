/// Checks attributes against their specifications.
struct AttributeResolver {
  private(set) var diagnostics: [Diagnostic] = []

  /// The attributes of a model or a property that are right.
  mutating func resolve(
    _ attributes: [AttributeSyntax], places: Set<AttributeSpec.Place>, on subject: String, _ name: String
  ) -> [Attribute] {
    var result: [Attribute] = []
    for attribute in attributes {
      guard let kind = AttributeKind(rawValue: attribute.name.text) else {
        error(
          .unknownAttribute,
          "unknown attribute “@\(attribute.name.text)”"
            + Suggestion.didYouMean(attribute.name.text, in: AttributeKind.allCases.map(\.rawValue)),
          attribute.name.range)
        continue
      }
      let spec = AttributeSpec.of(kind)
      guard spec.places.contains(where: places.contains) else {
        error(.misplacedAttribute, "“@\(kind.rawValue)” cannot stand on \(subject)", attribute.range)
        continue
      }
      if result.contains(where: { $0.kind == kind }), kind != .index || !places.contains(.model) {
        error(.duplicateAttribute, "“@\(kind.rawValue)” stands twice on “\(name)”", attribute.range)
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
        error(
          .invalidArgument,
          "“@\(kind.rawValue)” has no argument \(what)"
            + (meant.map { "; did you mean “\($0):”?" } ?? "; write \(spec.example)"),
          argument.label?.range ?? argument.value.range)
        return false
      }
      guard seen.insert(label ?? "").inserted || expected.repeats else {
        error(
          .invalidArgument, "“@\(kind.rawValue)” has too many arguments; write \(spec.example)",
          argument.value.range)
        return false
      }
      guard check(argument.value, expected.type, kind, spec) else { return false }
    }
    if let missing = spec.arguments.first(where: { $0.isRequired && !seen.contains($0.label ?? "") }) {
      let what = missing.label.map { "“\($0):”" } ?? "its argument"
      error(.invalidArgument, "“@\(kind.rawValue)” misses \(what); write \(spec.example)", attribute.range)
      return false
    }
    return true
  }

  private mutating func check(
    _ value: LiteralSyntax, _ type: AttributeSpec.ArgumentType, _ kind: AttributeKind, _ spec: AttributeSpec
  ) -> Bool {
    switch (type, value.value) {
    case (.text, .text), (.keyPath, .keyPath), (.keyPathOrNil, .keyPath), (.keyPathOrNil, .null): return true
    case (.member(let names), .member(let name)):
      if names.contains(name) { return true }
      error(
        .invalidArgument,
        "“@\(kind.rawValue)” does not know “.\(name)”\(Suggestion.didYouMean(name, in: names)) (\(names.map { ".\($0)" }.joined(separator: ", ")))",
        value.range)
    default:
      error(
        .invalidArgument, "“@\(kind.rawValue)” does not take \(value.kindName); write \(spec.example)",
        value.range)
    }
    return false
  }

  private mutating func error(_ code: DiagnosticCode, _ message: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: code, severity: .error, message: message, range: range))
  }
}
