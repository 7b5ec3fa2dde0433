import Foundation
import Syncline
import TestSupport

/// What a payload may say in several ways: each time one of them.
struct Spelling {
  var random: SeededGenerator

  /// What means null in all models.
  static let nothing: SyncJSON = "none"

  /// A scalar's value.
  mutating func value(_ value: SyncJSON, of scalar: Shape.Scalar) -> SyncJSON {
    if scalar.isPlain { return value }
    if scalar.isMerged, let object = value.object { return .object(part(of: object)) }
    let value = other(value)
    guard scalar.isOneOrMany, random.chance(40) else { return value }
    if let elements = value.array { return elements.count == 1 ? elements[0] : value }
    return value.isNull ? [] : [value]
  }

  /// A row, or the rows of a list; where one row stands that is not there, null.
  mutating func rows(_ rows: [SyncJSON], of end: Relation.End) -> SyncJSON {
    let takesOther = end.isOneOrMany && random.chance(40)
    if end.isToMany { return takesOther && rows.count == 1 ? rows[0] : .array(rows) }
    let row = rows.first ?? other(.null)
    guard takesOther else { return row }
    return row.isNull ? [] : [row]
  }

  /// The key of a row at an end.
  mutating func key(_ key: SyncJSON, at end: Relation.End) -> SyncJSON {
    guard !end.keyTexts.isEmpty else { return key }
    return .string(random.pick(end.keyTexts).replacing("{}", with: key.description))
  }

  /// The names on the way to a value, some of them joined in one key.
  mutating func names(_ path: String) -> [String] {
    path.split(separator: ".").reduce(into: []) { names, name in
      if !names.isEmpty, random.chance(15) {
        names[names.count - 1] += ".\(name)"
      } else {
        names.append(String(name))
      }
    }
  }

  private mutating func other(_ value: SyncJSON) -> SyncJSON {
    guard random.chance(20) else { return value }
    if value.isNull { return Spelling.nothing }
    guard let text = value.string, text.hasSuffix("T00:00:00.000Z") else { return value }
    let day = String(text.prefix(10))
    return .string(
      random.pick([
        "\(day)T00:00:00Z[Europe/London]", "\(day) 00:00:00 UTC", day.replacing("-", with: "") + "000000",
      ]))
  }

  private mutating func part(of object: SyncJSONObject) -> SyncJSONObject {
    object.reduce(into: SyncJSONObject()) { part, member in
      if random.chance(70) { part[member.key] = member.value }
    }
  }
}
