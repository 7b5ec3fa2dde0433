import Syncline

/// A payload that says when it is read: its call has taken its place by then.
struct AnnouncedPayload: SyncPayloadConvertible {
  private let json: SyncJSON
  private let readings: AsyncStream<Void>
  private let reading: AsyncStream<Void>.Continuation

  init(_ json: SyncJSON) {
    self.json = json
    (readings, reading) = AsyncStream.makeStream(of: Void.self)
  }

  func toSyncPayload() -> SyncJSON {
    reading.yield()
    return json
  }

  /// Returns when a call has read it.
  func isRead() async { for await _ in readings { return } }
}
