/// Collects the problems and the pending links of one sync. It keeps the first thousand of each, and counts all.
final class RunLog {
  static let limit = 1_000
  /// Whether rows are read in another order than the payload's. Then the problems of the payload's first rows are kept.
  var isReordered = false {
    didSet { if !isReordered { keepFirst() } }
  }
  private var problems: [SyncProblem] = []
  private(set) var problemCount = 0
  private(set) var waiting: [SyncWaitingLink] = []
  private(set) var waitingCount = 0

  /// The problems in the order of their rows; those without a row come last.
  var problemsInOrder: [SyncProblem] {
    problems.sorted { $0.row ?? .max < $1.row ?? .max }
  }

  func record(_ problem: @autoclosure () -> SyncProblem) {
    problemCount += 1
    if problems.count < Self.limit || isReordered { problems.append(problem()) }
    if problems.count >= 2 * Self.limit { keepFirst() }
  }

  /// The number of problems, for ``reset(to:)``.
  var mark: (kept: Int, all: Int) { (problems.count, problemCount) }

  /// Forgets the problems since a mark: they belong to an object that is read again.
  func reset(to mark: (kept: Int, all: Int)) {
    // The list may have been shortened since.
    problems.removeLast(max(0, problems.count - mark.kept))
    problemCount = mark.all
  }

  /// Records that an empty payload deletes nothing, since the call requires rows.
  func recordEmptyPayload(of model: String, path: String) {
    record(SyncProblem(model: model, identity: nil, path: path, .emptyPayload, action: .deletedNothing))
  }

  private func keepFirst() {
    problems = Array(problemsInOrder.prefix(Self.limit))
  }

  func recordWaiting(_ link: @autoclosure () -> SyncWaitingLink) {
    waitingCount += 1
    if waiting.count < Self.limit { waiting.append(link()) }
  }
}
