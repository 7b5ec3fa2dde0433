extension SyncContainer {
  /// Runs a call when it is its turn among the syncs of the store.
  ///
  /// It takes its place before it suspends, and before the payload is read: calls that one actor makes run in the
  /// order in which it makes them.
  func enqueue(
    isolation: isolated (any Actor)?, _ makeRequest: () throws -> SyncRequest
  ) async throws -> SyncReport {
    let place = store.queue.take()
    let request: SyncRequest
    do {
      try store.checkIsWritable()
      request = try makeRequest()
    } catch {
      place.leave()
      throw error
    }
    return try await request.run(in: place)
  }
}
