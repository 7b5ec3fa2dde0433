import Foundation
import SynclineNaming

/// A value for each key style. The values of the two usual styles are made at once, the others when they are first used.
final class StyledValues<Value: Sendable>: Sendable {
  private let snake: Value
  private let camel: Value
  private let make: @Sendable (KeyStyle) -> Value
  private let lock = NSLock()
  private nonisolated(unsafe) var others: [KeyStyle: Value] = [:]

  init(_ make: @escaping @Sendable (KeyStyle) -> Value) {
    self.make = make
    snake = make(.snakeCase)
    camel = make(.camelCase)
  }

  subscript(style: KeyStyle) -> Value {
    switch style {
    case .snakeCase: return snake
    case .camelCase: return camel
    case .pascalCase, .kebabCase:
      return lock.withLock {
        if let value = others[style] { return value }
        let value = make(style)
        others[style] = value
        return value
      }
    }
  }
}
