/// Holds a value outside the struct that has it as a member, so that a struct can contain itself. Generated code uses it.
@_spi(Generated)
public struct SyncIndirect<Value> {
  private final class Box {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  private var box: Box

  /// Holds a value.
  public init(_ value: Value) {
    box = Box(value)
  }

  /// The value.
  public var value: Value {
    get { box.value }
    set { box = Box(newValue) }
  }
}

// A box never changes.
@_spi(Generated)
extension SyncIndirect: @unchecked Sendable where Value: Sendable {}

@_spi(Generated)
extension SyncIndirect: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
}

@_spi(Generated)
extension SyncIndirect: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

@_spi(Generated)
extension SyncIndirect: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(try Value(from: decoder))
  }
}

@_spi(Generated)
extension SyncIndirect: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

// Synthesized `Codable` code calls these. A member without a value is omitted.

@_spi(Generated)
extension KeyedDecodingContainer {
  /// Decodes an optional member; nil if it is absent.
  public func decode<Value: Decodable>(
    _ type: SyncIndirect<Value?>.Type, forKey key: Key
  ) throws -> SyncIndirect<Value?> {
    SyncIndirect(try decodeIfPresent(Value.self, forKey: key))
  }
}

@_spi(Generated)
extension KeyedEncodingContainer {
  /// Encodes an optional member, if it has a value.
  public mutating func encode<Value: Encodable>(_ value: SyncIndirect<Value?>, forKey key: Key) throws {
    try encodeIfPresent(value.value, forKey: key)
  }
}
