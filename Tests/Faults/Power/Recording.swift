import FaultStore
import Foundation
import GRDB
import TestSupport

/// A recorded call: the files before it, and all changes to them by the call, a checkpoint, and closing the store.
///
/// It contains a mark where the call returns, and one after each commit. There are no commit marks in the mode `normal`, whose
/// commits do not wait for the disk.
struct Recording: Sendable {
  let base: [String: Data]
  let events: [DiskEvent]

  /// Runs a workload once, without faults.
  ///
  /// - Parameter scratch: an empty folder.
  init(_ workload: Workload, _ mode: PowerMode, in scratch: URL) async throws {
    let (template, folder) = (Recording.template(in: scratch), scratch.appending(path: "recorded"))
    try await mode.makeTemplate(of: workload, in: template)
    try Scratch.copy(template, to: folder)
    base = try Recording.files(in: folder)
    Disk.watch(folder)
    fault_store_record(1)
    let result: Result<[DiskEvent], any Error>
    do {
      result = .success(try await Recording.run(workload, mode, in: folder))
    } catch {
      result = .failure(error)
    }
    fault_store_record(0)
    Disk.watch(nil)
    events = try result.get()
    try check(folder)
  }

  /// The mark after a checkpoint, which syncs the file.
  static let checkpoint = "checkpoint"

  /// The folder with the state before the call.
  static func template(in scratch: URL) -> URL { scratch.appending(path: "template") }

  private static func run(
    _ workload: Workload, _ mode: PowerMode, in folder: URL
  ) async throws -> [DiskEvent] {
    let marks = CommitMarks()
    let site = try mode.workload(workload, observer: marks).site(in: folder)
    _ = try await workload.call(site)
    // Observation ends when the observer is deallocated.
    withExtendedLifetime(marks) { fault_store_mark("returned") }
    // A checkpoint copies the log into the file. Closing does not do this if the last connection is read-only.
    if let store = site.store {
      try await store.container.checkpoint()
      fault_store_mark(checkpoint)
    }
    try site.close()
    return try DiskEvent.recorded()
  }

  /// Checks that the events lead to the actual files. Files that are not moved or written by SQLite are an exception.
  private func check(_ folder: URL) throws {
    var disk = VirtualDisk(base)
    for event in events { try disk.apply(event) }
    let (found, expected) = (try Recording.files(in: folder), disk.current)
    let names = Set(found.keys).union(expected.keys).filter { $0.hasPrefix(Site.fileName) }
    for name in names.sorted() where found[name] != expected[name] {
      throw Failure(description: "\(name) is not what was recorded")
    }
  }

  /// The files in a folder, except the index of a log, which is shared memory.
  private static func files(in folder: URL) throws -> [String: Data] {
    let names = try Scratch.files(in: folder).filter { !$0.hasSuffix("-shm") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}

/// Adds a mark for each commit to the record.
private final class CommitMarks: TransactionObserver, Sendable {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ database: Database) { fault_store_mark("commit") }
  func databaseDidRollback(_ database: Database) {}
}
