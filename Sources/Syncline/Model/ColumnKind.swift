import Foundation

/// How a scalar's column is compared with a payload, if possible without creating a value of either.
enum ColumnKind: Sendable {
  case integer(ClosedRange<Int64>)
  case double, bool, text, date, uuid
  /// Usually stored as the text in the payload.
  case url, decimal, json
  /// Compared by the text as which the payload's value would be stored.
  case value(Transcribe)
  /// Compared as values, by the transform.
  case transformed(ColumnType, IsStored)
  /// Compared as values.
  case other(ColumnType)

  /// Whether a column has the value in a payload.
  typealias IsStored = @Sendable (SyncValue, SyncColumn, SyncForm) -> Bool

  /// Writes a payload's value as it would be stored. Returns false if the value must be reported, or has
  /// another type.
  typealias Transcribe = @Sendable (SyncValue, SyncForm, inout SyncStoredText) -> Bool

  init<Value: SyncScalar>(_ type: Value.Type) {
    switch type {
    case let transformed as any AnyTransformed.Type:
      self = .transformed(ColumnKind(anyOf: transformed.valueType).columnType) { value, column, form in
        switch Value.syncRead(value, form: form) {
        case .value(let read):
          Value.syncLoad(column).map { Value.syncIsSame($0, read) }
            ?? (column.isNull && (Value.self as? any AnyTransformed.Type)?.isNull(read) ?? false)
        case .null: column.isNull
        case .inexact, .unreadable: false
        }
      }
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
      self = .value { Value.syncTranscribe($0, form: $1, to: &$2) }
    case let type as any SyncIdentityValue.Type: self = ColumnKind(identity: type.syncIdentityKind)
    case let type as any SyncEnum.Type: self = ColumnKind(rawValueOf: type)
    default: self = .other(.text)
    }
  }

  private init(anyOf type: any SyncScalar.Type) { self.init(type) }

  private init<Value: SyncEnum>(rawValueOf type: Value.Type) {
    self.init(Value.RawValue.self)
  }

  private init(identity: SyncIdentityKind) {
    switch identity {
    case .integer(let range): self = .integer(range)
    case .uuid: self = .uuid
    case .text, .composite: self = .text
    }
  }

  var columnType: ColumnType {
    switch self {
    case .integer: .integer
    case .double: .double
    case .bool: .boolean
    case .text, .date, .url, .decimal, .json, .value: .text
    case .uuid: .blob
    case .other(let type), .transformed(let type, _): type
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
    case integer(ClosedRange<Int64>)
    case double, bool, text, date, uuid, url, decimal, json
    /// Compared with a function of the property's ``ColumnKind``.
    case value, transformed
    case other
    /// The identity of another row.
    case toOne
    /// A relationship that is stored in another table.
    case elsewhere

    fileprivate init(_ column: ColumnKind) {
      self =
        switch column {
        case .integer(let range): .integer(range)
        case .double: .double
        case .bool: .bool
        case .text: .text
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .decimal: .decimal
        case .json: .json
        case .value: .value
        case .transformed: .transformed
        case .other: .other
        }
    }
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
    case .scalar(let column, _): kind = Kind(column)
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
