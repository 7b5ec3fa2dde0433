import Foundation
import SynclineNaming

/// A value for each key style. The values of the two usual styles are made at once, the others when they are first used.
struct StyledValues<Value: Sendable>: Sendable {
  private let snake: Value
  private let camel: Value
  private let others: Others

  init(_ make: @escaping @Sendable (KeyStyle) -> Value) {
    snake = make(.snakeCase)
    camel = make(.camelCase)
    others = Others(make)
  }

  subscript(style: KeyStyle) -> Value {
    switch style {
    case .snakeCase: snake
    case .camelCase: camel
    case .pascalCase, .kebabCase: others.value(style)
    }
  }

  private final class Others: Sendable {
    private let make: @Sendable (KeyStyle) -> Value
    private let lock = NSLock()
    private nonisolated(unsafe) var values: [KeyStyle: Value] = [:]

    init(_ make: @escaping @Sendable (KeyStyle) -> Value) {
      self.make = make
    }

    func value(_ style: KeyStyle) -> Value {
      lock.withLock {
        if let value = values[style] { return value }
        let value = make(style)
        values[style] = value
        return value
      }
    }
  }
}
