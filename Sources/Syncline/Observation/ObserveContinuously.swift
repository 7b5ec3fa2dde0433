import Observation

/// Calls a closure now, and again after each change of the observable properties that it reads. Use it in UIKit, AppKit and
/// programs without views.
///
/// ```swift
/// observation = observeContinuously { [weak self] in
///   self?.label.text = "\(publisher.rows.count) tasks"
/// }
/// ```
///
/// Several changes before the next call cause one call.
///
/// - Returns: the observation; the calls end when it is cancelled or released.
@MainActor
public func observeContinuously(_ body: @escaping @MainActor () -> Void) -> SyncObservation {
  let observation = SyncObservation(body)
  observation.run()
  return observation
}

/// Calls a closure after changes, until it is cancelled or released.
@MainActor
public final class SyncObservation {
  private var body: (@MainActor () -> Void)?

  fileprivate init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
  }

  fileprivate func run() {
    guard let body else { return }
    withObservationTracking(body) { [weak self] in
      _Concurrency.Task { @MainActor in self?.run() }
    }
  }

  /// Ends the calls.
  public func cancel() { body = nil }
}
