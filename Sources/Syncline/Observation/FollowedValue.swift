import Observation

/// The newest result of a read, on the main actor.
@MainActor @Observable
final class FollowedValue<Value: Sendable> {
  private(set) var value: Value
  private(set) var error: (any Error)?
  private(set) var isLoaded = false

  @ObservationIgnored private var delivery: Delivery?
  /// Whether what was read at once is still to be delivered.
  @ObservationIgnored private var isReadAtOnce = false

  /// - Parameters:
  ///   - first: what there is before anything was read.
  ///   - now: reads at once; nil where that may wait.
  init(_ first: Value, _ values: SyncValues<Value>, now: (() throws -> Value)?) {
    value = first
    if let now {
      receive(Result(catching: now))
      isReadAtOnce = isLoaded
    }
    delivery = Delivery(of: values) { [weak self] in self?.receive($0) }
  }

  private func receive(_ result: Result<Value, any Error>) {
    switch result {
    case .success(let value):
      defer { isReadAtOnce = false }
      if isReadAtOnce, areEqual(self.value, value) { return }
      self.value = value
      if error != nil { error = nil }
      if !isLoaded { isLoaded = true }
    case .failure(let error):
      self.error = error
    }
  }
}
