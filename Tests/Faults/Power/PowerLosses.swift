import Foundation
import Syncline
import TestSupport

/// The power losses during a recorded call, and the checks of the store after each one.
struct PowerLosses {
  private let workload: Workload
  private let recording: Recording
  private let timeline: Timeline
  /// The folder in which images are written.
  private let folder: URL
  private var disk: VirtualDisk
  /// The outcomes of images by digest, because many moments have equal images.
  private var known: [Int: Outcome] = [:]
  /// The states that containers read from the images, by the number of the state.
  private var opened: [Int: StoredState] = [:]

  private enum Outcome {
    /// The first committed state that equals the state of the image.
    case state(Int)
    case wrong(String)
  }

  init(_ workload: Workload, _ mode: PowerMode, in scratch: URL) async throws {
    self.workload = workload
    folder = scratch.appending(path: "image")
    recording = try await Recording(workload, mode, in: scratch)
    timeline = try Timeline(recording, mode, in: folder)
    disk = VirtualDisk(recording.base)
  }

  /// The number of events. Power may be lost before the first event, and after each event.
  var count: Int { recording.events.count }

  /// Advances to the moment after the given number of events.
  mutating func advance(to event: Int) throws {
    while disk.events < event { try disk.apply(recording.events[disk.events]) }
  }

  /// Simulates a power loss at the current moment, and opens an image.
  ///
  /// - Returns: the problems, and whether commits were undone.
  mutating func outcome(_ kind: DiskImage.Kind) throws -> (problems: [String], undoesCommits: Bool) {
    let event = disk.events
    var random = SeededGenerator(seed: event * DiskImage.Kind.allCases.count + kind.rawValue)
    let image = DiskImage(kind, of: disk, using: &random)
    let digest = image.digest
    let outcome = try known[digest] ?? self.outcome(of: image)
    known[digest] = outcome
    switch outcome {
    case .wrong(let problem): return ([problem], false)
    case .state(let number):
      if let problem = misplacement(of: number, after: event, kind) { return ([problem], false) }
      let last = timeline.states[timeline.possible[event].upperBound]
      // Opening with a container takes longer than reading, so it is done for some images only.
      let problem = kind.rawValue.isMultiple(of: 3) ? try openingProblem(image, number) : nil
      return (problem.map { [$0] } ?? [], timeline.states[number] != last)
    }
  }

  private func outcome(of image: DiskImage) throws -> Outcome {
    try image.write(to: folder)
    let found: CheckedState
    do { found = try CheckedState(of: folder.appending(path: Site.fileName)) } catch {
      return .wrong("it cannot be read: \(error)")
    }
    guard found.problems.isEmpty else { return .wrong(found.problems.joined(separator: "; ")) }
    guard let number = timeline.states.firstIndex(of: found.state) else {
      let nearest = timeline.states[timeline.possible[disk.events].upperBound]
      return .wrong("it was never committed: \(found.state.difference(from: nearest))")
    }
    return .state(number)
  }

  /// The reason why a state must not be found after the given number of events; nil if it may.
  private func misplacement(of number: Int, after event: Int, _ kind: DiskImage.Kind) -> String? {
    let all = timeline.possible[event]
    // A crash without a power loss does not undo commits.
    let possible = kind == .everything ? all.upperBound...all.upperBound : all
    guard !timeline.states[possible].contains(timeline.states[number]) else { return nil }
    return "it is at commit \(number), not one of \(possible.lowerBound) to \(possible.upperBound)"
  }

  /// Opens an image with a container, as an app does.
  private mutating func openingProblem(_ image: DiskImage, _ number: Int) throws -> String? {
    let found: StoredState
    do { found = try open(image) } catch { return "it cannot be opened: \(error)" }
    let expected: StoredState
    if let state = opened[number] {
      expected = state
    } else {
      expected = try open(cleanImage(of: number))
      opened[number] = expected
    }
    return found == expected
      ? nil : "a container opens it as another store: \(found.difference(from: expected))"
  }

  private func open(_ image: DiskImage) throws -> StoredState {
    try image.write(to: folder)
    let site = Site(folder: folder, schema: workload.evolved ?? workload.schema)
    let store = try TextStore(site.schema, in: .file(site.file))
    let state = try StoredState(store.container.database)
    try store.close()
    return state
  }

  /// The files of a state, as a crash without a power loss leaves them.
  private func cleanImage(of number: Int) throws -> DiskImage {
    var disk = VirtualDisk(recording.base)
    while timeline.possible[disk.events].upperBound < number { try disk.apply(recording.events[disk.events]) }
    return DiskImage(files: disk.current)
  }
}
