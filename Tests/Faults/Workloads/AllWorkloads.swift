extension Workload {
  /// All workloads.
  static let all: [Workload] = storeCalls + listCalls + pageCalls + userCalls + offlineCalls
}
