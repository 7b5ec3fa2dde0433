import Foundation

/// The kinds of tests that some runs leave out. A suite says what it is:
///
///     @Suite(.enabled(if: TestKind.building.runs))
///
/// `swift test` cannot choose tests by their tags, so `SYNCLINE_WITHOUT=building,long` names what a run leaves out.
package enum TestKind: String {
  /// Builds and runs other packages.
  case building
  /// Takes more than a second, most of them for random input.
  case long
  /// Counts work: what SQLite reads, writes and runs, and what is allocated. It is the same in each build, and takes
  /// many rows, so it is counted where these are synced fastest.
  case counted

  /// Whether the tests run.
  package var runs: Bool {
    if TestKind.leftOut.contains(rawValue) { return false }
    #if DEBUG
      return self != .counted
    #else
      return true
    #endif
  }

  private static let leftOut = Set(
    (ProcessInfo.processInfo.environment["SYNCLINE_WITHOUT"] ?? "").split(separator: ",").map(String.init))
}
