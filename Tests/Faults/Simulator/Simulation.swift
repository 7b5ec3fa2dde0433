import Foundation
import GRDB
import Syncline
import SynclineInterpreter
import TestSupport

/// The simulation of a seed: a schema with later versions, and steps on two stores. After each step both stores must be equal.
@MainActor
final class Simulation {
  let seed: Int
  let versions: [SimulatedSchema]
  let stores: SimulatedStores
  /// The version of the stores.
  var version = 0
  /// The version after the next migration.
  var nextVersion = 1
  var notices: SimulatedNotices
  var follower: (any SimulatedFollowing)?
  /// The contents of both stores.
  var tables: StoreDump
  /// The rows of the file's store; nil if they must be read again.
  private var knownRows: RowDump?
  /// Whether SQL may have inserted a row that a pending link refers to.
  var hasInsertedBySQL = false
  /// A digest of the outcomes of all steps.
  var digest = SimulatedDigest()

  init(seed: Int, in folder: URL) async throws {
    self.seed = seed
    versions = Simulation.versions(of: seed)
    var random = SeededGenerator(seed: seed &+ 1)
    var configuration = SyncConfiguration(
      invalidRows: random.chance(30) ? .skip : .fail,
      foreignKeys: random.chance(20) ? .likeIdentities : .strict)
    configuration.unreadKeys = .off
    let schema = InterpretedSchema(try TextStore.schema(versions[0].text))
    stores = try SimulatedStores(schema, configuration, seed: seed, in: folder)
    notices = try await SimulatedNotices(stores.store().container)
    tables = try StoreDump(stores.store().container).ofStore
  }

  /// The versions of the schema for a seed.
  nonisolated static func versions(of seed: Int) -> [SimulatedSchema] {
    var random = SeededGenerator(seed: seed)
    var versions = [SimulatedSchema(random.fork())]
    for number in 0..<3 { versions.append(versions[number].evolved(using: random.fork())) }
    return versions
  }

  /// The step of the seed at an index, for the current schema of the stores.
  func step(_ index: Int) -> SimulatedStep { SimulatedStep(index, ofSeed: seed, in: versions[version]) }

  /// Plays a step.
  ///
  /// - Throws: ``SimulatedFinding`` if the store violates a rule.
  func play(_ step: SimulatedStep) async throws {
    digest.add(step.description)
    stores.beginAttempt(step.index)
    stores.beginShadowAttempt(step.index)
    switch step.kind {
    case .call(let call, let circumstance): try await play(call, circumstance, step.index)
    case .atOnce(let calls): try await play(atOnce: calls)
    case .pages(let pages): try await play(pages)
    case .edit(let sql): try await play(edit: sql)
    case .evolution(let circumstance): try await evolve(circumstance, step.index)
    case .reopening: try await reopen()
    case .export(let model): try await export(model)
    case .following(let query):
      stopFollowing()
      let store = try stores.store()
      follower = try query.follow(store.container, store.model(query.model))
    }
    if let problem = try await follower?.problem() { throw SimulatedFinding(.followed, problem) }
    digest.add(tables)
  }

  /// Checks the file and closes the store.
  func end() async throws {
    stopFollowing()
    try await checkFile()
    try stores.close()
  }

  // MARK: What the stores hold

  /// The models that payloads contain.
  private var models: [any SyncUpdatableModel.Type] {
    stores.schema.models.filter { $0.databaseTableName != SimulatedSchema.beat }
  }

  /// The rows of the file's store, whose contents equal `tables`.
  func rows() async throws -> RowDump {
    if let knownRows { return knownRows }
    let rows = try await RowDump(stores.store().container, models, tables)
    knownRows = rows
    return rows
  }

  func dump() throws -> StoreDump { try StoreDump(stores.store().container).ofStore }

  /// Reads the tables of both stores and compares them.
  ///
  /// - Throws: ``SimulatedFinding`` if they differ.
  func settle() throws {
    let now = try dump()
    let expected = try StoreDump(stores.shadow.container).ofStore
    guard now == expected else { throw SimulatedFinding(.tables, now.difference(from: expected)) }
    if now != tables { (tables, knownRows) = (now, nil) }
  }

  func checkUnchanged(_ rule: SimulatedFinding.Rule, after what: String) throws {
    let now = try dump()
    guard now == tables else {
      throw SimulatedFinding(rule, "after \(what)\n\(now.difference(from: tables))")
    }
  }

  func checkFile() async throws {
    let problems = try await stores.store().container.database.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check")
        + String.fetchAll(database, sql: "PRAGMA foreign_key_check")
    }
    guard problems == ["ok"] else {
      throw SimulatedFinding(.damaged, problems.joined(separator: "\n"))
    }
  }

  // MARK: Outcomes

  func outcome(_ body: @MainActor () async throws -> SyncReport) async -> SimulatedOutcome {
    do { return .report(try await body()) } catch { return .failure(error) }
  }

  func compare(_ found: SimulatedOutcome, _ expected: SimulatedOutcome) throws {
    if case .failure(let error) = found, !(error is SyncError), !(error is SimulatedPageError) {
      throw SimulatedFinding(.untypedError, "\(type(of: error)): \(error)")
    }
    digest.add(expected.text)
    guard found.text != expected.text else { return }
    throw SimulatedFinding(
      .outcomes, "with faults:\n\(found.text)\nwithout:\n\(expected.text)")
  }

  // MARK: Following

  func stopFollowing() {
    follower?.stop()
    follower = nil
  }

  /// Starts to receive the notices of the opened store.
  func listen() async throws { notices = try await SimulatedNotices(stores.store().container) }
}
