import Foundation

/// The outcome of a change that was sent to the server.
///
/// ```swift
/// try await container.withPendingChanges(for: Task.self) { changes in
///   var outcomes: [Task.ID: SyncPushOutcome<Task>] = [:]
///   for change in changes {
///     let (data, status) = try await api.send(change.method, change.body, key: change.key)
///     outcomes[change.id] = SyncPushOutcome(status: status, body: data, for: change)
///   }
///   return outcomes
/// }
/// ```
public enum SyncPushOutcome<Model: SyncUpdatableModel>: Sendable {
  /// The server has applied the change. For a new row whose identity the server creates, use one of the next two cases:
  /// without an identity, the change is treated as rejected.
  case confirmed
  /// The server has applied the change, and its response contains the row as JSON. If that row has another
  /// identity, it replaces the local one.
  case confirmedWith(Data)
  /// The server has applied the change, and has created an identity, which replaces the local one everywhere. Pass the
  /// row as JSON if the response contains it.
  case confirmedAs(Model.SyncID, with: Data? = nil)
  /// The row has changed on the server since it was synced, and the response contains it. The edit is reapplied to the server's
  /// row, and sent again.
  case conflict(with: Data)
  /// The server does not accept the change, for a reason that you can show. The change is kept. A drain sends it once more;
  /// later it is sent only if the row is edited, or after ``SyncContainer/retry(_:as:)``.
  case rejected(String)
  /// The server may not have received the change. The same content is sent again with the same key, at the
  /// earliest when the given time has passed since this outcome was returned.
  case retry(after: Duration? = nil)
  /// No other change is sent in this round. The same content is sent again later.
  case pause(after: Duration? = nil)

  /// Creates the outcome of an HTTP request from its status.
  ///
  /// - 200 to 299: confirmed; with the row, if the body is an object and the change is not a deletion.
  /// - 404 and 410: confirmed for a deletion, otherwise rejected.
  /// - 409 and 412 with the row: a conflict; without it, rejected. An object is the row if it has an identity, or only
  ///   keys of the model.
  /// - 401, 408, 425, 429, and all from 500 on: retry.
  /// - all others: rejected.
  ///
  /// The reason for a rejection is the first 1,000 bytes of the body, or the status if the body is empty.
  ///
  /// - Parameters:
  ///   - status: the status of the response.
  ///   - body: its body.
  ///   - retryAfter: the time of its `Retry-After` header.
  ///   - change: the change that was sent.
  public init(
    status: Int, body: Data = Data(), retryAfter: Duration? = nil, for change: SyncPendingChange<Model>
  ) {
    let hasRow = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    let message = Self.message(of: body)
    let rejected = SyncPushOutcome.rejected(message.isEmpty ? "\(status)" : message)
    self =
      switch status {
      case 200..<300: hasRow && change.kind != .delete ? .confirmedWith(body) : .confirmed
      case 404, 410: change.kind == .delete ? .confirmed : rejected
      case 409, 412: hasRow ? .conflict(with: body) : rejected
      case 401, 408, 425, 429, 500...: .retry(after: retryAfter)
      default: rejected
      }
  }

  /// The reason for a rejection, from the body of the response.
  static func message(of body: Data) -> String { String(decoding: body.prefix(1_000), as: UTF8.self) }
}
