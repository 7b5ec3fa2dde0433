extension Workload {
  /// The workloads for power losses. Their stores are opened as the test says, and the states after all commits are known.
  static let recorded: [Workload] = storeCalls + listCalls + pageCalls + userCalls + offlineCalls

  /// All workloads.
  static let all: [Workload] = recorded + evolvedCalls + answeredCalls + otherCalls
}
