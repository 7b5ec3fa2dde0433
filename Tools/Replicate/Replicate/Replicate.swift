import ArgumentParser
import Foundation

/// Replicates stores with Litestream while they are synced, migrated and killed, and compares restored stores with the committed
/// states.
@main
struct Replicate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replicates stores that are synced, evolved and killed, and looks at what is restored.",
    subcommands: [Run.self, Write.self], defaultSubcommand: Run.self)

  struct Run: AsyncParsableCommand {
    @Argument(help: "Litestream's command.") var litestream: String
    @Option(help: "How many stores there are, one after the other.") var stores = 10
    @Option(help: "How many calls each of them takes.") var calls = 1_000
    @Option(help: "The first of the random numbers.") var seed = 1

    func run() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "syncline-replicate-\(UUID())")
      var times: [Int] = []
      var (restores, kills) = (0, 0)
      for number in seed..<(seed + stores) {
        let place = folder.appending(path: "\(number)")
        let outcome = try await Round(
          litestream: URL(fileURLWithPath: litestream), seed: number, calls: calls, folder: place
        ).run()
        times += outcome.times
        restores += outcome.restores
        kills += outcome.kills
        print(
          "Store \(number): \(outcome.times.count) calls, \(outcome.kills) kills, \(outcome.restores) restores"
        )
        guard outcome.failures.isEmpty else {
          print(outcome.failures.joined(separator: "\n"))
          print("The files are in \(place.path).")
          throw ExitCode(1)
        }
        try FileManager.default.removeItem(at: place)
      }
      try? FileManager.default.removeItem(at: folder)
      times.sort()
      func milliseconds(_ part: Double) -> String {
        let index = min(times.count - 1, Int(Double(times.count) * part))
        return times.isEmpty ? "–" : String(format: "%.1f ms", Double(times[index]) / 1_000)
      }
      print(
        """
        \(times.count) calls, \(kills) kills, \(restores) restores: each restored store is one that was committed.
        A call takes \(milliseconds(0.5)), 99 % of them at most \(milliseconds(0.99)), 99.9 % \(milliseconds(0.999)).
        """)
    }
  }
}
