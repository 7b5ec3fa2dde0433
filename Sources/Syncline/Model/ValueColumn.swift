import Foundation
import GRDB

/// A column with a struct or a map, or a value inside it, by which you can filter and order rows in SQL.
///
/// ```swift
/// User.filter(User.Columns.address.city == "Bern").order(User.Columns.address.street)
/// Item.filter(Item.Columns.prices["EUR"] < 100)
/// ```
///
/// A value inside a column is read by `json_extract`. Dates are ISO 8601 strings with microseconds, and decimals the nearest
/// floating-point numbers. `@Index(\.address.city)` creates an index on exactly that expression.
public struct ValueColumn<Value>: SQLSpecificExpressible, Sendable {
  let syncColumn: String
  let syncSteps: [ValueStep]

  /// The column with a name. Generated code calls it.
  public init(_ column: String) {
    self.init(column, [])
  }

  private init(_ column: String, _ steps: [ValueStep]) {
    syncColumn = column
    syncSteps = steps
  }

  /// A member of a struct. Generated code calls it.
  @_spi(Generated)
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
        if key.isJSONPathKey {
          path += ".\"\(key)\""
          continue
        }
        // A JSON path cannot express every key.
        value =
          SQL("(SELECT value FROM json_each(\(value.jsonMember(at: path))) WHERE key = \(key))").sqlExpression
        path = ""
      }
    }
    return value.jsonMember(at: path)
  }
}

extension String {
  /// Whether a JSON path of SQLite can have it as a key in quotes.
  fileprivate var isJSONPathKey: Bool {
    !isEmpty && unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
  }
}

extension SQLExpression {
  /// The value at a path in JSON text. The path is not a parameter, so that SQLite can use an index on the expression.
  fileprivate func jsonMember(at path: String) -> SQLExpression {
    path.isEmpty
      ? self : SQL("json_extract(\(self), \(sql: "$\(path)".sqlLiteral))").sqlExpression
  }
}

extension ValueColumn {
  /// An element of a list, counted from 0. A negative index counts from the end.
  public subscript<Element>(index: Int) -> ValueColumn<Element> where Value == [Element] {
    step(.element(index))
  }

  /// The value for a key of a map.
  public subscript<Element>(key: String) -> ValueColumn<Element> where Value == [String: Element] {
    step(.key(key))
  }
}

extension ValueColumn where Value: SyncScalar {
  /// Whether the column equals a value.
  public static func == (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression == column.syncOperand(value)
  }

  /// Whether the column differs from a value.
  public static func != (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression != column.syncOperand(value)
  }

  /// Whether the column is less than a value.
  public static func < (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression < column.syncOperand(value)
  }

  /// Whether the column is not greater than a value.
  public static func <= (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression <= column.syncOperand(value)
  }

  /// Whether the column is greater than a value.
  public static func > (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression > column.syncOperand(value)
  }

  /// Whether the column is not less than a value.
  public static func >= (column: Self, value: Value) -> SQLExpression {
    column.sqlExpression >= column.syncOperand(value)
  }

  /// A value in the form of the column's SQL: its stored form for a whole column, else the form that SQLite extracts from the
  /// text.
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

enum ValueStep: Sendable {
  case member(String)
  case element(Int)
  case key(String)
}
