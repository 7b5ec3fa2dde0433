import Foundation

/// A value that is created on first use, and cached.
final class Lazy<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let make: @Sendable () throws -> Value
  private var made: Value?

  init(_ make: @escaping @Sendable () throws -> Value) {
    self.make = make
  }

  func value() throws -> Value {
    try lock.withLock {
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
