import Foundation

/// The kinds of tests that some runs leave out. A suite says what it is:
///
///     @Suite(.enabled(if: TestKind.building.runs))
///
/// `swift test` cannot choose tests by their tags, so `SYNCLINE_WITHOUT=building,long,thorough,random` names what a run
/// leaves out.
package enum TestKind: String {
  /// Builds and runs other packages.
  case building
  /// Takes more than a second.
  case long
  /// As `long`, of what stores are synced with: `make test-optimised` takes a fraction of the time for it.
  case thorough
  /// Syncs random input for long: all of its seeds in optimised builds, a tenth of them in others (see `Soak`).
  case random
  /// Counts work: what SQLite reads, writes and runs, and what is allocated. It is the same in each build, and takes
  /// many rows, so it is counted where these are synced fastest. In debug builds it runs where `SYNCLINE_WITH` names it.
  case counted
  /// Builds a client for servers, with a library for TLS, which takes minutes. It runs where `SYNCLINE_WITH` names it.
  case server

  /// Whether the tests run.
  package var runs: Bool {
    if TestKind.named(by: "SYNCLINE_WITHOUT").contains(rawValue) { return false }
    switch self {
    case .building, .long, .thorough, .random: return true
    case .server: return TestKind.named(by: "SYNCLINE_WITH").contains(rawValue)
    case .counted:
      #if DEBUG
        return TestKind.named(by: "SYNCLINE_WITH").contains(rawValue)
      #else
        return true
      #endif
    }
  }

  private static func named(by variable: String) -> [String] {
    (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: ",").map(String.init)
  }
}
