/// As much of Apple's `os` as signposts use, to check their types elsewhere.
public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID = .exclusive, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { fatalError() }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
public struct OSSignpostID: Sendable {
  public static let exclusive = OSSignpostID()
}
public final class OSSignpostIntervalState: Sendable {}
public struct SignpostMetadata: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ text: @autoclosure @escaping () -> String) {}
  }
  public init(stringLiteral text: String) {}
  public init(stringInterpolation: StringInterpolation) {}
}
