/// The declarations in Swift source that are needed to propose a schema: classes with `@Model`, structs and enums.
struct SwiftModels {
  typealias Tokens = [SwiftTokens.Token]

  struct Attribute {
    let name: String
    /// The tokens between the parentheses.
    let arguments: Tokens

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

  /// A case of an enum with its raw value, if one is written.
  struct Case {
    let name: String
    var rawValue: Tokens = []
    var hasAssociatedValues = false
  }

  enum Kind {
    case model, structure, enumeration
  }

  struct Declaration {
    /// The name, qualified with the enclosing types: `Task.Kind`.
    let name: String
    let kind: Kind
    /// The superclass and the protocols.
    var inherited: Tokens
    let line: Int
    var properties: [Property] = []
    var cases: [Case] = []
    /// The properties of each `#Unique` and each `#Index`. A key path is stored as `address.city`.
    var uniqueGroups: [[String]] = []
    var indexes: [[String]] = []

    /// The name without the enclosing types.
    var ownName: String { name.split(separator: ".").last.map(String.init) ?? "" }
  }

  var declarations: [Declaration] = []
  /// The types of `typealias` declarations, by their qualified names.
  var aliases: [String: Tokens] = [:]
  /// The name of each model's to-one to its parent, by the model's name.
  var parents: [String: String] = [:]

  init(_ source: String) {
    var reader = SwiftReader(SwiftTokens(source).tokens)
    reader.read()
    self = reader.models
  }

  init() {}
}
