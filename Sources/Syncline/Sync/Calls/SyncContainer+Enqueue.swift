extension SyncContainer {
  /// Runs a call when its turn comes among the store's syncs.
  ///
  /// The call joins the queue before it suspends, and before the payload is read. So calls of one actor run in the order in which
  /// the actor makes them.
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
