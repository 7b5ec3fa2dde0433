import Benchmark

/// All workloads, by the numbers of the performance targets.
let benchmarks: @Sendable () -> Void = {
  Lists.register()
}
