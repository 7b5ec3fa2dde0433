import SynclineNaming

/// Checks attributes against their specifications.
struct AttributeResolver {
  private(set) var bag = DiagnosticBag()

  /// Returns the valid attributes of a model or a property.
  mutating func resolve(
    _ attributes: [AttributeSyntax], targets: Set<AttributeSpec.Target>, on subject: String,
    named name: String
  ) -> [Attribute] {
    var result: [Attribute] = []
    var seen: Set<AttributeKind> = []
    for attribute in attributes {
      guard let kind = AttributeKind(rawValue: attribute.name.text) else {
        reportUnknown(attribute)
        continue
      }
      let spec = AttributeSpec.of(kind)
      guard spec.targets.contains(where: targets.contains) else {
        reportMisplaced(attribute, kind, on: subject, targets)
        continue
      }
      let mayRepeat = (kind == .index || kind == .deleted) && targets.contains(.model)
      guard seen.insert(kind).inserted || mayRepeat else {
        bag.error(
          .duplicateAttribute, "“@\(kind.rawValue)” is repeated on “\(name)”", at: attribute.range,
          fixIts: [.remove(attribute.range)])
        continue
      }
      // Its presence is recorded even if its arguments are invalid.
      let isRight =
        attribute.isComplete && checkArguments(of: attribute, kind, spec)
        && (kind != .primaryKey || checkKey(attribute, isOfModel: targets.contains(.model)))
        && (kind != .deleted || checkValue(attribute))
        && (kind != .null || checkNulls(attribute))
      result.append(
        Attribute(
          kind: kind, arguments: isRight ? attribute.arguments : [], range: attribute.range, isRight: isRight)
      )
    }
    return result
  }

  private mutating func reportUnknown(_ attribute: AttributeSyntax) {
    let name = attribute.name
    switch ForeignWords.meaning(of: attribute) {
    case .renamed(let kind):
      let keepsArguments = kind == .remoteKey || attribute.arguments.isEmpty
      let range = keepsArguments ? name.range : attribute.range
      bag.error(
        .unknownAttribute, "unknown attribute “@\(name.text)”: write “@\(kind.rawValue)”", at: name.range,
        fixIts: [.write((keepsArguments ? "" : "@") + kind.rawValue, for: range)])
    case .nothing(let why):
      bag.error(
        .unknownAttribute, "unknown attribute “@\(name.text)”: \(why)", at: name.range,
        fixIts: [.remove(attribute.range)])
    case nil:
      let meant = Vocabulary(AttributeKind.allCases.map(\.rawValue)).nearest(to: name.text)
      bag.error(
        .unknownAttribute,
        "unknown attribute “@\(name.text)”\(meant.map { "; did you mean “@\($0)”?" } ?? "")", at: name.range,
        fixIts: meant.map { [.write($0, for: name.range)] } ?? [])
    }
  }

  private mutating func reportMisplaced(
    _ attribute: AttributeSyntax, _ kind: AttributeKind, on subject: String,
    _ targets: Set<AttributeSpec.Target>
  ) {
    let isOfModel =
      targets.contains(.property) && !targets.contains(.member)
      && AttributeSpec.of(kind).targets.contains(.model)
    let example = kind == .primaryKey ? "@PrimaryKey(\\.user, \\.group)" : AttributeSpec.of(kind).example
    bag.error(
      .misplacedAttribute,
      "“@\(kind.rawValue)” is not allowed on \(subject)"
        + (isOfModel ? ": write it before the model, as in \(example)" : ""),
      at: attribute.range)
  }

  // MARK: Arguments

  private mutating func checkArguments(
    of attribute: AttributeSyntax, _ kind: AttributeKind, _ spec: AttributeSpec
  ) -> Bool {
    var seen: Set<String> = []
    for argument in attribute.arguments {
      let label = argument.label?.text
      guard let expected = spec.arguments.first(where: { $0.label == label }) else {
        reportLabel(of: argument, kind, spec)
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
        .invalidArgument, "“@\(kind.rawValue)” is missing \(what); write \(spec.example)",
        at: attribute.range)
      return false
    }
    return true
  }

  private mutating func reportLabel(
    of argument: ArgumentSyntax, _ kind: AttributeKind, _ spec: AttributeSpec
  ) {
    let arguments = spec.arguments
    guard let label = argument.label else {
      let meant = arguments.first { $0.type.takes(argument.value.value) }?.label
      bag.error(
        .invalidArgument, "“@\(kind.rawValue)” has no argument without a label; write \(spec.example)",
        at: argument.value.range,
        fixIts: meant.map { [.insert("\($0): ", before: argument.value.range)] } ?? [])
      return
    }
    let meant = Vocabulary(arguments.compactMap(\.label)).nearest(to: label.text)
    let isUnlabelled = arguments.contains { $0.label == nil && $0.type.takes(argument.value.value) }
    let written = label.range.through(argument.value.range.before)
    bag.error(
      .invalidArgument,
      "“@\(kind.rawValue)” has no argument “\(label.text):”"
        + (meant.map { "; did you mean “\($0):”?" } ?? "; write \(spec.example)"),
      at: label.range,
      fixIts: meant.map { [.write($0, for: label.range)] } ?? (isUnlabelled ? [.remove(written)] : []))
  }

  private mutating func check(
    _ value: LiteralSyntax, _ type: AttributeSpec.ArgumentType, _ kind: AttributeKind, _ spec: AttributeSpec
  ) -> Bool {
    if type.takes(value.value) { return checkDepth(of: value, kind) }
    if case .member(let names) = type, case .member(let member) = value.value {
      let meant = Vocabulary(names).nearest(to: member.text)
      let all = names.map { ".\($0)" }.joined(separator: ", ")
      let hint =
        meant.map { "did you mean “.\($0)”?" }
        ?? (names.count == 1 ? "the only value is \(all)" : "the values are \(all)")
      bag.error(
        .invalidArgument, "“@\(kind.rawValue)” has no value “.\(member.text)”; \(hint)", at: value.range,
        fixIts: meant.map { [.write(".\($0)", for: value.range)] } ?? [])
      return false
    }
    let corrected = type.corrected(value)
    bag.error(
      .invalidArgument,
      "“@\(kind.rawValue)” does not take \(value.kindName); write \(corrected ?? spec.example)",
      at: value.range, fixIts: corrected.map { [.write($0, for: value.range)] } ?? [])
    return false
  }
}

extension AttributeResolver {
  /// Checks `@PrimaryKey`: on a model it names the owner or several properties, on a property it names none.
  private mutating func checkKey(_ attribute: AttributeSyntax, isOfModel: Bool) -> Bool {
    let paths = attribute.arguments.filter { $0.label == nil }
    guard isOfModel else {
      guard let path = paths.first else { return true }
      bag.error(
        .invalidArgument,
        "“@PrimaryKey” on a property takes no key path: write @PrimaryKey(\\.user, \\.group) on the model",
        at: path.value.range)
      return false
    }
    if paths.count > 1, paths.count + 1 == attribute.arguments.count,
      let maker = attribute.arguments.first(where: { $0.label?.text == "madeBy" }), let label = maker.label
    {
      let names = paths.map(\.value.range.text).joined(separator: ", ")
      bag.error(
        .invalidIdentityMaker,
        "“@PrimaryKey” names several properties, which are sent with the row: only a single one can be “madeBy: .server”",
        at: label.range.through(maker.value.range),
        fixIts: [.write("@PrimaryKey(\(names))", for: attribute.range)])
      return false
    }
    guard !paths.isEmpty, paths.count == attribute.arguments.count else {
      bag.error(
        .invalidArgument,
        "“@PrimaryKey” on a model takes the owner of a row, as in @PrimaryKey(\\.user), or several properties, as in @PrimaryKey(\\.user, \\.group); if a single value identifies a row, write “@PrimaryKey” before that property",
        at: attribute.range)
      return false
    }
    return true
  }

  /// Checks the value of `@Deleted(is:)`, which is compared with a JSON value.
  private mutating func checkValue(_ attribute: AttributeSyntax) -> Bool {
    guard let value = attribute.arguments.first(where: { $0.label != nil })?.value,
      let (why, corrected) = value.notCompared
    else { return true }
    bag.error(
      .invalidDeletion,
      "“is:” compares with a string, a number or a boolean: \(value.quotedName) \(why)", at: value.range,
      fixIts: corrected.map { [.write($0, for: value.range)] } ?? [])
    return false
  }

  private mutating func checkNulls(_ attribute: AttributeSyntax) -> Bool {
    let words = NullWordResolver.words(attribute.arguments.map(\.value), of: "@Null", &bag)
    return words.count == attribute.arguments.count
  }

  /// Checks that a key path refers to a property. Only those of indexes may refer to members of structs.
  private mutating func checkDepth(of value: LiteralSyntax, _ kind: AttributeKind) -> Bool {
    guard kind != .index, case .keyPath(_, let property, let members) = value.value,
      let last = members.last
    else { return true }
    let rest = property.range.behind.through(last.range)
    bag.error(
      .invalidArgument, "the key path of “@\(kind.rawValue)” must be a single property", at: rest,
      fixIts: [.remove(rest)])
    return false
  }
}

extension AttributeSpec.ArgumentType {
  /// Whether a value has the type.
  fileprivate func takes(_ value: LiteralSyntax.Value) -> Bool {
    switch (self, value) {
    case (.text, .text), (.keyPath, .keyPath), (.keyPathOrNil, .keyPath), (.keyPathOrNil, .null):
      true
    case (.typeName, .word(let word)): isTypeName(word)
    case (.typeName, .path(let root, let member)): isTypeName(root.text) && isTypeName(member.text)
    // `NullWordResolver` checks all words together.
    case (.nullWord, _): true
    case (.member(let names), .member(let name)): names.contains(name.text)
    // `checkValue` checks later whether the value can be compared.
    case (.value, _): true
    default: false
    }
  }

  /// Whether generated code can use a word as the name of a type.
  private func isTypeName(_ word: String) -> Bool {
    !SwiftText.isKeyword(word) && !NameRule.forbidden.contains(word)
  }

  /// The value that was probably intended, if the literal has another type.
  fileprivate func corrected(_ literal: LiteralSyntax) -> String? {
    switch (self, literal.value) {
    case (.typeName, .text(let word)) where word.first?.isLetter ?? false: return word
    case (.text, .word), (.text, .path): return "\"\(literal.range.text)\""
    case (.keyPath, .word(let word)), (.keyPathOrNil, .word(let word)): return "\\.\(word)"
    case (.keyPath, .member(let name)), (.keyPathOrNil, .member(let name)): return "\\.\(name.text)"
    case (.keyPath, .path(let root, let member)), (.keyPathOrNil, .path(let root, let member)):
      return "\\\(root.text).\(member.text)"
    case (.member(let names), _):
      guard let word = literal.word, let name = Vocabulary(names).nearest(to: word) else { return nil }
      return ".\(name)"
    default: return nil
    }
  }
}
