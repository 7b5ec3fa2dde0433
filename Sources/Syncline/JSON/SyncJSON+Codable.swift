import Foundation

/// Any JSON value in any format. A number keeps 38 digits or, if its exponent exceeds a `Decimal`'s, the precision of a
/// `Double`.
extension SyncJSON: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = SyncJSON.number(in: container) {
      self = .number(value)
    } else if let elements = try? container.decode([SyncJSON].self) {
      self = .array(elements)
    } else {
      let members = try container.decode([String: SyncJSON].self)
      self = .object(SyncJSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }
  }

  private static func number(in container: any SingleValueDecodingContainer) -> SyncNumber? {
    if let value = try? container.decode(Int64.self) { return SyncNumber(value) }
    if let value = try? container.decode(UInt64.self) { return SyncNumber(value) }
    guard let double = (try? container.decode(Double.self)).flatMap({ SyncNumber($0) }) else { return nil }
    // A number that is too small for a decimal is decoded as zero.
    guard let decimal = (try? container.decode(Decimal.self)).flatMap({ SyncNumber($0) }),
      decimal.double == double.double
    else { return double }
    return decimal
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(Array(elements))
    case .object(let object):
      let members = object.keys.map { ($0, object[$0] ?? .null) }
      try container.encode(Dictionary(members, uniquingKeysWith: { _, last in last }))
    case .number(let number):
      if let integer = number.integer {
        try container.encode(integer)
      } else if let decimal = Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX")),
        SyncNumber(decimal) == number
      {
        try container.encode(decimal)
      } else {
        try container.encode(number.double)
      }
    }
  }
}
