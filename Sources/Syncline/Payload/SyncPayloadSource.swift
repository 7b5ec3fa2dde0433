import Foundation

/// The payload of a sync: `Data`, `[UInt8]`, `String`, ``SyncJSON``, `[[String: Any]]`, `[String: Any]`, or
/// ``SyncPayloadConvertible`` values and arrays of them.
///
/// ``SyncLines``, ``SyncDocument`` and ``SyncResponse`` wrap one of these: rows in lines, a JSON:API document, and a payload
/// whose validator and cursor are stored.
public protocol SyncPayloadSource {
  /// The payload as JSON text. A sync calls this once.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for values that JSON cannot represent, and the errors of your own
  ///   conversion.
  func syncPayloadBytes() throws -> SyncPayloadBytes
}

/// The bytes of a payload.
public struct SyncPayloadBytes: Sendable {
  enum Storage {
    case data(Data)
    case bytes([UInt8])
  }

  let storage: Storage
  /// Whether each line is a value, rather than the whole text.
  private(set) var isLines = false
  /// Whether it is a JSON:API document.
  private(set) var isDocument = false
  /// The validator and cursor to store, if the bytes are the body of a ``SyncResponse``.
  var response: ResponseBookmark?

  /// Bytes from data, which is not copied: a memory-mapped file is read in place.
  public init(_ data: Data) { storage = .data(data) }
  /// Bytes from an array, which is not copied.
  public init(_ bytes: [UInt8]) { storage = .bytes(bytes) }

  /// The same bytes as lines, with a JSON value in each.
  var lines: SyncPayloadBytes {
    var lines = self
    lines.isLines = true
    return lines
  }

  /// The same bytes as a JSON:API document.
  var document: SyncPayloadBytes {
    var document = self
    document.isDocument = true
    return document
  }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    switch storage {
    case .data(let data): try data.withUnsafeBytes(body)
    case .bytes(let bytes): try bytes.withUnsafeBytes(body)
    }
  }
}

/// A type that converts to JSON, such as a transfer object. Values of it, and arrays of them, are payloads:
///
/// ```swift
/// struct Draft: SyncPayloadConvertible {
///   var id: Int
///   var title: String
///
///   func toSyncPayload() throws -> SyncJSON { ["id": .number(SyncNumber(id)), "title": .string(title)] }
/// }
///
/// try await container.sync(payload: [Draft(id: 1, title: "Write")], as: Task.self)
/// ```
public protocol SyncPayloadConvertible: SyncPayloadSource, SyncPayloadElement {
  /// The value as the JSON that a sync reads.
  func toSyncPayload() throws -> SyncJSON
}

extension SyncPayloadConvertible {
  public func syncPayloadBytes() throws -> SyncPayloadBytes { try toSyncPayload().syncPayloadBytes() }

  public static func syncPayloadBytes(of elements: [Self]) throws -> SyncPayloadBytes {
    try SyncJSON.array(elements.map { try $0.toSyncPayload() }).syncPayloadBytes()
  }
}

/// The element type of an array that is a payload.
public protocol SyncPayloadElement {
  /// An array of such elements as JSON text.
  ///
  /// - Throws: the errors of ``SyncPayloadSource/syncPayloadBytes()``.
  static func syncPayloadBytes(of elements: [Self]) throws -> SyncPayloadBytes
}

extension Data: SyncPayloadSource {
  public func syncPayloadBytes() -> SyncPayloadBytes { SyncPayloadBytes(self) }
}

extension String: SyncPayloadSource {
  public func syncPayloadBytes() -> SyncPayloadBytes { SyncPayloadBytes(Array(utf8)) }
}

extension SyncJSON: SyncPayloadSource, SyncPayloadElement {
  public func syncPayloadBytes() throws -> SyncPayloadBytes { SyncPayloadBytes(try utf8()) }

  public static func syncPayloadBytes(of elements: [SyncJSON]) throws -> SyncPayloadBytes {
    try SyncJSON.array(elements).syncPayloadBytes()
  }
}

extension UInt8: SyncPayloadElement {
  public static func syncPayloadBytes(of elements: [UInt8]) -> SyncPayloadBytes { SyncPayloadBytes(elements) }
}

extension Array: SyncPayloadSource where Element: SyncPayloadElement {
  public func syncPayloadBytes() throws -> SyncPayloadBytes { try Element.syncPayloadBytes(of: self) }
}

extension Dictionary: SyncPayloadSource, SyncPayloadElement where Key == String, Value == Any {
  public func syncPayloadBytes() throws -> SyncPayloadBytes { try SyncJSON(any: self).syncPayloadBytes() }

  public static func syncPayloadBytes(of elements: [[String: Any]]) throws -> SyncPayloadBytes {
    try SyncJSON(any: elements).syncPayloadBytes()
  }
}
