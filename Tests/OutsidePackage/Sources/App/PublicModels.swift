import Base
import Foundation
import Syncline

/// What a target can do with the public models, structs, enums and unions of another one.
enum PublicModels {
  static func run() async throws {
    let container = try SyncContainer(for: Account.self, Place.self, Visit.self)
    let report = try await container.sync(
      payload: """
        [{"account": {"id": 1, "name": "Ada"}, "place": {"id": 2, "location": {"latitude": 47, "longitude": 7}},
          "note": "first"}]
        """, as: Visit.self)
    let id = Visit.ID(account: 1, place: 2)
    let (visit, place) = try await container.database.read { db in
      (try Visit.fetchOne(db, id: id), try Place.filter { $0.location.latitude > 40 }.fetchOne(db))
    }
    guard let visit, let place, let location = place.location else { return print("nothing is stored") }
    let sameLocation = try JSONDecoder().decode(Location.self, from: JSONEncoder().encode(location))
    let sameVisit = try JSONDecoder().decode(Visit.self, from: JSONEncoder().encode(visit))
    var made = try Account.make(from: SyncPayload(["id": 3, "name": "Bob", "role": "admin"]))
    let isChanged = try made.apply(SyncPayload(["id": 3, "name": "Eve"]))
    let shared = Shared.place(place)
    print(
      "public", report[Visit.self].inserted, [location: 1][sameLocation] ?? 0, Set([visit, sameVisit]).count,
      [id: visit][visit.id]?.note ?? "", made.name, made.role == Role(rawValue: "admin"), isChanged,
      shared.id == .place(Reference(place)), Account.syncIdentityRemoteKeys,
      Visit.syncRelationshipSchemaDescriptors.map(\.name))
    print(try await container.export(visit), location.databaseValue)
  }
}
