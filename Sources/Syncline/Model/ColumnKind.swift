import Foundation

/// How a scalar's column is compared with a payload, if possible without creating a value of either.
enum ColumnKind: Sendable {
  case integer(ClosedRange<Int64>)
  case double, bool, text, date, uuid
  /// Usually stored as the text in the payload.
  case url, decimal, json
  /// Compared by the text as which the payload's value would be stored: ``SyncProperty/transcribe``.
  case value
  /// Compared as values, by the transform: ``SyncProperty/isStoredValue``.
  case transformed(ColumnType)
  /// Compared as values.
  case other(ColumnType)

  init(_ type: any SyncScalar.Type) {
    switch type {
    case let transformed as any AnyTransformed.Type:
      self = .transformed(ColumnKind(transformed.valueType).columnType)
    case is String.Type: self = .text
    case is Double.Type: self = .double
    case is Bool.Type: self = .bool
    case is Date.Type: self = .date
    case is UUID.Type: self = .uuid
    case is URL.Type: self = .url
    case is Decimal.Type: self = .decimal
    case is SyncJSON.Type, is [String].Type, is [Int].Type: self = .json
    case is Float.Type: self = .other(.double)
    case is Data.Type: self = .other(.blob)
    case is any SyncStruct.Type, is any SyncValueUnion.Type, is any ScalarList.Type, is any ScalarMap.Type:
      self = .value
    case let type as any SyncIdentityValue.Type:
      switch type.syncIdentityKind {
      case .integer(let range): self = .integer(range)
      case .uuid: self = .uuid
      case .text, .composite: self = .text
      }
    case let type as any SyncEnum.Type: self = ColumnKind(type.rawType)
    default: self = .other(.text)
    }
  }

  var columnType: ColumnType {
    switch self {
    case .integer: .integer
    case .double: .double
    case .bool: .boolean
    case .text, .date, .url, .decimal, .json, .value: .text
    case .uuid: .blob
    case .other(let type), .transformed(let type): type
    }
  }
}

/// The type of a column in its table's declaration.
enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case double = "DOUBLE"
  case boolean = "BOOLEAN"
  case text = "TEXT"
  case blob = "BLOB"
}

/// How one property of a table is compared with payloads, and inserted from them.
///
/// It is copied for each value of each row, so it holds no references, whose counts would have to change.
struct ComparedProperty: Sendable {
  enum Kind: Sendable {
    case scalar(ColumnKind)
    /// The identity of another row.
    case toOne
    /// A relationship that is stored in another table.
    case elsewhere
  }

  let position: Int
  let kind: Kind
  let isOptional: Bool
  let hasDefault: Bool

  init(_ property: SyncProperty, at position: Int) {
    self.position = position
    isOptional = property.isOptional
    hasDefault = property.hasDefault
    switch property.kind {
    case .scalar(let column, _): kind = .scalar(column)
    case .toOne: kind = .toOne
    case .inverse, .link: kind = .elsewhere
    }
  }
}

extension SyncTable {
  /// The date format of a property, without a lookup for tables that have none.
  @inline(__always)
  func format(of property: ComparedProperty) -> SyncDateFormat? {
    hasFormats ? properties[property.position].format : nil
  }
}
