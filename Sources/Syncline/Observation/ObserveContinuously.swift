import Observation

/// Calls a closure now, and again after each change of the observable properties that it has read: for UIKit, AppKit and programs
/// without views.
///
/// ```swift
/// observation = observeContinuously { [weak self] in
///   self?.label.text = "\(publisher.rows.count) tasks"
/// }
/// ```
///
/// Changes that come together are one call.
///
/// - Returns: what keeps it going.
@MainActor
public func observeContinuously(_ body: @escaping @MainActor () -> Void) -> SyncObservation {
  let observation = SyncObservation(body)
  observation.run()
  return observation
}

/// Keeps a closure being called after changes, until it is cancelled or released.
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
