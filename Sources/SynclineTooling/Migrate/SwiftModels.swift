/// The declarations of Swift source that matter for a schema: classes with `@Model`, structs and enums.
struct SwiftModels {
  typealias Tokens = [SwiftTokens.Token]

  struct Attribute {
    let name: String
    /// The tokens between its parentheses.
    let arguments: Tokens

    /// The first string among the arguments.
    var text: String? {
      arguments.lazy.compactMap { if case .text(let text) = $0 { text } else { nil } }.first
    }

    func has(_ word: String) -> Bool { arguments.contains(.word(word)) }

    /// The tokens after a label, up to the next comma.
    func value(of label: String) -> Tokens? {
      guard let place = arguments.firstIndex(of: .word(label)), arguments.indices.contains(place + 1),
        arguments[place + 1] == .sign(":")
      else { return nil }
      return Array(arguments[(place + 2)...].prefix { $0 != .sign(",") })
    }
  }

  struct Property {
    let name: String
    var type: Tokens
    let attributes: [Attribute]
    let defaultValue: Tokens
    let line: Int

    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
  }

  /// A case of an enum, and its raw value as far as it is written.
  struct Case {
    let name: String
    var rawValue: Tokens = []
    var hasAssociatedValues = false
  }

  enum Kind {
    case model, structure, enumeration
  }

  struct Declaration {
    /// The name with those of the types that contain it: `Task.Kind`.
    let name: String
    let kind: Kind
    /// What it inherits from, and conforms to.
    var inherited: Tokens
    let line: Int
    var properties: [Property] = []
    var cases: [Case] = []
    /// The properties of each `#Unique`, and of each `#Index`: a path is `address.city`.
    var uniqueGroups: [[String]] = []
    var indexes: [[String]] = []

    /// The name in the type that contains it.
    var ownName: String {
      String(name[(name.lastIndex(of: ".").map { name.index(after: $0) } ?? name.startIndex)...])
    }
  }

  var declarations: [Declaration] = []
  /// What a `typealias` stands for, by its name with those of the types that contain it.
  var aliases: [String: Tokens] = [:]
  /// The relationship to the parent of each model, by the model's name.
  var parents: [String: String] = [:]

  init(_ source: String) {
    var reader = SwiftReader(SwiftTokens(source).tokens)
    reader.read()
    self = reader.models
  }

  /// Nothing yet.
  init() {}
}
