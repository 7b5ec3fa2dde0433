import AllocationCounter
import Foundation
import Syncline

/// Prints how many bytes a call holds at its peak for each link, beyond what it holds for the same rows without a link or with
/// the same one: `pending 64.0`.
///
/// With the name of a case it makes that call once, for a profiler.
enum LinkMemory {
  /// What a payload says of notes and their folders.
  private enum Payload {
    /// Notes with the keys of their folders, so many folders further than at first; nil for notes without the key.
    case notes(shift: Int?, title: String = "A title")
    /// Folders with the lists of their notes.
    case folders(shift: Int)
  }

  private struct Case {
    let name: String
    /// What is synced before the call.
    let before: [Payload]
    /// Whether the folders are stored.
    let storesFolders: Bool
    /// The call, and the one that it is compared with.
    let call, baseline: Payload
  }

  private static let cases = [
    Case(
      name: "resolved", before: [], storesFolders: true, call: .notes(shift: 0), baseline: .notes(shift: nil)),
    Case(
      name: "pending", before: [], storesFolders: false, call: .notes(shift: 0), baseline: .notes(shift: nil)),
    Case(
      name: "pending again", before: [.notes(shift: 0)], storesFolders: false, call: .notes(shift: 0),
      baseline: .notes(shift: nil)),
    Case(
      name: "changed by keys", before: [.notes(shift: 0)], storesFolders: true, call: .notes(shift: 1),
      baseline: .notes(shift: 0, title: "Another title")),
    Case(
      name: "changed by lists", before: [.notes(shift: 0)], storesFolders: true, call: .folders(shift: 1),
      baseline: .folders(shift: 0)),
  ]

  static func run() async throws {
    let count = 160_000
    if let name = CommandLine.arguments.last, let test = cases.first(where: { $0.name == name }) {
      return print(try await peak(count, test, test.call))
    }
    // What a process sets up once.
    _ = try await peak(100, cases[0], cases[0].call)
    for test in cases {
      let bytes = try await peak(count, test, test.call) - peak(count, test, test.baseline)
      print(test.name, String(format: "%.1f", Double(bytes) / Double(count)))
    }
  }

  /// The most bytes that a call holds in a new store, beyond those that were held before it.
  private static func peak(_ count: Int, _ test: Case, _ call: Payload) async throws -> Int {
    let folder = try AllocationGate.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try AllocationGate.makeStore(in: folder)
    if test.storesFolders {
      try await container.sync(
        payload: AllocationGate.payload(count / 10) { "{\"id\":\($0)}" }, as: Folder.self)
    }
    for payload in test.before { try await sync(data(count, payload), payload, in: container) }
    let data = data(count, call)
    _ = allocation_peak()
    let start = allocation_bytes()
    try await sync(data, call, in: container)
    return allocation_peak() - start
  }

  private static func sync(_ data: Data, _ payload: Payload, in container: SyncContainer) async throws {
    switch payload {
    case .notes: try await container.sync(payload: data, as: Note.self)
    case .folders: try await container.sync(payload: data, as: Folder.self)
    }
  }

  /// Ten notes a folder.
  private static func data(_ count: Int, _ payload: Payload) -> Data {
    let folders = count / 10
    switch payload {
    case .notes(let shift?, let title):
      return AllocationGate.payload(count) {
        "{\"id\":\($0),\"title\":\"\(title)\",\"folder_id\":\(($0 + shift) % folders)}"
      }
    case .notes(nil, let title):
      return AllocationGate.payload(count) { "{\"id\":\($0),\"title\":\"\(title)\"}" }
    case .folders(let shift):
      return AllocationGate.payload(folders) { folder in
        let notes = (0..<10).map { String($0 * folders + (folder + shift) % folders) }.joined(separator: ",")
        return "{\"id\":\(folder),\"note_ids\":[\(notes)]}"
      }
    }
  }
}
