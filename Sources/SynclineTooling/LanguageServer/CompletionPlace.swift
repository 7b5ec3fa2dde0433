import SynclineCompiler

/// The syntactic context of a position: the kind of text that is about to be typed there.
enum CompletionPlace {
  case declaration
  /// The name of an attribute, after its `@`; nil outside of bodies.
  case attribute(in: Keyword.Kind?)
  case member(of: Keyword.Kind)
  case type(in: Keyword.Kind)
  case rawType
  case module
  /// `Foundation.`
  case typeOf(module: String)
  case value(of: PropertyHead)
  /// `= .` and `= State.`
  case caseName(of: String)
  case argument(of: String, without: Set<String>)
  case argumentValue(of: String, label: String?)
  /// `deleteRule: .`
  case memberName(of: String, label: String?)
  /// The next name of a key path. `path` starts with the root, or nil if it is omitted. An empty path means that the root itself
  /// comes next.
  case keyPath(of: String, path: [String?])
  case settingName
  case setting(String)
  case unionKey
  case nothing

  /// A property, without its value.
  struct PropertyHead {
    let type: String
    /// The empty list or map that is offered as the default; nil for other types.
    let emptyValue: String?
  }

  /// The construct that is open at the position.
  private enum Frame {
    case body(Keyword.Kind)
    /// The arguments of an attribute, and the index of their first token.
    case arguments(of: String, from: Int)
  }

  static func after(_ tokens: [Token], in file: SourceFile, startsLine: Bool) -> CompletionPlace {
    var frames: [Frame] = []
    // The start of the current member or declaration.
    var start = 0
    func text(_ index: Int) -> String { file.text(tokens[index].range) }
    for (index, token) in tokens.enumerated() {
      var isInArguments = false
      if case .arguments? = frames.last { isInArguments = true }
      if !isInArguments, token.startsLine, startsDeclaration(tokens[start..<index]) { start = index }
      switch token.kind {
      case .leftParenthesis:
        let name = index > 0 && tokens[index - 1].kind == .identifier ? text(index - 1) : ""
        frames.append(.arguments(of: name, from: index + 1))
      case .rightParenthesis:
        if isInArguments { frames.removeLast() }
      case .leftBrace:
        let words = (start..<index).filter { tokens[$0].kind == .identifier }.map(text)
        frames.append(.body(words.compactMap(Keyword.Kind.init).first ?? .model))
        start = index + 1
      case .rightBrace:
        while case .arguments? = frames.last { frames.removeLast() }
        frames = frames.dropLast()
        start = index + 1
      case .semicolon: start = index + 1
      default: break
      }
    }
    if case .arguments(let name, let first)? = frames.last {
      return argument(of: name, tokens[first...], file)
    }
    if startsLine, startsDeclaration(tokens[start...]) { start = tokens.count }
    var body: Keyword.Kind?
    if case .body(let kind)? = frames.last { body = kind }
    return member(tokens[start...], in: body, file)
  }

  /// Whether a line break after the tokens starts a new member or declaration. An attribute may be on the line above its
  /// declaration.
  private static func startsDeclaration(_ tokens: ArraySlice<Token>) -> Bool {
    guard let last = tokens.last?.kind else { return true }
    return !withoutAttributes(tokens).isEmpty && last != .colon && last != .equals
  }

  private static func withoutAttributes(_ tokens: ArraySlice<Token>) -> ArraySlice<Token> {
    var rest = tokens
    while rest.first?.kind == .at {
      rest = rest.dropFirst(2)
      guard rest.first?.kind == .leftParenthesis else { continue }
      var depth = 0
      while let token = rest.popFirst() {
        if token.kind == .leftParenthesis { depth += 1 }
        if token.kind == .rightParenthesis { depth -= 1 }
        if depth == 0 { break }
      }
    }
    return rest
  }

  private static func argument(of attribute: String, _ tokens: ArraySlice<Token>, _ file: SourceFile)
    -> CompletionPlace
  {
    let arguments = tokens.split(omittingEmptySubsequences: false) { $0.kind == .comma }
    let labels = arguments.filter { $0.count > 1 && $0.dropFirst().first?.kind == .colon }
      .compactMap { $0.first.map { file.text($0.range) } }
    var current = arguments.last ?? []
    var label: String?
    if let first = current.first, current.dropFirst().first?.kind == .colon {
      label = file.text(first.range)
      current = current.dropFirst(2)
      if current.isEmpty { return .argumentValue(of: attribute, label: label) }
    }
    switch current.map(\.kind) {
    case []: return .argument(of: attribute, without: Set(labels))
    case [.dot]: return .memberName(of: attribute, label: label)
    case [.backslash]: return .keyPath(of: attribute, path: [])
    default:
      guard current.first?.kind == .backslash, current.last?.kind == .dot else { return .nothing }
      let names = current.filter { $0.kind == .identifier }.map { file.text($0.range) }
      let hasRoot = current.dropFirst().first?.kind == .identifier
      return .keyPath(of: attribute, path: hasRoot ? names : [nil] + names)
    }
  }

  private static func member(_ tokens: ArraySlice<Token>, in body: Keyword.Kind?, _ file: SourceFile)
    -> CompletionPlace
  {
    if tokens.last?.kind == .at { return .attribute(in: body) }
    let rest = withoutAttributes(tokens)
    let kinds = rest.map(\.kind)
    func text(_ position: Int) -> String { file.text(rest[rest.startIndex + position].range) }
    switch body {
    case nil:
      if kinds.isEmpty { return .declaration }
      switch Keyword.Kind(rawValue: text(0)) {
      case .module: return kinds.count == 1 ? .module : .nothing
      case .enumeration: return kinds == [.identifier, .identifier, .colon] ? .rawType : .nothing
      case .union: return kinds == [.identifier, .identifier] ? .unionKey : .nothing
      case .model, .structure, .settings, nil: return .nothing
      }
    case .settings?:
      return kinds.isEmpty ? .settingName : kinds == [.identifier, .colon] ? .setting(text(0)) : .nothing
    case .enumeration?: return kinds.isEmpty ? .member(of: .enumeration) : .nothing
    case let kind?:
      if kinds.isEmpty { return .member(of: kind) }
      guard let colon = kinds.firstIndex(of: .colon) else { return .nothing }
      let type = rest.dropFirst(colon + 1)
      if let equals = type.firstIndex(where: { $0.kind == .equals }) {
        return value(type[(equals + 1)...], of: head(type[..<equals], file), file)
      }
      switch type.last?.kind {
      case nil, .leftBracket, .colon: return .type(in: kind)
      case .dot: return type.dropLast().last.map { .typeOf(module: file.text($0.range)) } ?? .nothing
      default: return .nothing
      }
    }
  }

  private static func head(_ type: ArraySlice<Token>, _ file: SourceFile) -> PropertyHead {
    let name = type.last { $0.kind == .identifier }.map { file.text($0.range) } ?? ""
    guard type.first?.kind == .leftBracket else { return PropertyHead(type: name, emptyValue: nil) }
    // The key of a map is a single word.
    let isMap = type.dropFirst(2).first?.kind == .colon
    return PropertyHead(type: name, emptyValue: isMap ? "[:]" : "[]")
  }

  private static func value(_ tokens: ArraySlice<Token>, of property: PropertyHead, _ file: SourceFile)
    -> CompletionPlace
  {
    switch tokens.map(\.kind) {
    case []: .value(of: property)
    case [.dot]: .caseName(of: property.type)
    case [.identifier, .dot]: .caseName(of: tokens.first.map { file.text($0.range) } ?? "")
    default: .nothing
    }
  }
}

/// The model at which key paths without a root begin.
struct CompletionSurroundings {
  /// The model or struct that has the attribute, or has the property with the attribute.
  private(set) var model: String?
  /// The type to which the property refers.
  private(set) var target: String?

  init(of file: ParsedFile, behind first: Int) {
    let tokens = file.tree.tokens
    func text(_ index: Int) -> String { file.source.text(tokens[index].range) }
    func isNamed(_ index: Int) -> Bool {
      index + 1 < tokens.count && tokens[index].kind == .identifier && tokens[index + 1].kind == .identifier
        && ["model", "struct"].contains(text(index))
    }
    // The enclosing declaration is the last one opened and not closed.
    var open: [String?] = []
    for index in tokens.indices.prefix(first) {
      if tokens[index].kind == .leftBrace {
        let head = tokens[..<index].lastIndex { $0.kind == .identifier && $0.startsLine }
        open.append(head.flatMap { isNamed($0) ? text($0 + 1) : nil })
      } else if tokens[index].kind == .rightBrace {
        open = open.dropLast()
      }
    }
    model = open.last ?? nil
    for index in tokens.indices.dropFirst(first) {
      if model == nil, isNamed(index) {
        model = text(index + 1)
        return
      }
      guard index > 0, tokens[index].kind == .colon, tokens[index - 1].kind == .identifier,
        tokens[index - 1].startsLine || tokens[..<(index - 1)].last?.kind == .rightParenthesis
          || tokens[..<(index - 1)].last?.kind == .identifier
      else { continue }
      let type = tokens[(index + 1)...].prefix { !$0.startsLine && $0.kind != .equals && $0.kind != .end }
      target = type.last { $0.kind == .identifier }.map { file.source.text($0.range) }
      return
    }
  }
}
