extension Workload {
  /// All calls that are struck.
  static let all: [Workload] = storeCalls + listCalls + pageCalls + userCalls + offlineCalls
}
