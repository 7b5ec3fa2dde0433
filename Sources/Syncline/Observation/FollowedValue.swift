import Observation

/// The newest result of a read, on the main actor.
@MainActor @Observable
final class FollowedValue<Value: Sendable> {
  private(set) var value: Value
  private(set) var error: (any Error)?
  private(set) var isLoaded = false

  @ObservationIgnored private let results: ElementBuffer<Result<Value, any Error>>
  @ObservationIgnored private let following: Following?
  @ObservationIgnored private var delivery: _Concurrency.Task<Void, Never>?
  /// Whether the value that was read at once has not been delivered yet.
  @ObservationIgnored private var isReadAtOnce = false

  /// - Parameters:
  ///   - first: the value before anything was read.
  ///   - now: reads at once; nil to read in the background only.
  init(_ first: Value, _ values: SyncValues<Value>, now: (() throws -> Value)?) {
    value = first
    let first = now.map { Result(catching: $0) }
    (results, following) = values.results()
    if let first {
      receive(first)
      isReadAtOnce = isLoaded
    }
    delivery = _Concurrency.Task { [weak self, results] in
      while let result = await results.next() { self?.receive(result) }
    }
  }

  deinit { delivery?.cancel() }

  /// Delivers at once what has been read.
  func receiveNewest() {
    while let result = results.takeFirst() { receive(result) }
  }

  private func receive(_ result: Result<Value, any Error>) {
    switch result {
    case .success(let value):
      defer { isReadAtOnce = false }
      if isReadAtOnce, error == nil, areEqual(self.value, value) { return }
      self.value = value
      if error != nil { error = nil }
      if !isLoaded { isLoaded = true }
    case .failure(let error):
      self.error = error
    }
  }
}
