import Foundation

/// How many calls of each kind a workload makes.
///
/// They are kept in a file for the children that go on after one has ended, so that all of them number the points in the same way.
struct CallCounts {
  /// Nil without a parent that removes the file.
  private let file: URL?
  private var counts: [String: Int] = [:]

  init(of workload: Workload) throws {
    file = Scratch.shared?.appending(path: "\(workload.name).json")
    guard let file, FileManager.default.fileExists(atPath: file.path) else { return }
    counts = try JSONDecoder().decode([String: Int].self, from: Data(contentsOf: file))
  }

  /// The number of calls of some kinds, counted if it is not known.
  mutating func number(of kinds: FaultKinds, _ count: (FaultKinds) async throws -> Int) async throws -> Int {
    let key = "\(kinds.rawValue)"
    if let known = counts[key] { return known }
    let number = try await count(kinds)
    counts[key] = number
    if let file { try JSONEncoder().encode(counts).write(to: file) }
    return number
  }
}
