import Foundation
import GRDB

/// A column that holds a struct or a map, or a value inside of it: in SQL, so that rows can be filtered and ordered by it.
///
/// ```swift
/// User.filter(User.Columns.address.city == "Bern").order(User.Columns.address.street)
/// Item.filter(Item.Columns.prices["EUR"] < 100)
/// ```
///
/// A value inside is `json_extract` of the column: dates are text in ISO 8601 with microseconds, decimals the nearest
/// floating-point numbers. `@Index(\.address.city)` makes an index of just that expression.
public struct ValueColumn<Value>: SQLSpecificExpressible, Sendable {
  let syncColumn: String
  let syncSteps: [ValueStep]

  /// The column of a name. Generated code calls it.
  public init(_ column: String) {
    self.init(column, [])
  }

  private init(_ column: String, _ steps: [ValueStep]) {
    syncColumn = column
    syncSteps = steps
  }

  /// A member of a struct. Generated code calls it.
  public func syncMember<Member>(_ name: String) -> ValueColumn<Member> { step(.member(name)) }

  private func step<Inner>(_ step: ValueStep) -> ValueColumn<Inner> {
    ValueColumn<Inner>(syncColumn, syncSteps + [step])
  }

  public var sqlExpression: SQLExpression {
    var value: SQLExpression = Column(syncColumn).sqlExpression
    var path = ""
    for step in syncSteps {
      switch step {
      case .member(let name): path += ".\"\(name)\""
      case .element(let index): path += index < 0 ? "[#\(index)]" : "[\(index)]"
      case .key(let key):
        // No path can name every key.
        value =
          SQL("(SELECT value FROM json_each(\(value.jsonMember(at: path))) WHERE key = \(key))").sqlExpression
        path = ""
      }
    }
    return value.jsonMember(at: path)
  }
}

extension SQLExpression {
  /// The value at a path of JSON text. The path is not a parameter, so that SQLite finds an index of the expression.
  fileprivate func jsonMember(at path: String) -> SQLExpression {
    path.isEmpty
      ? self : SQL("json_extract(\(self), \(sql: "$\(path)".sqlLiteral))").sqlExpression
  }
}

extension ValueColumn {
  /// An element of a list, counted from 0; from the end for negative numbers.
  public subscript<Element>(index: Int) -> ValueColumn<Element> where Value == [Element] {
    step(.element(index))
  }

  /// The value of a key of a map.
  public subscript<Element>(key: String) -> ValueColumn<Element> where Value == [String: Element] {
    step(.key(key))
  }
}

extension ValueColumn where Value: SyncScalar {
  /// The column has a value.
  public static func == (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression == column.syncOperand(value)
  }

  /// The column has another value.
  public static func != (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression != column.syncOperand(value)
  }

  /// The column is before a value.
  public static func < (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression < column.syncOperand(value)
  }

  /// The column is not after a value.
  public static func <= (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression <= column.syncOperand(value)
  }

  /// The column is after a value.
  public static func > (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression > column.syncOperand(value)
  }

  /// The column is not before a value.
  public static func >= (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression >= column.syncOperand(value)
  }

  /// A value as SQL has it there: a whole column as it is stored, a value inside as SQLite reads it from the text.
  private func syncOperand(_ value: Value) -> DatabaseValue {
    guard !syncSteps.isEmpty else { return value.syncDatabaseValue }
    return switch value.storedJSON {
    case .null: .null
    case .bool(let value): (value ? 1 : 0).databaseValue
    case .number(let number): number.integer?.databaseValue ?? number.double.databaseValue
    case .string(let text): text.databaseValue
    case let json: json.description.databaseValue
    }
  }
}

/// One step into a value.
enum ValueStep: Sendable {
  case member(String)
  case element(Int)
  case key(String)
}
