import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// The one-line test of an app's second schema version.
@Suite struct ExpectEvolutionTests {
  private func snapshot(_ change: (inout SyncSchemaSnapshot) -> Void = { _ in }) throws -> Data {
    var schema = SyncSchemaSnapshot(try ModelCatalog(SynclineTestsSchema.models))
    change(&schema)
    return try schema.json()
  }

  private func change(
    _ schema: inout SyncSchemaSnapshot, _ model: String, _ body: (inout SyncSchemaSnapshot.Model) -> Void
  ) {
    guard let index = schema.models.firstIndex(where: { $0.name == model }) else { return }
    body(&schema.models[index])
  }

  @Test func currentSchemaNeedsNoEvolution() throws {
    #expect(try expectEvolution(from: snapshot(), to: SynclineTestsSchema.self) == nil)
  }

  /// A model with one row, and models that are linked to it.
  private enum Linked: SyncSchema {
    private static let store = try? TextStore(
      #"""
      @Singleton model Settings { theme: String?; flags: [Flag]; badge: Badge?; license: License? }
      model Flag { id: Int; settings: Settings? }
      model Badge { id: Int; settings: Settings? }
      model License { id: Int; settings: Settings }
      model Seat { id: Int; license: License }
      @PrimaryKey(\.settings) model Usage { settings: Settings; count: Int }
      """#)

    static var models: [any SyncUpdatableModel.Type] { store?.models ?? [] }
  }

  @Test func rowsAreLinkedToASingleton() throws {
    #expect(Linked.models.count == 6)
    let snapshot = try SyncSchemaSnapshot(ModelCatalog(Linked.models)).json()
    #expect(try expectEvolution(from: snapshot, to: Linked.self) == nil)
  }

  @Test func aStoreOfAnEarlierVersionKeepsItsRows() throws {
    let earlier = try snapshot { schema in
      schema.models.removeAll { $0.name == "Label" }
      change(&schema, "Tag") { tag in
        tag.properties.append(.init(name: "gone", kind: .value(SyncStoredType(.date)), isOptional: true))
      }
      change(&schema, "Task") { task in
        task.properties.removeAll { $0.name == "estimate" }
        for index in task.properties.indices where task.properties[index].name == "title" {
          task.properties[index].kind = .value(SyncStoredType(.int))
        }
      }
    }
    let evolution = try expectEvolution(from: earlier, to: SynclineTestsSchema.self)
    #expect(
      evolution?.changes.map(\.description) == [
        "the model Label is new", "Tag.gone is dropped, with its values", "Task.title was Int and is String",
        "Task.estimate is new, Double?",
      ])
  }

  @Test func changedAndDeletedRowsAreNamedInTheError() throws {
    var configuration = SyncConfiguration()
    configuration.afterEvolution = { db, _ in
      try db.execute(sql: "UPDATE Tag SET name = 'x' WHERE id = 2; DELETE FROM Label WHERE id = 3")
    }
    let earlier = try snapshot { schema in
      change(&schema, "Tag") {
        $0.properties.append(.init(name: "gone", kind: .value(SyncStoredType(.int)), isOptional: true))
      }
    }
    #expect {
      try expectEvolution(from: earlier, to: SynclineTestsSchema.self, configuration)
    } throws: { error in
      let differences = (error as? EvolutionMismatch)?.differences ?? []
      return differences.contains(#"Tag 2: name is "x", and was "2""#)
        && differences.contains("Label 3 is gone")
    }
    configuration.afterEvolution = { db, _ in try db.execute(sql: "UPDATE Tag SET name = 'x' WHERE id = 2") }
    try expectEvolution(from: earlier, to: SynclineTestsSchema.self, ignoring: ["Tag.name"], configuration)
  }

  @Test func refusedEvolutionIsThrown() throws {
    let earlier = try snapshot { schema in
      change(&schema, "Task") { $0.properties.removeAll { $0.name == "title" } }
    }
    #expect {
      try expectEvolution(from: earlier, to: SynclineTestsSchema.self)
    } throws: { error in
      "\(error)".contains("Task.title is new, required and without a default, but there are 5 rows of Task.")
    }
  }
}
