import Foundation

/// Loses power after each change that a call makes to its files, and opens what the disk may have then.
///
///     Faults power [--workload NAME,…] [--mode normal|full|journal|off] [--event N] [--image K] [--every N]
///
/// Each point is a moment and one of eight images: what was synced, and of the rest nothing, all, a part, or noise. The store has to
/// be as after one of its commits, and not as before a commit that was certain. `--every` tries each n-th moment only.
/// The mode `off` syncs nothing, which has to be found.
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

  /// All workloads but two: a recovery moves files, which the record of SQLite's calls does not show, and a copy of another program's
  /// file is removed if it is not complete, so that nothing opens it.
  private static var workloads: [Workload] {
    Workload.all.filter { workload in
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
