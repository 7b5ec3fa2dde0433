import Foundation
import GRDB
import Syncline
import SynclineTesting
import Synchronization
import Testing

/// The work for a row that occurs thousands of times in the payload is proportional to the number of its objects.
@Suite(.serialized) struct RepeatedRowWorkTests {
  /// A model that counts how often a row is created from objects of the payload.
  private struct Parcel: Codable, SyncUpdatableModel, Identifiable {
    var id: String
    var name: String
    var weight: Int?

    static let databaseTableName = "parcel"
    static let madeRows = Mutex(0)
    static var syncIdentity: KeyPath<Parcel, String> { \.id }

    static func make(from payload: SyncPayload) throws -> Parcel {
      madeRows.withLock { $0 += 1 }
      return Parcel(
        id: try payload.required(String.self, for: "id"),
        name: try payload.required(String.self, for: "name"),
        weight: payload.value(for: "weight", as: Int.self))
    }

    mutating func apply(_ payload: SyncPayload) throws -> Bool {
      let isRenamed = try payload.update(&name, for: "name")
      let isWeighed = try payload.update(&weight, for: "weight")
      return isRenamed || isWeighed
    }

    func export(in context: SyncExportContext) throws -> SyncJSON {
      ["id": .string(id), "name": .string(name)]
    }
  }

  private func store() throws -> SyncContainer {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "parcel") { table in
        table.primaryKey("id", .text)
        table.column("name", .text).notNull()
        table.column("weight", .integer)
      }
    }
    return try SyncContainer(for: Parcel.self, storage: .database(database))
  }

  /// Objects without the values that a new row requires, and one with them.
  private func objects(_ count: Int) -> [String] {
    (1..<count).map { #"{"id": "p", "weight": \#($0)}"# } + [#"{"id": "p", "name": "P"}"#]
  }

  @Test func repeatedRowIsNotRebuiltForEachObject() async throws {
    func madeRows(_ count: Int) async throws -> Int {
      let store = try store()
      Parcel.madeRows.withLock { $0 = 0 }
      try await store.sync(payload: "[\(objects(count).joined(separator: ","))]", as: Parcel.self)
      let parcels = try await store.database.read { try Parcel.fetchAll($0) }
      #expect(parcels.map(\.name) == ["P"])
      #expect(parcels.map(\.weight) == [count - 1])
      return Parcel.madeRows.withLock { $0 }
    }
    let few = try await madeRows(100)
    #expect(few < 20)
    #expect(try await madeRows(1_000) == few)
  }

  @Test func aRowThatNoObjectCompletesIsAnError() async throws {
    let store = try store()
    Parcel.madeRows.withLock { $0 = 0 }
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: "[\(objects(100).dropLast().joined(separator: ","))]", as: Parcel.self)
    }
    #expect(Parcel.madeRows.withLock { $0 } < 20)
    let parcels = try await store.database.read { try Parcel.fetchAll($0) }
    #expect(parcels.isEmpty)
  }
}
