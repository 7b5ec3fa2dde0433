/// A value as it is written in a schema.
package struct LiteralSyntax: Sendable {
  package indirect enum Value: Sendable {
    case text(String)
    /// The number as written, including its sign.
    case number(String)
    case bool(Bool)
    case null
    case list([LiteralSyntax])
    /// `[:]`
    case emptyMap
    /// `.cascade`
    case member(NameSyntax)
    /// `\Tag.tasks`, or `\.tasks` without a root; `\.address.city` refers to a member of a struct.
    case keyPath(root: NameSyntax?, property: NameSyntax, members: [NameSyntax])
    /// A bare word, as used in settings.
    case word(String)
    /// `State.open`
    case path(root: NameSyntax, member: NameSyntax)
    /// `Date()`, and other expressions that only Swift can evaluate.
    case call
  }

  package let value: Value
  package let range: SourceRange

  /// The content of a string, or the name of a bare word or member.
  package var word: String? {
    switch value {
    case .text(let word), .word(let word): word
    case .member(let name), .path(_, let name): name.text
    default: nil
    }
  }

  /// The kind as messages name it.
  package var kindName: String {
    switch value {
    case .text: "a string"
    case .number: "a number"
    case .bool: "a boolean"
    case .null: "nil"
    case .list: "a list"
    case .emptyMap: "a map"
    case .member(let name): "“.\(name.text)”"
    case .keyPath: "a key path"
    case .word, .path, .call: "“\(range.text)”"
    }
  }

  /// The value as messages show it; a number includes its digits.
  package var quotedName: String {
    if case .number(let digits) = value { "“\(digits)”" } else { kindName }
  }
}
