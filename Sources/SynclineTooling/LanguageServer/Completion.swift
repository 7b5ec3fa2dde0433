import Syncline
import SynclineCompiler

/// Completion items for a position. They are found from the tokens before it, since a file is rarely complete during typing.
struct Completion {
  let schema: Schema
  let symbols: [Symbol]
  /// The section of the file that contains the position, and the line at which it begins.
  let file: ParsedFile
  let line: Int
  let modules: [String]

  struct Item {
    /// The `CompletionItemKind` of the protocol.
    enum Kind: Int {
      case field = 5, type = 7, module = 9, property = 10, value = 12, enumeration = 13, keyword = 14
      case snippet = 15, enumCase = 20, structure = 22, label = 25
    }

    let label: String
    let kind: Kind
    var detail: String?
    /// The text to insert, if it differs from the label.
    var text: String?
    var documentation: String?
  }

  private var tokens: [Token] { file.tree.tokens }

  /// The completion items for an offset, as JSON of the protocol.
  func items(at offset: Int) -> SyncJSON {
    guard !isInText(offset) else { return [] }
    // The item replaces the partial name before the offset.
    let typed = tokens.last {
      $0.kind == .identifier && $0.range.lowerBound < offset && offset <= $0.range.upperBound
    }
    let replaced = typed?.range ?? offset..<offset
    let before = Array(tokens.prefix { $0.kind != .end && $0.range.lowerBound < replaced.lowerBound })
    let lineOfStart = file.source.lineIndex(of: replaced.lowerBound)
    let startsLine =
      before.last.map { file.source.lineIndex(of: $0.range.upperBound) < lineOfStart } ?? true
    let range = file.source.range(of: replaced, from: line)
    return .array(
      items(after: before, startsLine: startsLine).enumerated().map { position, item in
        let number = String(position)
        return .object([
          "label": .string(item.label), "kind": SyncJSON(item.kind.rawValue),
          "detail": item.detail.map(SyncJSON.string),
          "documentation": item.documentation.map(SyncJSON.markdown),
          "sortText": .string(String(repeating: "0", count: max(0, 5 - number.count)) + number),
          "textEdit": ["range": range, "newText": .string(item.text ?? item.label)],
        ])
      })
  }

  /// Whether an offset is in a comment or a string.
  private func isInText(_ offset: Int) -> Bool {
    let isText = tokens.contains {
      $0.kind == .string && $0.range.lowerBound < offset && offset < $0.range.upperBound
    }
    return isText
      || file.tree.trivia.contains {
        // A line comment goes on at its end.
        let end = $0.range.upperBound + ($0.kind == .blockComment ? 0 : 1)
        return $0.isComment && $0.range.lowerBound < offset && offset < end
      }
  }

  // MARK: Places

  private func items(after before: [Token], startsLine: Bool) -> [Item] {
    switch CompletionPlace.after(before, in: file.source, startsLine: startsLine) {
    case .declaration: return Completion.keywords + attributes(in: nil, withSign: true)
    case .attribute(let body): return attributes(in: body, withSign: false)
    case .member(of: .enumeration), .member(of: .union):
      return [Item(label: "case", kind: .keyword, text: "case ")]
    case .member(let body): return attributes(in: body, withSign: true)
    case .type(let body): return types(in: body)
    case .rawType: return ["String", "Int"].map { Item(label: $0, kind: .type) }
    case .module: return modules.map { Item(label: $0, kind: .module) }
    case .typeOf(let module): return ScalarType.allCases.filter { $0.module == module }.map(Completion.item)
    case .value(let property): return values(of: property)
    case .caseName(let enumeration): return caseNames(enumeration).map { Item(label: $0, kind: .enumCase) }
    case .argument(let attribute, let labels): return arguments(of: attribute, without: labels, before)
    case .argumentValue(let attribute, let label): return argumentValues(attribute, label, before)
    case .memberName(let attribute, let label):
      guard case .member(let names)? = argument(attribute, label)?.type else { return [] }
      return names.map { Item(label: $0, kind: .enumCase) }
    case .keyPath(let attribute, let path): return keyPath(attribute, path, before)
    case .settingName:
      return Schema.Setting.allCases.map {
        Item(label: $0.rawValue, kind: .field, detail: $0.summary, text: "\($0.rawValue): ")
      }
    case .setting(let name):
      return (Schema.Setting(rawValue: name)?.values ?? []).map { Item(label: $0, kind: .value) }
    case .unionKey:
      return [
        Item(label: "on", kind: .keyword, detail: "the key that distinguishes the cases", text: "on \"type\"")
      ]
    case .nothing: return []
    }
  }

  private static let keywords: [Item] = Keyword.Kind.allCases.map { kind in
    let detail =
      switch kind {
      case .model: "rows of a table"
      case .structure: "a value in a column"
      case .enumeration: "a set of strings or numbers"
      case .union: "one of several models or structs"
      case .module: "the models of another target"
      case .settings: "the settings of the target"
      }
    return Item(label: kind.rawValue, kind: .keyword, detail: detail, text: kind.rawValue + " ")
  }

  private func attributes(in body: Keyword.Kind?, withSign: Bool) -> [Item] {
    let targets: Set<AttributeSpec.Target> =
      switch body {
      case .model: [.property, .scalar, .date, .relationship]
      case .structure: [.member, .date]
      case nil: [.model, .structure]
      case .enumeration, .union, .module, .settings: []
      }
    return AttributeKind.allCases.compactMap { kind in
      let spec = AttributeSpec.of(kind)
      guard !targets.isDisjoint(with: spec.targets) else { return nil }
      let name = (withSign ? "@" : "") + kind.rawValue
      let hasArguments = spec.arguments.contains(where: \.isRequired)
      return Item(
        label: name, kind: .keyword, detail: spec.example, text: name + (hasArguments ? "(" : ""),
        documentation: kind.summary)
    }
  }

  private func types(in body: Keyword.Kind) -> [Item] {
    let scalars = ScalarType.allCases.map(Completion.item)
    return switch body {
    case .union: declared { $0.kind == .model || $0.kind == .structure }
    case .structure: scalars + declared { $0.kind != .model }
    default: scalars + declared { _ in true }
    }
  }

  private static func item(_ scalar: ScalarType) -> Item {
    Item(label: scalar.rawValue, kind: .type, detail: PropertyNotes.sources(of: .scalar(scalar)))
  }

  private func declared(_ isMeant: (Symbol) -> Bool) -> [Item] {
    symbols.filter(isMeant).compactMap { symbol in
      let kind: Item.Kind
      switch symbol.kind {
      case .model, .structure: kind = .structure
      case .enumeration, .union: kind = .enumeration
      case .property, .enumCase, .module: return nil
      }
      return Item(
        label: symbol.name, kind: kind,
        detail: symbol.module.map { "\(symbol.kind.word) of \($0)" } ?? symbol.kind.word)
    }.sorted { $0.label < $1.label }
  }

  // MARK: Values

  private func values(of property: CompletionPlace.PropertyHead) -> [Item] {
    if let value = property.emptyValue { return [Item(label: value, kind: .value)] }
    if property.type == "Bool" { return ["true", "false"].map { Item(label: $0, kind: .value) } }
    return caseNames(property.type).map { Item(label: ".\($0)", kind: .enumCase) }
  }

  private func caseNames(_ enumeration: String) -> [String] {
    symbols.filter { $0.kind == .enumCase && $0.container == enumeration }.map(\.name)
  }

  // MARK: Arguments

  private func argument(_ attribute: String, _ label: String?) -> AttributeSpec.Argument? {
    guard let kind = AttributeKind(rawValue: attribute) else { return nil }
    return AttributeSpec.of(kind).arguments.first { $0.label == label }
  }

  private func arguments(of attribute: String, without labels: Set<String>, _ before: [Token]) -> [Item] {
    guard let kind = AttributeKind(rawValue: attribute) else { return [] }
    return AttributeSpec.of(kind).arguments.flatMap { argument -> [Item] in
      guard let label = argument.label else { return argumentValues(attribute, nil, before) }
      return labels.contains(label) ? [] : [Item(label: "\(label):", kind: .label, text: "\(label): ")]
    }
  }

  private func argumentValues(_ attribute: String, _ label: String?, _ before: [Token]) -> [Item] {
    guard let argument = argument(attribute, label) else { return [] }
    switch argument.type {
    case .member(let names): return names.map { Item(label: ".\($0)", kind: .enumCase) }
    case .keyPath: return keyPathItems(attribute, before)
    case .keyPathOrNil: return keyPathItems(attribute, before) + [Item(label: "nil", kind: .value)]
    case .text: return [Item(label: "\"\"", kind: .snippet)]
    case .nullWord: return ["\"\"", "0", "false", "[]"].map { Item(label: $0, kind: .value) }
    case .typeName, .value: return []
    }
  }

  private func keyPathItems(_ attribute: String, _ before: [Token]) -> [Item] {
    keyPath(attribute, [nil], before).map { item in
      Item(label: "\\.\(item.label)", kind: item.kind, detail: item.detail)
    }
  }

  /// The names that can follow in a key path. `path` begins with the root, or with nil if the root is omitted.
  private func keyPath(_ attribute: String, _ path: [String?], _ before: [Token]) -> [Item] {
    guard let root = path.first else {
      return declared { $0.kind == .model }
    }
    let place = CompletionSurroundings(of: file, behind: before.count)
    var owner = root
    if owner == nil { owner = attribute == "Relationship" ? place.target : place.model }
    for name in path.dropFirst() {
      let property = owner.flatMap { properties(of: $0)?.first { $0.name == name } }
      owner = property?.target ?? property?.valueType?.declaredName
    }
    return (owner.flatMap(properties) ?? []).filter {
      $0.unionPart == nil && !$0.isComposite && $0.orderedList == nil
    }
    .map { Item(label: $0.name, kind: .property, detail: $0.typeText) }
  }

  private func properties(of name: String) -> [Property]? {
    (schema.visibleModel(name) ?? schema.structure(name))?.properties
  }
}

extension Symbol.Kind {
  /// The keyword, or what editors show.
  var word: String {
    switch self {
    case .model: "model"
    case .property: "property"
    case .structure: "struct"
    case .enumeration: "enum"
    case .union: "union"
    case .enumCase: "case"
    case .module: "target"
    }
  }
}
