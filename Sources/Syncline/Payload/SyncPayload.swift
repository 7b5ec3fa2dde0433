import SynclineNaming

/// One JSON object of a payload, as `make` and `apply` read it.
///
/// Values are read from the payload's bytes when they are asked for. Absent, null and unreadable differ:
///
/// ```swift
/// let payload = try SyncPayload(SyncJSON(parsing: #"{"title": "A", "notes": null}"#))
/// payload.contains("notes")                        // true
/// payload.value(for: "notes", as: String.self)     // nil
/// try payload.required(String.self, for: "title")  // "A"
/// ```
///
/// A payload is valid during the call it is passed to; one that is kept longer reads as empty.
public struct SyncPayload {
  @usableFromInline let object: PayloadObject

  init(_ object: PayloadObject) {
    self.object = object
  }

  /// A payload of its own, outside of a sync.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the JSON is not an object.
  public init(_ json: SyncJSON, keyStyle: KeyStyle = .snakeCase) throws {
    guard case .object = json else {
      throw SyncError(RowProblem(reason: .notAnObject))
    }
    let tape = try json.utf8().withUnsafeBytes { JSONTape(copying: $0) }
    var scanner = JSONScanner(tape.bytes, count: tape.byteCount)
    do {
      try scanner.scanValue(onto: tape)
    } catch {
      throw SyncError(error)
    }
    object = PayloadObject(
      tape: tape, position: 0, table: nil, shape: nil, place: .item(prefix: ""),
      settings: PayloadSettings(style: keyStyle))
  }

  /// The key style of the container.
  public var keyStyle: KeyStyle { object.style }

  /// The payload as JSON.
  public var json: SyncJSON { object.tape.isOpen ? SyncJSON(object.value) : .null }

  /// The payload read by the keys of a generated model.
  public func read(by table: SyncTable) -> SyncPayload {
    object.table === table ? self : SyncPayload(object.read(by: table))
  }
}
