import Syncline
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// The rows of a payload may be read in the order of the stored ones where they are related as well: nobody can tell.
@Suite struct RelatedOrderTests {
  private static let models: [any SyncUpdatableModel.Type] = [
    Task.self, Project.self, User.self, Tag.self, Item.self, Fault.self, Topic.self, Note.self,
    Employee.self, Category.self, Device.self, Author.self, Book.self, Branch.self, Leaf.self,
    Crew.self, Sailor.self, Rack.self, Shelf.self, Box.self, Thing.self, Post.self, Comment.self,
    Order.self, OrderLine.self, OrderNote.self, Parcel.self, Studio.self, Room.self, Board.self,
    Assembly.self, Part.self, Person.self, Passport.self, Captain.self, Ship.self, Play.self, Mask.self,
  ]

  /// Stores whose payloads are read as they come, in the order of the stored rows, and so by a few rows at a time.
  private func makeStores(_ invalidRows: SyncConfiguration.InvalidRows) throws -> [SyncContainer] {
    try [0, SyncConfiguration().orderedRows, 40].map { orderedRows in
      var configuration = SyncConfiguration(invalidRows: invalidRows)
      configuration.orderedRows = orderedRows
      return try SynclineTestsSchema.makeStore(in: nil, configuration)
    }
  }

  private func outcome<Model: SyncUpdatableModel>(
    of payload: String, as model: Model.Type, in store: SyncContainer
  ) async -> String {
    do {
      let report = try await store.sync(payload: payload, as: model)
      var lines = report.models.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines += report.problems.map { "\($0)" } + report.waiting.map { "\($0)" }
      lines.append("\(report.problemCount) \(report.waitingCount)")
      return lines.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  /// A soft deletion is marked with the time of its sync.
  private func everything(in store: SyncContainer) throws -> [String: [String]] {
    try store.everything().mapValues { rows in
      rows.map { row in
        guard case .object(var object) = row else { return "\(row)" }
        if let mark = object["deletedAt"], mark != .null { object["deletedAt"] = "marked" }
        return "\(SyncJSON.object(object))"
      }
    }
  }

  @Test(arguments: Soak.seeds(61_000_000, count: 30)) func relatedRowsInAnyOrder(seed: Int) async throws {
    for (invalidRows, oddity) in [
      (SyncConfiguration.InvalidRows.fail, 0), (.skip, 0), (.skip, 2), (.skip, 15),
    ] {
      let stores = try makeStores(invalidRows)
      var server = RandomServer(stores[0], rows: 90, seed: seed * 100 + oddity)
      server.oddity = oddity
      let models = Self.models.shuffled(using: &server.random).prefix(3)
      for round in 0..<6 {
        let model = server.random.pick(models)
        let payload = try server.payload(model, count: Int.random(in: 40...90, using: &server.random))
        if server.random.chance(50) { server.change() }
        var outcomes: [String] = []
        for store in stores { outcomes.append(await outcome(of: payload, as: model, in: store)) }
        let expected = try everything(in: stores[0])
        let waiting = try await stores[0].waitingLinks()
        for (index, store) in stores.enumerated().dropFirst() {
          let place =
            "seed \(seed), \(invalidRows), oddity \(oddity), round \(round), \(model), store \(index)"
          let start = outcomes[index].commonPrefix(with: outcomes[0]).count
          let (found, other) = (outcomes[index].dropFirst(start), outcomes[0].dropFirst(start))
          try #require(found == other, "\(place): \(found.prefix(200)) not \(other.prefix(200))")
          try #require(everything(in: store) == expected, "\(place)")
          try await #require(store.waitingLinks() == waiting, "\(place)")
        }
      }
    }
  }
}
