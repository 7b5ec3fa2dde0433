import Foundation

/// What every client of a paged API reads in the fields of its responses.
public enum SyncHTTP {
  /// The address of a relation in a field `Link` (RFC 8288), as it is written there: it may be relative.
  ///
  /// ```swift
  /// let next = SyncHTTP.link("next", in: #"<https://api.example.com/tasks?page=2>; rel="next""#)
  /// ```
  ///
  /// - Parameters:
  ///   - relation: `next`, `last`, in any letter case.
  ///   - field: the value of the field; of several, joined by commas. Nil for a response that has none.
  /// - Returns: the first address of the relation; nil where there is none.
  public static func link(_ relation: String, in field: String?) -> String? {
    guard let field else { return nil }
    var reader = FieldReader(field)
    while let link = reader.nextLink() {
      let relations = link.parameters.first { $0.name == "rel" }?.value.split(separator: " ") ?? []
      if relations.contains(where: { $0.lowercased() == relation.lowercased() }) { return link.address }
    }
    return nil
  }

  /// How long a server asks to wait, in seconds, by its field `Retry-After`: a number of seconds, or a date.
  ///
  /// - Parameters:
  ///   - field: the value of the field; nil for a response that has none.
  ///   - now: what a date is measured from.
  /// - Returns: never less than 0; nil where the field says nothing that can be read.
  public static func delay(retryAfter field: String?, now: Date = Date()) -> TimeInterval? {
    guard let text = field?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
      return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
    var copy = text
    guard let instant = copy.withUTF8({ Instant(otherForm: $0) }) else { return nil }
    return max(0, instant.date.timeIntervalSince(now))
  }
}

/// Reads the value of a field character by character.
private struct FieldReader {
  typealias Link = (address: String, parameters: [(name: String, value: String)])

  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = Substring(text).unicodeScalars
  }

  /// The next link; nil at the end, or where the text is none.
  mutating func nextLink() -> Link? {
    skip { $0 == "," || $0 == " " || $0 == "\t" }
    guard take("<") else { return nil }
    let address = read { $0 != ">" }
    guard take(">") else { return nil }
    var parameters: [(name: String, value: String)] = []
    while true {
      skipBlanks()
      guard take(";") else { break }
      skipBlanks()
      let name = read { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
      skipBlanks()
      guard take("=") else {
        parameters.append((name.lowercased(), ""))
        continue
      }
      skipBlanks()
      parameters.append(
        (name.lowercased(), take("\"") ? readQuoted() : read { $0 != ";" && $0 != "," && $0 != " " }))
    }
    return (address, parameters)
  }

  /// The rest of a text in quotes.
  private mutating func readQuoted() -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      if scalar == "\\", let escaped = rest.popFirst() { text.append(escaped) } else { text.append(scalar) }
    }
    return String(text)
  }

  private mutating func read(while isWanted: (Unicode.Scalar) -> Bool) -> String {
    let text = rest.prefix(while: isWanted)
    rest = rest[text.endIndex...]
    return String(String.UnicodeScalarView(text))
  }

  private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop(while: isSkipped) }
  private mutating func skipBlanks() { skip { $0 == " " || $0 == "\t" } }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}
