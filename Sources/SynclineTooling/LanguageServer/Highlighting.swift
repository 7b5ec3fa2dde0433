import Syncline
import SynclineCompiler

/// The semantic tokens of a section of a file, for syntax highlighting.
struct Highlighting {
  /// The type of a semantic token, with its name in the protocol.
  enum Kind: String, CaseIterable {
    case keyword, comment, string, number, decorator, namespace, type, structure = "struct"
    case enumeration = "enum", enumMember, property, parameter
  }

  /// The modifiers of a token, as bits in the order of the legend.
  private enum Modifier {
    static let declaration = 1
    static let library = 2
  }

  private struct Word {
    let range: Range<Int>
    let kind: Kind
    var modifiers = 0
  }

  private let tree: SyntaxTree

  /// The semantic tokens of a file, as JSON of the protocol: each position is relative to the previous token.
  static func json(_ sections: [EditedFile.Section]) -> SyncJSON {
    var numbers: [SyncJSON] = []
    var place = (line: 0, column: 0)
    for section in sections {
      Highlighting(tree: section.file.tree).write(to: &numbers, from: section.line, behind: &place)
    }
    return ["data": .array(numbers)]
  }

  private func write(
    to numbers: inout [SyncJSON], from first: Int, behind last: inout (line: Int, column: Int)
  ) {
    for word in words {
      for part in lines(of: word.range) {
        let start = tree.file.location(of: part.lowerBound, counting: .utf16)
        let end = tree.file.location(of: part.upperBound, counting: .utf16)
        guard end.column > start.column else { continue }
        let (row, place) = (start.line - 1 + first, start.column - 1)
        numbers.append(SyncJSON(row - last.line))
        numbers.append(SyncJSON(row == last.line ? place - last.column : place))
        numbers.append(SyncJSON(end.column - start.column))
        numbers.append(SyncJSON(Kind.allCases.firstIndex(of: word.kind) ?? 0))
        numbers.append(SyncJSON(word.modifiers))
        last = (row, place)
      }
    }
  }

  /// The parts of a range after splitting it at line breaks.
  private func lines(of range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for offset in range where tree.file.bytes[offset] == 0x0A || tree.file.bytes[offset] == 0x0D {
      if start < offset { parts.append(start..<offset) }
      start = offset + 1
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  private var words: [Word] {
    let names = names
    var words: [Word] = []
    for (index, token) in tree.tokens.enumerated() {
      words += comments(token.leading)
      if let word = word(index, names) { words.append(word) }
      words += comments(token.trailing)
    }
    return words
  }

  private func comments(_ pieces: Range<Int>) -> [Word] {
    tree.trivia[pieces].filter(\.isComment).map { Word(range: $0.range, kind: .comment) }
  }

  private func word(_ index: Int, _ names: [Int: (kind: Kind, modifiers: Int)]) -> Word? {
    let token = tree.tokens[index]
    switch token.kind {
    case .string: return Word(range: token.range, kind: .string)
    case .number: return Word(range: token.range, kind: .number)
    case .identifier:
      if let name = names[token.range.lowerBound] {
        return Word(range: token.range, kind: name.kind, modifiers: name.modifiers)
      }
      // The only type without a name in the tree is that of a map's keys.
      return kindWithoutName(index).map {
        Word(range: token.range, kind: $0, modifiers: $0 == .type ? Modifier.library : 0)
      }
    default: return nil
    }
  }

  /// The kind of a word that is neither the name of a declaration nor a type.
  private func kindWithoutName(_ index: Int) -> Kind? {
    let token = tree.tokens[index]
    let text = tree.file.text(token.range)
    func kind(_ index: Int) -> Token.Kind? {
      tree.tokens.indices.contains(index) ? tree.tokens[index].kind : nil
    }
    if kind(index - 1) == .at { return .decorator }
    if kind(index - 1) == .dot { return .enumMember }
    if ["true", "false", "nil"].contains(text) { return .keyword }
    if kind(index + 1) == .colon { return kind(index - 1) == .leftBracket ? .type : .parameter }
    if ["case", "on"].contains(text) { return .keyword }
    // An attribute may be on the same line before a keyword and the name of the declaration.
    let isFirst = token.startsLine || kind(index + 1) == .identifier
    return Keyword.Kind(rawValue: text) != nil && isFirst ? .keyword : nil
  }

  /// The types of the names in the syntax tree, by offset.
  private var names: [Int: (kind: Kind, modifiers: Int)] {
    var names: [Int: (kind: Kind, modifiers: Int)] = [:]
    func note(_ name: NameSyntax, _ kind: Kind, _ modifiers: Int = Modifier.declaration) {
      names[name.range.offsets.lowerBound] = (kind, modifiers)
    }
    for declaration in tree.declarations.flatMap(\.withNested) {
      switch declaration {
      case .module(let syntax): note(syntax.module, .namespace, 0)
      case .settings(let syntax):
        for entry in syntax.entries { note(entry.name, .property, 0) }
      case .enumeration(let syntax):
        note(syntax.name, .enumeration)
        note(syntax.rawType, .type, Modifier.library)
        for entry in syntax.cases { note(entry.name, .enumMember) }
        for attribute in syntax.attributes { self.note(attribute, note) }
      case .model(let model):
        note(model.name, model.kind == .model ? .type : model.kind == .structure ? .structure : .enumeration)
        for attribute in model.attributes { self.note(attribute, note) }
        for property in model.properties {
          note(property.name, model.kind == .union ? .enumMember : .property)
          if let module = property.type.module { note(module, .namespace, 0) }
          let isScalar = ScalarType(rawValue: property.type.name.text) != nil
          note(property.type.name, .type, isScalar ? Modifier.library : 0)
          for attribute in property.attributes { self.note(attribute, note) }
        }
      case .unexpected: break
      }
    }
    return names
  }

  /// The names in the arguments of an attribute.
  private func note(_ attribute: AttributeSyntax, _ note: (NameSyntax, Kind, Int) -> Void) {
    note(attribute.name, .decorator, 0)
    for argument in attribute.arguments {
      if let label = argument.label { note(label, .parameter, 0) }
      switch argument.value.value {
      case .keyPath(let root, let property, let members):
        if let root { note(root, .type, 0) }
        for name in [property] + members { note(name, .property, 0) }
      case .member(let name): note(name, .enumMember, 0)
      default: break
      }
    }
  }
}
