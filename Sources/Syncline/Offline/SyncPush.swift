import Foundation

/// A closure that sends the changes of one model, for
/// ``SyncContainer/drainPendingChanges(retry:clock:isolation:_:)``.
///
/// ```swift
/// SyncPush(Task.self) { change in
///   let (data, status) = try await api.send(change.method, change.body, key: change.key)
///   return SyncPushOutcome(status: status, body: data, for: change)
/// }
/// ```
public struct SyncPush: Sendable {
  /// The model whose changes are sent.
  let model: any SyncUpdatableModel.Type
  /// Sends a change, records the answer, and returns what a round of pushes does next. The third argument returns the current
  /// time, in seconds since 1970.
  let send:
    @Sendable (any Sendable, SyncContainer, @Sendable () -> Double, inout SyncPushReport) async throws ->
      PushAnswer

  /// Creates a push of one model.
  ///
  /// - Parameters:
  ///   - model: the model, which has `@Offline`.
  ///   - send: sends a change to the server, and returns the outcome. If it throws, the error is added to
  ///     ``SyncPushReport/errors``, and the change is sent again with the same body and key. `CancellationError`, and any error once
  ///     the task is cancelled, ends the drain with ``SyncError/cancelled``. `URLError.notConnectedToInternet` ends the round.
  public init<Model: SyncUpdatableModel>(
    _ model: Model.Type,
    _ send: @escaping @Sendable (SyncPendingChange<Model>) async throws -> SyncPushOutcome<Model>
  ) {
    self.model = model
    self.send = { change, container, now, report in
      guard let change = change as? SyncPendingChange<Model> else { return .none }
      let outcome: SyncPushOutcome<Model>
      do {
        outcome = try await send(change)
      } catch let error where error is CancellationError || _Concurrency.Task.isCancelled {
        throw SyncError.cancelled
      } catch {
        report.unanswered += 1
        report.errors.append(error)
        // Without a connection, the others would fail, too.
        let failure = error as NSError
        return failure.domain == NSURLErrorDomain && failure.code == NSURLErrorNotConnectedToInternet
          ? .pause(nil) : .none
      }
      let answer = try await container.record(outcome, of: change, at: now(), in: &report)
      report.sent += 1
      return answer
    }
  }
}

/// The next action of a round of pushes after a response.
enum PushAnswer {
  case answered, rejected
  /// The response could not be used: the change is kept as rejected, and the drain does not send it once more.
  case unusable
  /// There was no response.
  case none
  /// The change is sent again, or the round ends, after a time at the earliest.
  case later(Duration?), pause(Duration?)
}

/// Makes a list of pushes from a closure.
@resultBuilder
public enum SyncPushBuilder {
  /// Combines pushes.
  public static func buildBlock(_ pushes: SyncPush...) -> [SyncPush] { pushes }
}

/// The delays after which changes without a response are sent again.
public struct SyncPushRetry: Sendable, Hashable {
  /// The base of the wait between rounds. After the n-th consecutive round without any response, the wait is random between
  /// half of `first * 2^n` and all of it, at most ``longest``.
  public var first: Duration
  /// The longest computed time before a repetition. A longer time that a response asks for, in `.retry(after:)` or
  /// `.pause(after:)`, is waited for completely.
  public var longest: Duration
  /// The number of consecutive rounds without any response after which the drain ends; nil for no limit.
  public var rounds: Int?

  /// Exponential backoff with jitter. By default the wait after the first round without any response is 1 to 2 s, the longest
  /// wait is 5 minutes, and the drain ends after 5 consecutive rounds without any response. Each wait is random, between half of
  /// the computed delay and all of it, so that many clients do not retry at the same time.
  ///
  /// - Parameters:
  ///   - first: the shortest wait after the first round without any response.
  ///   - longest: the longest time before a repetition.
  ///   - rounds: the number of consecutive rounds without any response after which the drain ends; nil for no
  ///     limit.
  public static func exponential(
    first: Duration = .seconds(1), longest: Duration = .seconds(300), rounds: Int? = 5
  ) -> SyncPushRetry {
    SyncPushRetry(first: first, longest: longest, rounds: rounds)
  }

  /// The time before a repetition.
  func delay(round: Int, _ sources: TimeAndRandomness) -> Duration {
    var sources = sources
    let limit = min(longest, first * (1 << min(round, 30)))
    return limit * Double.random(in: 0.5...1, using: &sources)
  }
}
