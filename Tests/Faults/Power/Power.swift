import Foundation

/// Simulates a power loss after each change that a call makes to its files, and opens the files that the disk may contain.
///
///     Faults power [--workload NAME,…] [--mode normal|full|journal|off] [--event N] [--image K] [--every N]
///
/// Each point is a moment and one of eight images: synced changes survive; of the others none, all or some survive, or they
/// become noise. The store must have the state of one of its commits, and not a state before a durable commit. `--every` tries
/// only every n-th moment. The mode `off` never syncs, which must be found.
enum Power {
  private static let names: Set<String> = ["workload", "mode", "event", "image", "every", "child"]

  static func run(arguments: [String]) async throws -> Int32 {
    let options = try Options(arguments, names: names)
    if let first = try options.number("child") { return try await runChild(options, from: first) }
    let kept = ["event", "image", "every"].flatMap { name in options[name].map { ["--\(name)", $0] } ?? [] }
    let modes = options["mode"].map { [$0] } ?? PowerMode.safe.map(\.rawValue)
    let names = options["workload"]?.split(separator: ",").map(String.init) ?? workloads.map(\.name)
    let series = names.flatMap { name in modes.map { ["--workload", name, "--mode", $0] + kept } }
    return try Points(command: "power", series: series).run()
  }

  /// All recorded workloads but two. A recovery moves files, which the record of SQLite calls does not contain. An incomplete copy of
  /// another program's file is removed, so there is nothing to open.
  private static var workloads: [Workload] {
    Workload.recorded.filter { workload in
      if case .movedAside = workload.files { return false }
      if case .nothingOrAll = workload.start { return false }
      return true
    }
  }

  private static func runChild(_ options: Options, from first: Int) async throws -> Int32 {
    guard let workload = workloads.first(where: { $0.name == options["workload"] }),
      let mode = options["mode"].flatMap(PowerMode.init)
    else { throw Options.Failure(description: "there is no such workload or mode") }
    try Disk.install()
    let scratch = try Scratch.make()
    var losses = try await PowerLosses(workload, mode, in: scratch)
    let (event, image) = (try options.number("event"), try options.number("image"))
    let kinds = DiskImage.Kind.allCases.filter { image == nil || $0.rawValue == image }
    let every = max(1, try options.number("every") ?? 1)
    for moment in 0...losses.count where event == nil ? moment.isMultiple(of: every) : moment == event {
      for kind in kinds {
        let number = moment * DiskImage.Kind.allCases.count + kind.rawValue
        guard number >= first else { continue }
        try losses.advance(to: moment)
        PointLines.begin(
          number,
          "--workload \(workload.name) --mode \(mode.rawValue) --event \(moment) --image \(kind.rawValue)")
        let outcome = try losses.outcome(kind)
        let word = outcome.undoesCommits ? "without the last commits" : "with all commits"
        PointLines.end(outcome.problems, outcome.problems.isEmpty ? "\(mode.rawValue): \(word)" : "")
      }
    }
    try Scratch.remove(scratch)
    return 0
  }
}
