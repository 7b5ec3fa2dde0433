import SynclineNaming

/// A JSON object of a payload, from which a model reads its values.
///
/// Values are read from the payload's bytes when you ask for them, by property name. An absent key, a null and an unreadable
/// value are distinguished.
///
/// ```swift
/// let payload = try SyncPayload(SyncJSON(parsing: #"{"title": "Write", "notes": null}"#))
/// print(payload.contains("notes"), payload.contains("state"))  // true false
/// print(payload.value(for: "notes", as: String.self) ?? "nil")  // nil
/// print(try payload.required(String.self, for: "title"))  // Write
/// ```
///
/// A payload is valid only during the call to which it is passed. If you use it later, it has no keys.
///
/// ## Topics
///
/// ### Reading values
///
/// - ``SyncPayload/contains(_:)``
/// - ``SyncPayload/value(for:as:)``
/// - ``SyncPayload/strictValue(for:as:)``
///
/// ### Inspecting the payload
///
/// - ``SyncPayload/json``
/// - ``SyncPayload/keyStyle``
///
/// ### Creating a payload outside of a sync
///
/// - ``SyncPayload/init(_:keyStyle:)``
public struct SyncPayload {
  @usableFromInline let object: PayloadObject

  init(_ object: PayloadObject) {
    self.object = object
  }

  /// Creates a payload outside of a sync.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the JSON is not an object.
  public init(_ json: SyncJSON, keyStyle: KeyStyle = .snakeCase) throws {
    guard case .object = json else {
      throw SyncError(RowProblem(reason: .notAnObject))
    }
    let text = try json.utf8()
    let tape: JSONTape
    do { tape = try JSONTape(scanningCopyOf: text) } catch { throw SyncError(error) }
    object = PayloadObject(
      tape: tape, position: 0, table: nil, shape: nil, place: .item(prefix: ""),
      settings: PayloadSettings(style: keyStyle))
  }

  /// The key style in which the payload is read: the configuration's, or else that of the synced model's target.
  public var keyStyle: KeyStyle { object.style }

  /// The payload as JSON.
  public var json: SyncJSON { object.tape.isOpen ? SyncJSON(object.value) : .null }

  /// Returns the same payload, whose values are read by the keys of a generated model.
  @_spi(Generated)
  public func read(by table: SyncTable) -> SyncPayload {
    object.table === table ? self : SyncPayload(object.read(by: table))
  }
}
