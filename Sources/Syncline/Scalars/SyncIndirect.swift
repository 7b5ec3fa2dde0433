/// Holds a value outside the struct that has it as a member, so that a struct can contain itself. Generated code uses it.
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
extension SyncIndirect: @unchecked Sendable where Value: Sendable {}

extension SyncIndirect: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.value == right.value }
}

extension SyncIndirect: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension SyncIndirect: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(try Value(from: decoder))
  }
}

extension SyncIndirect: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

// Synthesized `Codable` code calls these. A member without a value is omitted.

extension KeyedDecodingContainer {
  /// Decodes an optional member; nil if it is absent.
  public func decode<Value: Decodable>(
    _ type: SyncIndirect<Value?>.Type, forKey key: Key
  ) throws -> SyncIndirect<Value?> {
    SyncIndirect(try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes an optional member, if it has a value.
  public mutating func encode<Value: Encodable>(_ value: SyncIndirect<Value?>, forKey key: Key) throws {
    try encodeIfPresent(value.value, forKey: key)
  }
}
