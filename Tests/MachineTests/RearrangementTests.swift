import Syncline
import SynclineTesting
import TestSupport
import Testing

/// What does not contradict itself can be said in any order, nested or flat, and an export says what is stored.
@Suite(.enabled(if: TestKind.random.runs))
struct RearrangementTests {
  @Test func payloadOrderDoesNotAffectTheResult() async throws {
    var machine = Machine("payloadOrderDoesNotAffectTheResult", keepsSense: true) { store, call in
      var call = call
      call.operations = .all
      guard case .json(let json) = call.payload, !Shape.placed.union(Shape.lists).contains(call.model) else {
        return []
      }
      let copies = try (1...3).map { _ in try store.store.copy() }
      let expected = try await Outcome(of: [call], on: store.store)
      for (seed, copy) in copies.enumerated() {
        var random = SeededGenerator(seed: seed)
        var shuffled = call
        shuffled.payload = .json(Rearrangement.shuffled(json, using: &random))
        let outcome = try await Outcome(of: [shuffled], on: copy)
        guard let difference = outcome.difference(from: expected) else { continue }
        return [
          Failure(
            rule: .orderDoesNotMatter, place: difference.place, details: "\(shuffled)\n\(difference.text)")
        ]
      }
      return []
    }
    try await machine.run(Soak.seeds(3_000_000, count: 14), steps: 15)
  }

  @Test func nestingDoesNotAffectTheResult() async throws {
    var machine = Machine("nestingDoesNotAffectTheResult", keepsSense: true) { store, call in
      var call = call
      (call.operations, call.childPolicy) = (.all, nil)
      // What one call deletes by a cascade, another that comes first cannot take from there.
      if case .collection = call.form { call.form = .collection(DeletionPolicy.none) }
      // Nor delete from a parent what another that comes first has taken from it.
      if case .children = call.form { return [] }
      if case .document = call.form { return [] }
      if Shape.placed.contains(call.model) { return [] }
      let before = try store.store.copy()
      let expected = try await Outcome(of: [call], on: store.store)
      guard case .json(let json) = call.payload, expected.error == nil,
        store.store.configuration.invalidRows == .fail
      else { return [] }
      let nested = Rearrangement.nestedObjects(in: json, of: call.model).filter {
        !$0.hasStamps && $0.model != "Lane" && Shape.named($0.model).otherPart == nil
      }
      for place in nested.prefix(6) {
        guard let cut = Rearrangement.cut(call, at: place) else { continue }
        for calls in [[cut.object, cut.rest], [cut.rest, cut.object]] {
          let outcome = try await Outcome(of: calls, on: before.copy())
          // What requires a row cannot come before it.
          guard outcome.error == nil, let difference = outcome.difference(from: expected) else { continue }
          return [
            Failure(
              rule: .nestingDoesNotMatter, place: difference.place,
              details: "\(calls[0])\n\(calls[1])\n\(difference.text)")
          ]
        }
      }
      return []
    }
    try await machine.run(Soak.seeds(4_000_000, count: 15), steps: 12)
  }

  /// Lists of one body settle their links together, wherever they stand in it.
  @Test func orderOfListsInABodyDoesNotAffectTheResult() async throws {
    for seed in Soak.seeds(11_000_000, count: 14) {
      var random = SeededGenerator(seed: seed)
      let store = try MachineTestsSchema.makeStore()
      var world = World(using: &random)
      for step in 0..<8 {
        if random.chance(50) { world.evolve(using: &random) }
        let lists = Body.lists(of: world, using: &random)
        let copy = try store.copy()
        let expected = try await Body(lists).outcome(on: store)
        let other = try await Body(lists.shuffled(using: &random)).outcome(on: copy)
        #expect(other.error == expected.error, "seed \(seed), step \(step)")
        #expect(
          other.tables == expected.tables,
          "seed \(seed), step \(step)\n\(other.tables.difference(from: expected.tables))")
        guard expected.error == nil else { continue }
        let again = try await Body(lists).outcome(on: store)
        #expect(again.isUnchanged && again.tables == expected.tables, "seed \(seed), step \(step), again")
      }
    }
  }

  @Test func syncingAnExportChangesNothing() async throws {
    var machine = Machine("syncingAnExportChangesNothing") { store, call in
      _ = try? await call.run(on: store.store)
      let before = try StoreDump(store.store, unifyingMarks: true)
      for export in try await store.store.exports() {
        let writes = store.store.writes
        let outcome = try await Outcome(of: [export], on: store.store)
        let place: String
        if let error = outcome.error {
          place = "refused \(error)"
        } else if outcome.tables != before {
          place = "stores another " + outcome.tables.names(besides: before).joined(separator: " ")
        } else if !outcome.isUnchanged {
          place = "reports \(export.model)"
        } else if store.store.writes != writes, !outcome.skipsRows {
          place = "writes \(export.model)"
        } else {
          continue
        }
        let difference = outcome.tables.difference(from: before)
        return [Failure(rule: .exportChangesNothing, place: place, details: "\(export)\n\(difference)")]
      }
      return []
    }
    try await machine.run(Soak.seeds(5_000_000, count: 6), steps: 10)
  }
}

extension SyncContainer {
  /// The calls that sync all exported bodies: whole, row by row, and those of a scope by their parents.
  fileprivate func exports() async throws -> [Call] {
    var calls: [Call] = []
    for model in MachineTestsSchema.models
    where !(model is any ParentScopedModel.Type) && !Shape.placed.contains(model.databaseTableName) {
      calls += try await exports(of: model)
    }
    for board in try rows(of: Board.self).compactMap({ $0["id"]?.int }) {
      calls.append(try await exports(of: Relation.lanes, Lane.self, \.board, board))
      calls.append(try await exports(of: Relation.notes, Note.self, \.board, board))
    }
    return calls
  }

  private func exports<Model: SyncUpdatableModel>(of model: Model.Type) async throws -> [Call] {
    let name = Model.databaseTableName
    var calls: [Call] = []
    for nulls in [SyncExportNulls.write, .omit] {
      let body = [UInt8](try await exportData(as: model, nulls: nulls))
      calls.append(Call(model: name, form: .collection(nil), payload: .bytes(body)))
    }
    return calls
      + (try await export(as: model)).map { Call(model: name, form: .item, payload: .json($0)) }
  }

  private func exports<Model: SyncUpdatableModel>(
    of relation: Int, _ model: Model.Type, _ relationship: KeyPath<Model, Reference<Board>>, _ board: Int
  ) async throws -> Call {
    let body = [UInt8](try await exportData(as: model, parent: board, relationship: relationship))
    return Call(
      model: Model.databaseTableName, form: .children(relation: relation, parent: board),
      payload: .bytes(body))
  }
}

/// Lists of several models in one body.
private struct Body {
  private let lists: [(String, SyncJSON)]

  init(_ lists: [(String, SyncJSON)]) { self.lists = lists }

  static func lists(of world: World, using random: inout SeededGenerator) -> [(String, SyncJSON)] {
    var writer = Writer(world, random.fork())
    return ["Skill", "Ticket", "Badge", "Clip", "Label"].map { model in
      (model.lowercased(), writer.payload(model, world.numbers(model)))
    }
  }

  func outcome(on store: SyncContainer) async throws -> (error: String?, isUnchanged: Bool, tables: StoreDump)
  {
    var error: String?
    var isUnchanged = false
    do {
      let payload = SyncJSON.object(SyncJSONObject(lists)).description
      let report = try await store.sync(payload: payload) {
        $0.list("skill", as: Skill.self)
        $0.list("ticket", as: Ticket.self)
        $0.list("badge", as: Badge.self)
        $0.list("clip", as: Clip.self)
        $0.list("label", as: Label.self)
      }
      isUnchanged = report.isUnchanged
    } catch is SyncError {
      error = "refused"
    }
    return (error, isUnchanged, try StoreDump(store, unifyingMarks: true))
  }
}
