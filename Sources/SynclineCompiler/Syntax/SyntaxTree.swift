/// The lossless tree of a file: its tokens hold every byte, its declarations point at tokens.
struct SyntaxTree: Sendable {
  let file: SourceFile
  let tokens: [Token]
  let imports: [ImportSyntax]
  let settings: [SettingsSyntax]
  let models: [ModelSyntax]
  let enums: [EnumSyntax]

  /// The source, byte for byte.
  var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(file.bytes.count)
    for token in tokens {
      bytes += file.bytes[token.trivia]
      bytes += file.bytes[token.range]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A name and where it stands.
struct NameSyntax: Sendable, Hashable {
  let text: String
  let range: SourceRange
}

struct ImportSyntax: Sendable {
  let module: NameSyntax
}

struct SettingsSyntax: Sendable {
  let range: SourceRange
  let entries: [(name: NameSyntax, value: LiteralSyntax)]
}

struct ModelSyntax: Sendable {
  let documentation: [String]
  let attributes: [AttributeSyntax]
  let name: NameSyntax
  let properties: [PropertySyntax]
  /// Where the next member would stand.
  let end: SourceRange
}

struct PropertySyntax: Sendable {
  let documentation: [String]
  let attributes: [AttributeSyntax]
  let name: NameSyntax
  let type: TypeSyntax
  let defaultValue: LiteralSyntax?
  /// From its first attribute to its end.
  let range: SourceRange
  /// Where its `var` or name begins, behind the attributes.
  let declaration: Int
}

struct TypeSyntax: Sendable {
  /// Empty where it could not be read.
  let name: NameSyntax
  let isList: Bool
  let isOptional: Bool
  let range: SourceRange

  /// The type as it is written.
  var text: String { (isList ? "[\(name.text)]" : name.text) + (isOptional ? "?" : "") }
}

struct EnumSyntax: Sendable {
  let documentation: [String]
  let attributes: [AttributeSyntax]
  let name: NameSyntax
  let rawType: NameSyntax
  let cases: [EnumCaseSyntax]
}

struct EnumCaseSyntax: Sendable {
  let documentation: [String]
  let name: NameSyntax
  let rawValue: LiteralSyntax?
}

struct AttributeSyntax: Sendable {
  let name: NameSyntax
  let arguments: [ArgumentSyntax]
  /// From the “@” to the end of the arguments.
  let range: SourceRange
  /// Whether all of its arguments could be read.
  let isComplete: Bool
}

struct ArgumentSyntax: Sendable {
  let label: NameSyntax?
  let value: LiteralSyntax
}

/// A value as it is written in a schema.
struct LiteralSyntax: Sendable {
  indirect enum Value: Sendable {
    case text(String)
    /// As written, with its sign.
    case number(String)
    case bool(Bool)
    case null
    case list([LiteralSyntax])
    /// `.cascade`
    case member(String)
    /// `\Tag.tasks`, or `\.tasks` without a root.
    case keyPath(root: NameSyntax?, property: NameSyntax)
    /// A bare word, as settings have them.
    case word(String)
  }

  let value: Value
  let range: SourceRange

  /// The word of a text or a member.
  var word: String? {
    switch value {
    case .text(let word), .member(let word), .word(let word): word
    default: nil
    }
  }

  /// The kind as a sentence names it.
  var kindName: String {
    switch value {
    case .text: "text"
    case .number: "a number"
    case .bool: "a boolean"
    case .null: "nil"
    case .list: "a list"
    case .member(let name): "“.\(name)”"
    case .keyPath: "a key path"
    case .word(let word): "“\(word)”"
    }
  }
}
