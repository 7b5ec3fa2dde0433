import SynclineNaming

/// The lossless syntax tree of a file. Its tokens and trivia cover every byte. Each token belongs to one of its declarations,
/// which are in source order.
package struct SyntaxTree: Sendable {
  package let file: SourceFile
  package let tokens: [Token]
  package let trivia: [TriviaPiece]
  package let declarations: [DeclarationSyntax]
  /// Whether an unterminated comment contains the rest of the file.
  package let isCut: Bool

  package let imports: [ImportSyntax]
  package let settings: [SettingsSyntax]
  /// The models that have a name.
  package let models: [ModelSyntax]
  package let structs: [ModelSyntax]
  package let unions: [ModelSyntax]
  package let enums: [EnumSyntax]
  /// The declarations that have a name, in source order.
  let named: [(declaration: DeclarationSyntax, name: NameSyntax)]
  /// Whether a part of the file could not be read. It may declare any name.
  package let mayDeclareMore: Bool

  init(file: SourceFile, scanned: Lexer.Output, declarations: [DeclarationSyntax]) {
    self.file = file
    tokens = scanned.tokens
    trivia = scanned.trivia
    isCut = scanned.isCut
    self.declarations = declarations
    imports = declarations.compactMap { if case .module(let syntax) = $0 { syntax } else { nil } }
    settings = declarations.compactMap { if case .settings(let syntax) = $0 { syntax } else { nil } }
    let all = declarations.flatMap(\.withNested)
    named = all.compactMap { declaration in declaration.name.map { (declaration, $0) } }
    let typesWithProperties = all.compactMap { declaration in
      if case .model(let syntax) = declaration, declaration.name != nil { syntax } else { nil }
    }
    models = typesWithProperties.filter { $0.kind == .model }
    structs = typesWithProperties.filter(\.isStruct)
    unions = typesWithProperties.filter { $0.kind == .union }
    enums = all.compactMap { if case .enumeration(let syntax) = $0, $0.name != nil { syntax } else { nil } }
    mayDeclareMore = scanned.isCut || all.contains(where: \.mayDeclareMore)
  }

  /// A hash that is equal for all files with the same tokens, whether line breaks or semicolons separate their members.
  package var hash: String {
    var hash = StableHash()
    for token in tokens where token.kind != .semicolon { hash.add(file.text(token.range)) }
    return hash.text
  }
}

/// A declaration of a file, or tokens that could not be read as one.
package enum DeclarationSyntax: Sendable {
  case module(ImportSyntax)
  case settings(SettingsSyntax)
  case model(ModelSyntax)
  case enumeration(EnumSyntax)
  case unexpected(UnexpectedSyntax)

  /// The positions of its tokens.
  package var tokens: Range<Int> {
    switch self {
    case .module(let syntax): syntax.tokens
    case .settings(let syntax): syntax.tokens
    case .model(let syntax): syntax.tokens
    case .enumeration(let syntax): syntax.tokens
    case .unexpected(let syntax): syntax.tokens
    }
  }

  /// The name that it declares.
  package var name: NameSyntax? {
    let name: NameSyntax? =
      switch self {
      case .model(let syntax): syntax.name
      case .enumeration(let syntax): syntax.name
      case .unexpected(let syntax): syntax.name
      case .module, .settings: nil
      }
    return name.flatMap { $0.text.isEmpty ? nil : $0 }
  }

  /// Whether it is a model, and part of it could not be read.
  var isBroken: Bool {
    guard case .model(let syntax) = self else { return false }
    return syntax.isIncomplete || syntax.properties.contains(where: \.isIncomplete)
  }

  /// Whether it may declare a name that could not be read.
  fileprivate var mayDeclareMore: Bool {
    switch self {
    case .model, .enumeration: name == nil
    case .unexpected(let syntax): syntax.mayDeclare && name == nil
    case .module, .settings: false
    }
  }

  /// The declaration, and the declarations wrongly nested in it.
  package var withNested: [DeclarationSyntax] {
    guard case .model(let model) = self else { return [self] }
    return model.members.reduce(into: [self]) { all, member in
      if case .nested(let declaration) = member { all += declaration.withNested }
    }
  }
}

/// Tokens that could not be read.
package struct UnexpectedSyntax: Sendable {
  package let tokens: Range<Int>
  /// The name that it seems to declare.
  package let name: NameSyntax?
  /// Whether it may declare names, because it may contain a part that is missing elsewhere.
  package let mayDeclare: Bool
  /// Whether it is an extra closing brace.
  package var closesBody = false
}

/// A name and its range.
package struct NameSyntax: Sendable, Hashable {
  package let text: String
  package let range: SourceRange

  /// The name as a value with its range.
  package var located: Located<String> { Located(value: text, range: range) }
}

package struct ImportSyntax: Sendable {
  package let tokens: Range<Int>
  package let module: NameSyntax
}

package struct SettingsSyntax: Sendable {
  package let tokens: Range<Int>
  package let range: SourceRange
  package let entries: [SettingSyntax]
}

package struct SettingSyntax: Sendable {
  package let name: NameSyntax
  package let value: LiteralSyntax
}

/// A model, a struct, or a union. The cases of a union are stored as properties: a name, a type, and the
/// key's value as the default.
package struct ModelSyntax: Sendable {
  package enum Kind: String, Sendable {
    case model
    case structure = "struct"
    case union
  }

  package let kind: Kind
  package let tokens: Range<Int>
  package let documentation: [String]
  package let attributes: [AttributeSyntax]
  package let name: NameSyntax
  /// The key that distinguishes the cases of a union.
  package var key: LiteralSyntax?
  package let members: [MemberSyntax]
  /// The closing brace, before which a new member can be inserted.
  package let end: SourceRange
  /// Whether part of it could not be read.
  package var isIncomplete: Bool

  package var isStruct: Bool { kind == .structure }

  package var properties: [PropertySyntax] {
    members.compactMap { if case .property(let property) = $0 { property } else { nil } }
  }
}

/// A member of a model, or tokens that could not be read as one.
package enum MemberSyntax: Sendable {
  case property(PropertySyntax)
  /// A declaration that should be outside the model.
  case nested(DeclarationSyntax)
  case unexpected(UnexpectedSyntax)

  /// The positions of its tokens.
  package var tokens: Range<Int> {
    switch self {
    case .property(let syntax): syntax.tokens
    case .nested(let syntax): syntax.tokens
    case .unexpected(let syntax): syntax.tokens
    }
  }
}

package struct PropertySyntax: Sendable {
  package var tokens: Range<Int>
  package let documentation: [String]
  package let attributes: [AttributeSyntax]
  package let name: NameSyntax
  package let type: TypeSyntax
  package let defaultValue: LiteralSyntax?
  /// The offset of its `var` or name, after the attributes.
  package let declaration: Int
  /// Whether part of it could not be read.
  package var isIncomplete: Bool
}

package struct TypeSyntax: Sendable {
  /// The lists, maps and optionals around the name of a type.
  package indirect enum Shape: Sendable {
    case name
    case list(Shape)
    /// A map with string keys.
    case map(Shape)

    fileprivate func text(_ name: String) -> String {
      switch self {
      case .name: name
      case .list(let element): "[\(element.text(name))]"
      case .map(let element): "[String: \(element.text(name))]"
      }
    }
  }

  /// The module that qualifies the type.
  package let module: NameSyntax?
  /// The name of the type; empty if it could not be read.
  package let name: NameSyntax
  package let shape: Shape
  package let isOptional: Bool
  package let range: SourceRange

  /// The type as written.
  package var text: String {
    shape.text((module.map { "\($0.text)." } ?? "") + name.text) + (isOptional ? "?" : "")
  }
}

package struct EnumSyntax: Sendable {
  package let tokens: Range<Int>
  package let documentation: [String]
  package let attributes: [AttributeSyntax]
  package let name: NameSyntax
  package let rawType: NameSyntax
  package let members: [EnumMemberSyntax]
  /// Whether part of it could not be read.
  package let isIncomplete: Bool

  package var cases: [EnumCaseSyntax] { members.flatMap(\.cases) }
}

/// A member of an enum, or tokens that could not be read as one.
package enum EnumMemberSyntax: Sendable {
  case cases(tokens: Range<Int>, [EnumCaseSyntax])
  case unexpected(UnexpectedSyntax)

  package var cases: [EnumCaseSyntax] {
    if case .cases(_, let cases) = self { cases } else { [] }
  }

  /// The positions of its tokens.
  package var tokens: Range<Int> {
    switch self {
    case .cases(let tokens, _): tokens
    case .unexpected(let syntax): syntax.tokens
    }
  }
}

package struct EnumCaseSyntax: Sendable {
  package let documentation: [String]
  package let name: NameSyntax
  package let rawValue: LiteralSyntax?
  /// Whether part of it could not be read.
  package let isIncomplete: Bool
}

package struct AttributeSyntax: Sendable {
  package let name: NameSyntax
  package let arguments: [ArgumentSyntax]
  /// The range from the “@” to the end of the arguments.
  package let range: SourceRange
  /// Whether all of its arguments could be read.
  package let isComplete: Bool
}

package struct ArgumentSyntax: Sendable {
  package let label: NameSyntax?
  package let value: LiteralSyntax
}
