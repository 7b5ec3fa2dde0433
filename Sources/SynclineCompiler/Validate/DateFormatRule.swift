import SynclineNaming

/// Reports date patterns that parse no date, or whose numbers are not separated.
enum DateFormatRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for property in model.properties {
      guard let format = property.dateFormat, !property.isIncomplete else { continue }
      let fields = fields(of: format.value)
      if let problem = problem(of: format.value, fields) {
        bag.error(.invalidDateFormat, problem, at: format.range)
      } else if fields.contains("h"), !fields.contains("a") {
        bag.warning(
          .invalidDateFormat,
          "the date pattern “\(format.value)” uses 12-hour time, “h”, without AM/PM, “a”; write “H” for 24-hour time",
          at: format.range)
      }
    }
  }

  private static func problem(of pattern: String, _ fields: Set<Character>) -> String? {
    if pattern.isEmpty { return "the date pattern is empty" }
    if pattern.utf8.filter({ $0 == UInt8(ascii: "'") }).count % 2 == 1 {
      return "a quote of the date pattern “\(pattern)” is not closed"
    }
    do { _ = try DatePatternSyntax.parts(of: pattern) } catch { return error.description }
    if fields.isEmpty { return "the date pattern “\(pattern)” has no date field" }
    return fields.contains("d") ? unseparated(pattern) : "the date pattern “\(pattern)” has no day, “d”"
  }

  /// The problem of a number that directly follows one with a variable number of digits: `Md` reads `111` as 1 November, and
  /// as 11 January.
  private static func unseparated(_ pattern: String) -> String? {
    let parts = (try? DatePatternSyntax.parts(of: pattern)) ?? []
    for (part, next) in zip(parts, parts.dropFirst()) {
      guard case .field(let letter, 1) = part, "yMLdHhms".contains(letter),
        case .field(let following, let count) = next, isNumber(following, count)
      else { continue }
      let fixed = String(repeating: letter, count: letter == "y" ? 4 : 2)
      return """
        in the date pattern “\(pattern)”, the number of digits of “\(letter)” varies, and another number follows it \
        directly; write “\(fixed)”, or a separator after it
        """
    }
    return nil
  }

  private static func isNumber(_ letter: Character, _ count: Int) -> Bool {
    "ydHhmsS".contains(letter) || "ML".contains(letter) && count < 3
  }

  /// The letters of the pattern's fields.
  private static func fields(of pattern: String) -> Set<Character> {
    let parts = (try? DatePatternSyntax.parts(of: pattern)) ?? []
    return Set(parts.compactMap { if case .field(let letter, _) = $0 { letter } else { nil } })
  }
}
