import Foundation
import Syncline
import TestSupport

/// Kills a call, and checks the store that it leaves.
struct KilledCall {
  private let scene: KillScene
  private let workload: Workload
  private let template: URL
  private let folder: URL
  /// The states that the call commits, beginning with the state before it.
  private let states: [StoredState]

  /// - Parameter scratch: an empty folder.
  init(_ scene: KillScene, _ workload: Workload, in scratch: URL) async throws {
    (self.scene, self.workload) = (scene, workload)
    template = Recording.template(in: scratch)
    folder = scratch.appending(path: "store")
    let recording = try await Recording(workload, scene.mode, in: scratch)
    states = try Timeline(recording, scene.mode, in: folder).states
  }

  /// Kills the call once.
  ///
  /// - Returns: the problems, and whether the call ended before the point of the kill.
  func problems(_ victim: Victim) async throws -> (problems: [String], isFinished: Bool) {
    try Scratch.copy(template, to: folder)
    let other = scene == .reader ? try ConcurrentReader(workload, in: folder) : nil
    let ending = try victim.run(in: folder)
    var problems = other?.stop(expecting: states) ?? []
    switch ending {
    case .other(let reason): problems.append(reason)
    case .killed, .finished: problems += try await storeProblems(other?.site, isFinished: ending.isFinished)
    }
    return (problems, ending.isFinished)
  }

  /// - Parameter openSite: the site of a store that was open during the call.
  private func storeProblems(_ openSite: Site?, isFinished: Bool) async throws -> [String] {
    guard let after = states.last else { return ["the call commits nothing"] }
    var problems: [String] = []
    // Check a copy with SQLite alone first, because a container may write when it opens the store.
    let copy = folder.appendingPathExtension("copy")
    if openSite == nil {
      try Scratch.copy(folder, to: copy)
      let found = try CheckedState(of: copy.appending(path: Site.fileName))
      problems += found.problems + unexpected(found.state, isFinished ? [after] : states)
    }
    let site = try openSite ?? workload.site(in: folder)
    if let store = site.store {
      let found = try CheckedState(store.container.database)
      problems += found.problems + unexpected(found.state, isFinished ? [after] : states)
    }
    _ = try await workload.call(site)
    try site.close()
    let end = try CheckedState(of: site.file)
    problems +=
      end.problems + unexpected(end.state, [after]).map { "the call made again leaves another store: \($0)" }
    let known = try Scratch.files(in: template) + ["", "-wal", "-shm"].map { Site.fileName + $0 }
    problems += try Scratch.files(in: folder).filter { !known.contains($0) }.map { "\($0) is left" }
    return problems
  }

  private func unexpected(_ state: StoredState, _ expected: [StoredState]) -> [String] {
    guard !expected.contains(state), let last = expected.last else { return [] }
    return ["a state that was never committed: \(state.difference(from: last))"]
  }
}

extension Victim.Ending {
  var isFinished: Bool { if case .finished = self { true } else { false } }
}
