extension Workload {
  /// All calls that are struck.
  static let all: [Workload] = storeWorkloads + listWorkloads + pageWorkloads + readWorkloads + offlineWorkloads
}
