/// Reads the settings of a target.
enum SettingsResolver {
  static func access(of trees: [SyntaxTree], _ bag: inout DiagnosticBag) -> Schema.Access {
    let all = trees.flatMap(\.settings)
    for extra in all.dropFirst() {
      bag.error(.invalidSettings, "a target has one “schema” block", at: extra.range)
    }
    var access = Schema.Access.internal
    var seen: Set<String> = []
    for entry in all.first?.entries ?? [] {
      guard seen.insert(entry.name.text).inserted else {
        bag.error(.invalidSettings, "“\(entry.name.text)” is set twice", at: entry.name.range)
        continue
      }
      guard entry.name.text == "access" else {
        bag.error(
          .invalidSettings,
          "unknown setting “\(entry.name.text)”" + Suggestion.didYouMean(entry.name.text, in: ["access"]),
          at: entry.name.range)
        continue
      }
      if case .word(let word) = entry.value.value, let value = Schema.Access(rawValue: word) {
        access = value
      } else {
        let names = Schema.Access.allCases.map(\.rawValue).joined(separator: ", ")
        bag.error(.invalidSettings, "“access” is one of \(names)", at: entry.value.range)
      }
    }
    return access
  }
}
