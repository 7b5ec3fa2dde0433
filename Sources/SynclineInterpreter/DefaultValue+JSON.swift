import Foundation
import Syncline
import SynclineCompiler

extension DefaultValue {
  /// The value as in a payload.
  func json(_ type: ValueType, _ enumeration: (String) -> Enumeration?) -> SyncJSON {
    switch (self, type) {
    case (.list(let values), .list(let element)): .array(values.map { $0.json(element, enumeration) })
    case (.list(let values), _): .array(values.map { $0.json(type, enumeration) })
    case (.member(let name), .enumeration(let declared)):
      enumeration(declared)?.cases.first { $0.name == name }?.json ?? .string(name)
    case (.member(let name), _): .string(name)
    case (.text(let text), _): .string(text)
    case (.number(let digits), _): (try? SyncJSON(parsing: digits)) ?? .null
    case (.bool(let value), _): .bool(value)
    case (.uuid(let bytes), _): .string(NSUUID(uuidBytes: bytes).uuidString)
    case (.emptyMap, _): .object(SyncJSONObject([]))
    case (.null, _): .null
    }
  }
}

extension NullWord {
  /// The value as in a payload.
  package var json: SyncJSON {
    switch self {
    case .text(let text): .string(text)
    case .number(let digits): (try? SyncJSON(parsing: digits)) ?? .null
    case .bool(let value): .bool(value)
    case .emptyList: []
    }
  }
}

extension Enumeration.Case {
  package var json: SyncJSON {
    switch rawValue {
    case .text(let text): .string(text)
    case .number(let digits): (try? SyncJSON(parsing: digits)) ?? .null
    case .bool, .member, .list, .emptyMap, .null, .uuid: .string(name)
    }
  }
}
