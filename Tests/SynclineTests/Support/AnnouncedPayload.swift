import Syncline

/// A payload that signals when it is read. At that time, its call has entered the queue.
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

  /// Waits until a call has read the payload.
  func isRead() async { for await _ in readings { return } }
}
