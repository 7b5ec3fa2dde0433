import Foundation

/// Kills a process at each write of a call, and opens the store that it leaves behind.
///
///     Faults kill [--scene alone|journal|reader|recovery] [--workload NAME] [--at N [--half]] [--every N] [--points N]
///
/// The store must have the state before or after a transaction of the call, and repeating the call must complete it. `--every`
/// kills only at every n-th write, `--points` limits the number of points in each series.
enum Kill {
  private static let names: Set<String> = ["scene", "workload", "at", "every", "points", "child", "victim"]

  static func run(arguments: [String]) async throws -> Int32 {
    let options = try Options(arguments, names: names, flags: ["half"])
    if let folder = options["victim"] {
      let victim = try victim(options, at: try options.number("at") ?? 0, isHalf: options.has("half"))
      try await victim.makeCall(in: URL(filePath: folder))
      return 0
    }
    if let first = try options.number("child") { return try await runChild(options, from: first) }
    let kept = ["at", "every", "points"].flatMap { name -> [String] in
      options[name].map { ["--\(name)", $0] } ?? []
    }
    let half = options.has("half") ? ["--half"] : []
    let workloads = options["workload"]?.split(separator: ",").map(String.init)
    let scenes = KillScene.allCases.filter { $0.rawValue == options["scene"] ?? $0.rawValue }
    let series = scenes.flatMap { scene in
      scene.workloads.map(\.name).filter { workloads?.contains($0) ?? true }
        .map { ["--scene", scene.rawValue, "--workload", $0] + kept + half }
    }
    return try Points(command: "kill", series: series).run()
  }

  private static func victim(_ options: Options, at call: Int, isHalf: Bool) throws -> Victim {
    guard let scene = options["scene"].flatMap(KillScene.init),
      let workload = options["workload"].flatMap(Workload.named)
    else { throw Options.Failure(description: "--scene and --workload are needed") }
    return Victim(scene: scene, workload: workload, call: call, isHalf: isHalf)
  }

  private static func runChild(_ options: Options, from first: Int) async throws -> Int32 {
    try Disk.install()
    let scratch = try Scratch.make()
    let start = try victim(options, at: 0, isHalf: false)
    let kill: (Victim) async throws -> (problems: [String], isFinished: Bool)
    if start.scene == .recovery {
      kill = try await KilledRecovery(start.workload, in: scratch).problems
    } else {
      kill = try await KilledCall(start.scene, start.workload, in: scratch).problems
    }
    let only = try options.number("at")
    let every = max(1, try options.number("every") ?? 1)
    var left = try options.number("points") ?? .max
    var call = only ?? 0
    // A recovery makes fewer calls if the other process was faster, so a later call may still be reached.
    let lastEnds = start.scene == .recovery ? 12 : 1
    var ends = 0
    // A child that is killed at each point is restarted, so the series needs a limit.
    let limit = (only ?? 0) + every * min(left, 3_000)
    while ends < lastEnds, left > 0, call < limit {
      for isHalf in start.scene.hasHalves ? [false, true] : [false] where ends < lastEnds && left > 0 {
        let number = call * 2 + (isHalf ? 1 : 0)
        guard number >= first, only == nil || isHalf == options.has("half") else { continue }
        let victim = try victim(options, at: call, isHalf: isHalf)
        PointLines.begin(number, victim.options.joined(separator: " "))
        let result = try await kill(victim)
        let word = result.isFinished ? "ended before" : "killed"
        PointLines.end(result.problems, "\(start.scene.rawValue): \(word)")
        ends = result.isFinished ? ends + 1 : 0
        left -= 1
      }
      if only != nil { break }
      call += every
    }
    try Scratch.remove(scratch)
    return 0
  }
}
