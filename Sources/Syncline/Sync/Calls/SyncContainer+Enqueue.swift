extension SyncContainer {
  /// Runs a call when it is its turn among the syncs of the store.
  ///
  /// It takes its place before it suspends, and before the payload is read: calls that one actor makes run in the
  /// order in which it makes them.
  func enqueue(
    isolation: isolated (any Actor)?, _ makeCall: () throws -> SyncCall
  ) async throws -> SyncReport {
    let place = store.queue.take()
    let call: SyncCall
    do {
      try store.checkIsWritable()
      call = try makeCall()
    } catch {
      place.leave()
      throw error
    }
    return try await call.run(in: place)
  }
}
