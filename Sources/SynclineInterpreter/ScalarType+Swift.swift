import Foundation
import Syncline
import SynclineCompiler

extension ScalarType {
  /// The type in Swift.
  var type: any SyncScalar.Type {
    switch self {
    case .string: String.self
    case .int: Int.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int32: Int32.self
    case .int64: Int64.self
    case .uint: UInt.self
    case .uint8: UInt8.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .uint64: UInt64.self
    case .double: Double.self
    case .float: Float.self
    case .bool: Bool.self
    case .date: Date.self
    case .uuid: UUID.self
    case .url: URL.self
    case .decimal: Decimal.self
    case .data: Data.self
    case .json: SyncJSON.self
    }
  }
}
