/// Brings the results of a read to the main actor, for as long as it is kept.
final class Delivery: Sendable {
  private let task: _Concurrency.Task<Void, Never>
  private let following: Following?

  @MainActor
  init<Element>(
    of values: SyncValues<Element>, to receive: @escaping @MainActor (Result<Element, any Error>) -> Void
  ) {
    let (results, following) = values.results()
    self.following = following
    task = _Concurrency.Task { @MainActor in
      for await result in results { receive(result) }
    }
  }

  deinit { task.cancel() }
}
