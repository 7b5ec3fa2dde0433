import Foundation

/// Runs syncs on a disk that fails, loses power or returns wrong data, and with random schemas and calls.
///
///     Faults sweep --workload insert --fault write-once --at 12
///
/// Each command prints a line for each finding, with the command that reproduces it. It exits with 0 if there are no findings.
@main
struct Faults {
  private static let commands: KeyValuePairs<String, @Sendable ([String]) async throws -> Int32> = [
    "sweep": Sweep.run,
    "power": Power.run,
    "kill": Kill.run,
    "sim": Simulator.run,
    "endurance": Endurance.run,
  ]

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let name = arguments.first, let command = commands.first(where: { $0.key == name })?.value else {
      Console.say("Usage: Faults \(commands.map(\.key).joined(separator: "|")) [options]")
      exit(64)
    }
    do {
      exit(try await command(Array(arguments.dropFirst())))
    } catch {
      Console.say("\(error)")
      exit(70)
    }
  }
}
