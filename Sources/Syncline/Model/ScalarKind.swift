import Foundation

/// How the column of a scalar is compared with a payload without reading either into a value.
enum ScalarKind: Sendable {
  case integer(ClosedRange<Int64>)
  case double
  case bool
  case text
  case date
  case uuid
  /// Stored as the text of the payload, as a rule.
  case url, decimal, json
  /// Compared as values.
  case other(columnType: String)

  init<Value: SyncScalar>(_ type: Value.Type) {
    switch type {
    case is String.Type: self = .text
    case is Double.Type: self = .double
    case is Bool.Type: self = .bool
    case is Date.Type: self = .date
    case is UUID.Type: self = .uuid
    case is URL.Type: self = .url
    case is Decimal.Type: self = .decimal
    case is SyncJSON.Type, is [String].Type, is [Int].Type: self = .json
    case is Float.Type: self = .other(columnType: "DOUBLE")
    case is Data.Type: self = .other(columnType: "BLOB")
    case let type as any SyncIdentityValue.Type: self = ScalarKind(identity: type.syncIdentityKind)
    case let type as any SyncEnum.Type: self = ScalarKind(rawValueOf: type)
    default: self = .other(columnType: "TEXT")
    }
  }

  private init<Value: SyncEnum>(rawValueOf type: Value.Type) {
    self.init(Value.RawValue.self)
  }

  private init(identity: SyncIdentityKind) {
    switch identity {
    case .integer(let range): self = .integer(range)
    case .uuid: self = .uuid
    case .text: self = .text
    }
  }

  var columnType: String {
    switch self {
    case .integer: "INTEGER"
    case .double: "DOUBLE"
    case .bool: "BOOLEAN"
    case .text, .date, .url, .decimal, .json: "TEXT"
    case .uuid: "BLOB"
    case .other(let type): type
    }
  }
}
