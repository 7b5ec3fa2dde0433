import Benchmark

/// All workloads, numbered as in the performance targets.
let benchmarks: @Sendable () -> Void = {
  Lists<Article, Int>.registerAll()
  Single.register()
  Relationships.register()
  Session.register()
  Exports.register()
  Reading.register()
  Observing.register()
  Following.register()
  Files.register()
  Pages.register()
  Shapes.register()
  Cancelling.register()
  Scaling.register()
  Evolving.register()
  Calling.register()
  ManyStores.register()
  Offline.register()
}
