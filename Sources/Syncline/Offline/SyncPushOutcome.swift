import Foundation

/// What became of a change that was sent to the server.
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
  /// The server has what was sent. A new row whose identity the server makes needs one of the next two: without the identity
  /// it is kept as rejected.
  case confirmed
  /// The server has it, and answered with the row as JSON. Another identity than the row's replaces it.
  case confirmedWith(Data)
  /// The server has it under an identity of its own, which replaces the row's everywhere; perhaps with the row as JSON.
  case confirmedAs(Model.SyncID, with: Data? = nil)
  /// The server has changed the row since it was read, and answered with it. The edit is put on the server's row, and sent again.
  case conflict(with: Data)
  /// The server will not accept it, for a reason to show. It is kept, and sent again when it is edited.
  case rejected(String)
  /// The server may not have got it. It is sent again as it was, with the same key, after a time at the earliest.
  case retry(after: Duration? = nil)
  /// Nothing more is sent in this round. It is sent again as it was.
  case pause(after: Duration? = nil)

  /// The outcome of an HTTP request.
  ///
  /// - 200 to 299: confirmed, with the row if the body is an object and the change is no deletion.
  /// - 404 and 410: confirmed for a deletion, otherwise rejected.
  /// - 409 and 412 with the row: a conflict; without it, rejected.
  /// - 401, 408, 425, 429, and 500 and more: retry.
  /// - all others: rejected, with the body as the reason.
  ///
  /// - Parameters:
  ///   - status: the status of the response.
  ///   - body: its body.
  ///   - retryAfter: the time of its `Retry-After` header.
  ///   - change: what was sent.
  public init(
    status: Int, body: Data = Data(), retryAfter: Duration? = nil, for change: SyncPendingChange<Model>
  ) {
    let hasRow = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    let message = String(decoding: body.prefix(1_000), as: UTF8.self)
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
}
