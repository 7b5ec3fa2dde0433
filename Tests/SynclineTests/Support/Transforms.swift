import Foundation
import Syncline

/// `false`, or Unix time.
enum FalseOrDate: SyncTransform {
  static func read(_ json: SyncJSON) throws -> Date? {
    if json.bool == false { return nil }
    guard let seconds = json.double else { throw NoValue() }
    return Date(timeIntervalSince1970: seconds)
  }

  static func write(_ value: Date) -> SyncJSON { .number(SyncNumber(Int(value.timeIntervalSince1970))) }
}

/// `"1,358"`, and `"unknown"` for none.
enum GroupedNumber: SyncTransform {
  static func read(_ json: SyncJSON) throws -> Int? {
    guard let text = json.string else {
      guard let number = json.int else { throw NoValue() }
      return number
    }
    if text == "unknown" { return nil }
    guard let number = Int(text.replacing(",", with: "")) else { throw NoValue() }
    return number
  }

  static func write(_ value: Int) throws -> SyncJSON {
    guard value >= 0 else { throw NoValue() }
    var digits = String(value)
    if digits.count > 3 { digits.insert(",", at: digits.index(digits.endIndex, offsetBy: -3)) }
    return .string(digits)
  }
}

/// A struct that is written as `"21.5 °C"`.
enum Celsius: SyncTransform {
  static func read(_ json: SyncJSON) throws -> Warmth? {
    guard let text = json.string, text.hasSuffix(" °C"), let degrees = Double(text.dropLast(3)) else {
      throw NoValue()
    }
    return Warmth(degrees: degrees)
  }

  static func write(_ value: Warmth) -> SyncJSON { .string("\(value.degrees) °C") }
}

/// Thrown if a transform cannot convert a value.
struct NoValue: Error {}

/// Seconds since 2001. Read as Unix time, they would be a date about thirty years earlier.
enum SecondsSince2001: SyncTransform {
  static func read(_ json: SyncJSON) throws -> Date? {
    json.double.map(Date.init(timeIntervalSinceReferenceDate:))
  }
  static func write(_ value: Date) -> SyncJSON {
    SyncJSON(floatLiteral: value.timeIntervalSinceReferenceDate)
  }
}

/// A number in a string. It may be a number that SQLite cannot represent.
enum TextNumber: SyncTransform {
  static func read(_ json: SyncJSON) throws -> Double? { json.string.flatMap(Double.init) }
  static func write(_ value: Double) -> SyncJSON { .string("\(value)") }
}

/// An integer in a string. It may exceed SQLite's integers.
enum TextCount: SyncTransform {
  static func read(_ json: SyncJSON) throws -> UInt64? { json.string.flatMap { UInt64($0) } }
  static func write(_ value: UInt64) -> SyncJSON { .string("\(value)") }
}

/// Numbers in a string. JSON cannot represent those that are missing.
enum NumberSeries: SyncTransform {
  static func read(_ json: SyncJSON) throws -> [Double]? {
    json.string?.split(separator: ";").map { Double($0) ?? .nan }
  }
  static func write(_ value: [Double]) -> SyncJSON { .string(value.map { "\($0)" }.joined(separator: ";")) }
}

/// A decimal in a string. It may not be a number.
enum TextAmount: SyncTransform {
  static func read(_ json: SyncJSON) throws -> Decimal? {
    json.string == "none" ? Decimal.nan : json.string.flatMap { Decimal(string: $0) }
  }
  static func write(_ value: Decimal) -> SyncJSON { .string("\(value)") }
}
