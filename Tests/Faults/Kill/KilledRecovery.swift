import Foundation
import Syncline
import SynclineInterpreter
import TestSupport

/// Kills a recovery while this process opens the same store. The damaged file must be kept, and a store that was created in the
/// meantime must not be replaced.
struct KilledRecovery {
  private let workload: Workload
  private let schema: InterpretedSchema
  private let template: URL
  private let folder: URL
  private let damaged: Data

  init(_ workload: Workload, in scratch: URL) async throws {
    self.workload = workload
    schema = InterpretedSchema(try TextStore.schema(workload.schema))
    template = scratch.appending(path: "template")
    folder = scratch.appending(path: "store")
    try await workload.makeTemplate(in: template)
    damaged = try Data(contentsOf: template.appending(path: Site.fileName))
  }

  /// Kills the recovery once.
  ///
  /// - Returns: the problems, and whether the recovery ended before the point of the kill.
  func problems(_ victim: Victim) async throws -> (problems: [String], isFinished: Bool) {
    try Scratch.copy(template, to: folder)
    let opener = Opener(schema, folder.appending(path: Site.fileName), .of(victim.call))
    let task = _Concurrency.Task.detached { await opener.run() }
    let ending = try victim.run(in: folder)
    task.cancel()
    var problems = await task.value
    if case .other(let reason) = ending { problems.append(reason) }
    problems += try storeProblems(await opener.stored)
    await opener.close()
    return (problems, ending.isFinished)
  }

  /// - Parameter stored: the rows that were synced in the meantime.
  private func storeProblems(_ stored: [Int]) throws -> [String] {
    let container = try SyncContainer(
      models: schema.models, isWhole: true, storage: .file(folder.appending(path: Site.fileName)),
      configuration: SyncConfiguration(), recoverOnFailure: true)
    let found = try container.database.read { try Int.fetchAll($0, sql: "SELECT id FROM Folder") }
    let check = try container.check()
    try container.database.close()
    var problems = check.problems
    let missing = Set(stored).subtracting(found)
    if !missing.isEmpty {
      problems.append("rows were lost that were synced into the new store: \(missing.sorted())")
    }
    let moved = try Scratch.files(in: folder).filter {
      $0.hasPrefix("\(Site.fileName).unusable-")
        && !["-wal", "-shm", "-journal"].contains(where: $0.hasSuffix)
    }
    let contents = try moved.map { try Data(contentsOf: folder.appending(path: $0)) }
    if contents != [damaged] {
      problems.append("what was moved aside is not the damaged file alone: \(moved.joined(separator: ", "))")
    }
    return problems
  }
}

/// Tries to open a store until it succeeds, and then syncs rows into it.
private actor Opener {
  enum Manner {
    /// Opens the store only after the other process.
    case late
    case plain
    /// Also recovers the store.
    case recovering

    /// Each in turn.
    static func of(_ call: Int) -> Manner { [.late, .plain, .recovering][call % 3] }
  }

  private let schema: InterpretedSchema
  private let file: URL
  private let manner: Manner
  private var container: SyncContainer?
  /// The identities of the rows that were synced.
  private(set) var stored: [Int] = []

  init(_ schema: InterpretedSchema, _ file: URL, _ manner: Manner) {
    (self.schema, self.file, self.manner) = (schema, file, manner)
  }

  /// Works until the task is cancelled.
  ///
  /// - Returns: the problems that were found.
  func run() async -> [String] {
    guard manner != .late else { return [] }
    repeat {
      do {
        let container = try open()
        try await sync(into: container)
      } catch is SyncError {
        // The store is damaged, being replaced, or locked by the other process.
      } catch {
        return ["another process has failed: \(error)"]
      }
      // Without a pause, the other process would almost never find the store closed.
      do { try await _Concurrency.Task.sleep(for: .milliseconds(1)) } catch { break }
    } while true
    return []
  }

  func close() { try? container?.database.close() }

  private func open() throws -> SyncContainer {
    if let container { return container }
    let new = try SyncContainer(
      models: schema.models, isWhole: true, storage: .file(file), configuration: SyncConfiguration(),
      recoverOnFailure: manner == .recovering)
    container = new
    return new
  }

  private func sync(into container: SyncContainer) async throws {
    guard stored.count < 5, let model = schema.model("Folder") else { return }
    func sync<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
      try await container.sync(item: #"{"id": \#(stored.count)}"#, as: model)
    }
    try await sync(model)
    stored.append(stored.count)
  }
}
