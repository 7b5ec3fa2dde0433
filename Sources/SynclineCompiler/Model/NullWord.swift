/// A JSON value that means null where a property is read: an argument of `@Null`.
package enum NullWord: Sendable, Equatable {
  case text(String)
  /// The number, in JSON's grammar.
  case number(String)
  case bool(Bool)
  /// `[]`
  case emptyList

  /// The value as the schema writes it.
  package var text: String {
    switch self {
    case .text(let text): SwiftText.literal(text)
    case .number(let digits): digits
    case .bool(let value): value ? "true" : "false"
    case .emptyList: "[]"
    }
  }

  /// Compares strings byte by byte, as the runtime compares them with payloads.
  package static func == (left: NullWord, right: NullWord) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)), (.number(let left), .number(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.bool(let left), .bool(let right)): left == right
    case (.emptyList, .emptyList): true
    default: false
    }
  }
}
