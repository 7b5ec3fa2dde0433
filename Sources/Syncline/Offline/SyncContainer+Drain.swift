import Foundation

extension PendingChanges {
  /// The earliest time at which a delayed change may be sent; nil if no change is delayed.
  func nextTime(after time: Double, of models: Set<ModelNumber>) throws -> Double? {
    try all().filter { models.contains($0.model.entry.number) && $0.canBeSent }
      .compactMap { waitingTime($0, at: time) }.min()
  }

  /// Prepares the next change of a plan that can be sent; nil if there is none.
  ///
  /// - Returns: a ``SyncPendingChange``; or why there is none, because the row cannot be read.
  func send(
    _ plan: inout Plan, at time: Double, retried: Set<LinkedRow>, besides skipped: Set<LinkedRow>
  ) throws -> (row: LinkedRow, change: Result<any Sendable, any Error>)? {
    while let change = try next(of: &plan, at: time, retried: retried, besides: skipped) {
      guard let pending = try change.model.entry.model.pendingChange(change, at: time, in: self) else {
        continue
      }
      return (change.row, pending)
    }
    return nil
  }
}

extension SyncUpdatableModel {
  fileprivate static func pendingChange(
    _ change: PendingChanges.Change, at time: Double, in changes: PendingChanges
  ) throws -> Result<any Sendable, any Error>? {
    try changes.prepare(change, of: Self.self, at: time)?.map { $0 as any Sendable }
  }
}

extension SyncContainer {
  /// Sends the pending changes of some models, until nothing is left that can be sent: new and edited rows after the rows to which
  /// they refer, and deletions last.
  ///
  /// The call works in rounds. A change without a response is sent again with the same body and key in a later round, after a random
  /// delay (``SyncPushRetry``). A rejected change is sent once more, after the deletions. The call returns when nothing is left that
  /// can be sent, or after ``SyncPushRetry/rounds`` consecutive rounds without any response. If a closure throws, the error is added
  /// to ``SyncPushReport/errors``, and the call continues; `URLError.notConnectedToInternet` ends the current round. A change whose
  /// row cannot be read stays pending, and its error is added, too. A second call waits for the first.
  ///
  /// ```swift
  /// try await container.drainPendingChanges {
  ///   SyncPush(Project.self) { change in try await api.send(change) }
  ///   SyncPush(Task.self) { change in try await api.send(change) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - retry: how long to wait between rounds.
  ///   - clock: measures these times.
  ///   - isolation: the actor of the caller.
  ///   - pushes: how the changes of each model are sent.
  /// - Returns: the outcomes of the changes.
  /// - Throws: ``SyncError/cancelled`` when the task is cancelled, any other ``SyncError``, or the database's error. Changes that
  ///   were sent without a response by then are sent again by the next call.
  @discardableResult
  public func drainPendingChanges<C: Clock>(
    retry: SyncPushRetry = .exponential(), clock: C = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation, @SyncPushBuilder _ pushes: () -> [SyncPush]
  ) async throws -> SyncPushReport where C.Duration == Duration {
    var senders: [ModelNumber: SyncPush] = [:]
    for push in pushes() { senders[try offlineModel(push.model).entry.number] = push }
    let place = store.pushes.take()
    defer { place.leave() }
    do { try await place.turn() } catch { throw SyncError.ofSync(error, isCancelled: true) }
    var report = SyncPushReport()
    let (begin, start) = (configuration.sources.now.timeIntervalSince1970, clock.now)
    // The time is the start plus the time that has passed on the given clock.
    let now: @Sendable () -> Double = { begin + start.duration(to: clock.now).seconds }
    var round = 0
    var unreadable: Set<LinkedRow> = []
    while true {
      let answers = try await pushRound(senders, now, besides: &unreadable, &report)
      guard let wait = answers.wait else { return report }
      round = answers.hasAnswer ? 0 : round + 1
      if let rounds = retry.rounds, round >= rounds { return report }
      do {
        try await clock.sleep(for: max(wait, retry.delay(round: round, configuration.sources)))
      } catch {
        throw SyncError.cancelled
      }
    }
  }

  /// Sends each change that can be sent, once.
  ///
  /// - Parameters:
  ///   - now: returns the current time, in seconds since 1970.
  ///   - unreadable: the changes whose rows cannot be read.
  /// - Returns: whether the server answered, and how long to wait for another round; nil if there is nothing more to send.
  private func pushRound(
    _ senders: [ModelNumber: SyncPush], _ now: @Sendable () -> Double,
    besides unreadable: inout Set<LinkedRow>, _ report: inout SyncPushReport
  ) async throws -> (hasAnswer: Bool, wait: Duration?) {
    let models = Set(senders.keys)
    let time = now()
    var (sent, rejected, retried): (Set<LinkedRow>, Set<LinkedRow>, Set<LinkedRow>) = ([], [], [])
    var (plan, isPlanNew) = (PendingChanges.Plan(), false)
    var hasAnswer = false
    var wait: Duration?
    while true {
      if _Concurrency.Task.isCancelled { throw SyncError.cancelled }
      let (skipped, again, rest) = (sent.union(unreadable), retried, plan)
      let (next, after) = try await writeChanges { changes in
        var plan = rest
        return (try changes.send(&plan, at: time, retried: again, besides: skipped), plan)
      }
      plan = after
      guard let next, let sender = senders[next.row.model] else {
        // Sent changes may unblock others, and rows may be edited meanwhile. The round ends with a new plan from which nothing can
        // be sent.
        if isPlanNew {
          // A unique value may be free once its row is deleted.
          guard retried.isEmpty, !rejected.isEmpty else {
            let later = try await readChanges { try $0.nextTime(after: time, of: models) }
              .map { Duration.seconds($0 - time) }
            return (hasAnswer, [wait, later].compactMap(\.self).min())
          }
          retried = rejected
          sent.subtract(rejected)
        }
        plan = try await readChanges { try $0.plan(of: models) }
        isPlanNew = true
        continue
      }
      isPlanNew = false
      sent.insert(next.row)
      let change: any Sendable
      switch next.change {
      case .success(let pending): change = pending
      case .failure(let error):
        unreadable.insert(next.row)
        report.errors.append(error)
        continue
      }
      switch try await sender.send(change, self, now, &report) {
      case .answered:
        hasAnswer = true
        // Edits that were made meanwhile, or reapplied to the server's row, are sent now.
        sent.remove(next.row)
        plan.repeatLast()
      case .rejected:
        hasAnswer = true
        rejected.insert(next.row)
      case .unusable: hasAnswer = true
      case .none: wait = .zero
      case .later(let delay): wait = min(wait ?? delay ?? .zero, delay ?? .zero)
      case .pause(let delay): return (hasAnswer, delay ?? .zero)
      }
    }
  }
}
