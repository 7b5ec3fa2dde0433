import Foundation

/// The number of SQLite calls of each kind that a workload makes.
///
/// They are saved in a file for the children that continue after another child has ended, so that all children number the points
/// in the same way.
struct CallCounts {
  /// The file; nil without a parent that removes it.
  private let file: URL?
  private var counts: [String: Int] = [:]

  init(of workload: Workload) throws {
    file = Scratch.shared?.appending(path: "\(workload.name).json")
    guard let file, FileManager.default.fileExists(atPath: file.path) else { return }
    counts = try JSONDecoder().decode([String: Int].self, from: Data(contentsOf: file))
  }

  /// The number of calls of some kinds. They are counted on first use.
  mutating func number(of kinds: FaultKinds, _ count: (FaultKinds) async throws -> Int) async throws -> Int {
    let key = "\(kinds.rawValue)"
    if let known = counts[key] { return known }
    let number = try await count(kinds)
    counts[key] = number
    if let file { try JSONEncoder().encode(counts).write(to: file) }
    return number
  }
}
