import Foundation

/// Injects each fault into each SQLite call of each workload.
///
///     Faults sweep [--workload NAME,…] [--fault NAME] [--at N] [--every K] [--points N] [--limit N]
///       [--verbose]
///
/// `--every` tries every K-th point. `--points` tries approximately the given number of points, distributed over workloads and
/// faults. `--limit` raises the number of points of faults that do not try all of them.
enum Sweep {
  static func run(arguments: [String]) async throws -> Int32 {
    let options = try Options(
      arguments, names: ["workload", "fault", "at", "every", "points", "limit", "share", "child"],
      flags: ["verbose"])
    if let first = try options.number("child") {
      try await runChild(from: first, options)
      return 0
    }
    let names = try workloads(options).map(\.name)
    // Each workload is a separate series with its share of the points.
    let share = try options.number("points").map { max(1, $0 / names.count) }
    let series = names.map { name in
      var arguments = ["--workload", name]
      for option in ["fault", "at", "every", "limit"] {
        if let value = options[option] { arguments += ["--\(option)", value] }
      }
      if let share { arguments += ["--share", "\(share)"] }
      return arguments
    }
    return try Points(
      command: "sweep", series: series, isVerbose: options.has("verbose"), knownTrap: trapOfGRDB
    ).run()
  }

  /// The location of a GRDB trap because of failed allocation, if the workload allows it. With any other fault, every trap is a
  /// finding.
  @Sendable
  private static func trapOfGRDB(_ point: String, _ words: [String]) -> String? {
    guard point.contains("--fault memory"),
      let workload = Workload.all.first(where: { point.hasPrefix("--workload \($0.name) ") })
    else { return nil }
    for line in words {
      if let end = line.range(of: ": Fatal error"), let start = line.range(of: "GRDB/") {
        let place = line[start.lowerBound..<max(start.lowerBound, end.lowerBound)]
        if workload.traps.contains(where: { place.hasPrefix($0.rawValue + ":") }) { return String(place) }
      }
    }
    return nil
  }

  private static func workloads(_ options: Options) throws -> [Workload] {
    guard let names = options["workload"] else { return Workload.all }
    return try names.split(separator: ",").map { name in
      guard let workload = Workload.named(String(name)) else {
        let known = Workload.all.map(\.name).joined(separator: ", ")
        throw Options.Failure(description: "there is no workload “\(name)”, but \(known)")
      }
      return workload
    }
  }

  private static func plan(of workload: Workload, _ options: Options) throws -> SweepPlan {
    var plan = SweepPlan()
    plan.only = try options.number("at")
    plan.every = max(1, try options.number("every") ?? 1)
    plan.budget = try options.number("share")
    plan.limit = try options.number("limit") ?? 0
    if let name = options["fault"] {
      guard let fault = Fault.named(name) else {
        let known = Fault.all.map(\.name).joined(separator: ", ")
        throw Options.Failure(description: "there is no fault “\(name)”, but \(known)")
      }
      plan.faults = [fault]
    } else if plan.budget != nil {
      // Each workload begins with a different fault, so that a small number of points includes all faults.
      let place = Workload.all.firstIndex { $0.name == workload.name } ?? 0
      let start = place * 5 % Fault.all.count
      plan.faults = Array(Fault.all[start...] + Fault.all[..<start])
    } else if workload.name == "insert", plan.every == 1 {
      plan.faults.append(.endlessLock)
    }
    return plan
  }

  // MARK: The child

  /// Tries the points of a workload, starting at a number.
  private static func runChild(from first: Int, _ options: Options) async throws {
    guard let workload = try workloads(options).first else { return }
    try Disk.install()
    let scratch = try Scratch.make()
    let template = scratch.appending(path: "template")
    try await workload.makeTemplate(in: template)
    let expectation = try await Expectation(
      of: workload, template: template, in: scratch.appending(path: "expectation"))
    let points = try await plan(of: workload, options).points(CallCounts(of: workload)) { kinds in
      let folder = scratch.appending(path: "count-\(kinds.rawValue)")
      return try await FaultPoint.count(kinds, of: workload, template: template, in: folder)
    }
    for (index, point) in points.enumerated().dropFirst(first) {
      let point = FaultPoint(
        workload: workload, fault: point.fault, number: point.number, expectation: expectation,
        template: template, folder: scratch.appending(path: "point-\(index)"))
      PointLines.begin(index, point.command)
      do {
        let (outcome, problems) = try await point.run()
        PointLines.end(problems, outcome.rawValue)
      } catch {
        // The setup of the point failed.
        PointLines.end(["\(error)"], "broken")
      }
    }
    try Scratch.remove(scratch)
  }
}
