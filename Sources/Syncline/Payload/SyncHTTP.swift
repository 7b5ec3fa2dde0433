import Foundation

/// Parsers for response header fields that clients of paged APIs need.
public enum SyncHTTP {
  /// The URL of a relation in a `Link` header field (RFC 8288), as written there. It may be relative.
  ///
  /// ```swift
  /// let next = SyncHTTP.link("next", in: #"<https://api.example.com/tasks?page=2>; rel="next""#)
  /// ```
  ///
  /// - Parameters:
  ///   - relation: such as `next` or `last`, ignoring case.
  ///   - field: the value of the field. Join several values with commas. Pass nil if the response has no such
  ///     field.
  /// - Returns: the first URL of the relation; nil if there is none.
  public static func link(_ relation: String, in field: String?) -> String? {
    guard let field else { return nil }
    var reader = FieldReader(rest: Substring(field).unicodeScalars)
    while let link = reader.nextLink() {
      let relations = link.parameters.first { $0.name == "rel" }?.value.split(separator: " ") ?? []
      if relations.contains(where: { $0.lowercased() == relation.lowercased() }) { return link.address }
    }
    return nil
  }

  private static let longestDelay = 1e9

  /// The delay that a server asks for, in seconds, from a `Retry-After` header field: a number of seconds, or
  /// a date.
  ///
  /// - Parameters:
  ///   - field: the value of the field; nil if the response has no such field.
  ///   - now: the time from which a date is measured.
  /// - Returns: at least 0, and at most about 30 years, which a `Duration` can represent; nil if the field cannot be read.
  public static func delay(retryAfter field: String?, now: Date = Date()) -> TimeInterval? {
    guard let text = field?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
      return Double(text).flatMap { $0.isFinite ? min($0, SyncHTTP.longestDelay) : nil }
    }
    var copy = text
    guard let instant = copy.withUTF8({ Instant(otherForm: $0) }) else { return nil }
    return min(max(0, instant.date.timeIntervalSince(now)), SyncHTTP.longestDelay)
  }
}

/// Parses the value of a field character by character.
private struct FieldReader {
  typealias Link = (address: String, parameters: [(name: String, value: String)])

  fileprivate var rest: Substring.UnicodeScalarView

  /// The next link; nil at the end, or if the text is not a link.
  mutating func nextLink() -> Link? {
    skip { $0 == "," || FieldReader.isBlank($0) }
    guard take("<") else { return nil }
    let address = read { $0 != ">" }
    guard take(">") else { return nil }
    var parameters: [(name: String, value: String)] = []
    while true {
      skipBlanks()
      guard take(";") else { break }
      skipBlanks()
      let name = read { $0 != "=" && FieldReader.isInToken($0) }
      skipBlanks()
      guard take("=") else {
        parameters.append((name.lowercased(), ""))
        continue
      }
      skipBlanks()
      parameters.append((name.lowercased(), take("\"") ? readQuoted() : read(while: FieldReader.isInToken)))
    }
    return (address, parameters)
  }

  /// The rest of a quoted string.
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
  private mutating func skipBlanks() { skip(while: FieldReader.isBlank) }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private static func isInToken(_ scalar: Unicode.Scalar) -> Bool {
    scalar != ";" && scalar != "," && !isBlank(scalar)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }
}
