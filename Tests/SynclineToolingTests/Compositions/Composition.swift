import Syncline
import SynclineCompiler
import Testing

/// A word at a property: how a payload says with it what it says without.
struct PropertyWord: Sendable {
  /// An attribute, or an argument of `@Relationship`.
  let text: String
  /// A value as it is spelled for the word.
  var value: @Sendable (SyncJSON) -> SyncJSON = { $0 }
  /// An object with the members of the row that have a value; nil where it cannot be said.
  var place: (@Sendable (SyncJSON) -> SyncJSON?)?
  /// What is stored instead of any value of the payload.
  var always: SyncJSON?

  /// The name without its arguments: `@Null`, `unknown:`.
  var name: String {
    String(text.hasPrefix("@") ? text.prefix { $0 != "(" } : text.prefix { $0 != " " })
  }
}

/// A kind of property, the words that may stand at it, and what payloads say about it. Words that come first spell a value
/// first.
struct Sheet: Sendable {
  let property: String
  /// The types that the property needs.
  var types = ""
  var isRelationship = false
  let words: [PropertyWord]
  let steps: [Step]

  var name: String { String(property.prefix { $0 != ":" }) }

  /// What a payload says, and what is stored then, by the names of the words.
  struct Step: Sendable {
    let says: SyncJSON
    let stored: @Sendable (Set<String>) -> SyncJSON

    init(_ says: SyncJSON, stored: @escaping @Sendable (Set<String>) -> SyncJSON) {
      self.says = says
      self.stored = stored
    }

    init(_ value: SyncJSON) { self.init(value) { _ in value } }
  }
}

/// Two words at one property.
struct Composition: Sendable, CustomTestStringConvertible {
  let sheet: Sheet
  let words: [PropertyWord]

  /// Each pair of each kind of property, but of words of one name, which cannot be repeated.
  static let all: [Composition] = Sheet.all.flatMap { sheet in
    var all: [Composition] = []
    for (place, first) in sheet.words.enumerated() {
      for second in sheet.words[(place + 1)...] where second.name != first.name {
        all.append(Composition(sheet: sheet, words: [first, second]))
      }
    }
    return all
  }

  var testDescription: String { declaration }

  /// The diagnostic of words that cannot stand together.
  var refusal: DiagnosticCode? {
    let names = words.flatMap { [$0.name, $0.text] }
    return Sheet.refused.first { refused in
      names.contains(refused.word) && names.contains { refused.others.contains($0) }
    }?.code
  }

  var schema: String { "model Row { id: Int; \(declaration) }\n\(sheet.types)" }

  private var declaration: String {
    let attributes = words.map(\.text).filter { $0.hasPrefix("@") }
    let arguments = ["inverse: nil"] + words.map(\.text).filter { !$0.hasPrefix("@") }
    let relationship = sheet.isRelationship ? ["@Relationship(\(arguments.joined(separator: ", ")))"] : []
    return (attributes + relationship + [sheet.property]).joined(separator: " ")
  }

  var steps: [(payload: String, stored: SyncJSON)] {
    let names = Set(words.map(\.name))
    let always = words.compactMap { $0.always }.first
    return sheet.steps.compactMap { step in
      let value = words.reduce(step.says) { value, word in word.value(value) }
      guard let stated = members(with: value) else { return nil }
      var row = SyncJSONObject([("id", 1)])
      for (key, value) in stated { row[key] = value }
      return (payload: "[\(SyncJSON.object(row))]", stored: always ?? step.stored(names))
    }
  }

  /// The members of the row that have a value; nil where the words cannot say it.
  private func members(with value: SyncJSON) -> SyncJSONObject? {
    guard let place = words.compactMap({ $0.place }).first else {
      return SyncJSONObject([(sheet.name, value)])
    }
    return place(value)?.object
  }
}
