import Syncline
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// The rows of a payload may be read in the order of the stored ones where they are related as well: nobody can tell.
@Suite struct RelatedOrderTests {
  /// Stores whose payloads are read as they come, in the order of the stored rows, and so by a few rows at a time.
  private func makeStores(_ invalidRows: SyncConfiguration.InvalidRows) throws -> [SyncContainer] {
    try [0, SyncConfiguration().orderedRows, 40].map { orderedRows in
      var configuration = SyncConfiguration(invalidRows: invalidRows)
      configuration.orderedRows = orderedRows
      return try SynclineTestsSchema.makeStore(in: nil, configuration)
    }
  }

  @Test(arguments: Soak.seeds(61_000_000, count: 20)) func relatedRowsInAnyOrder(seed: Int) async throws {
    for (invalidRows, oddity) in [
      (SyncConfiguration.InvalidRows.fail, 0), (.skip, 0), (.skip, 2), (.skip, 15),
    ] {
      let stores = try makeStores(invalidRows)
      var server = RandomServer(stores[0], rows: 90, seed: seed * 100 + oddity)
      server.oddity = oddity
      let models = RandomServer.models.shuffled(using: &server.random).prefix(3)
      for round in 0..<6 {
        let model = server.random.pick(models)
        let payload = try server.payload(model, count: Int.random(in: 40...90, using: &server.random))
        if server.random.chance(50) { server.change() }
        let expected = await stores[0].outcome(of: payload, as: model)
        let rows = try stores[0].everythingButTimes()
        let waiting = try await stores[0].waitingLinks()
        for (index, store) in stores.enumerated().dropFirst() {
          let place = "\(invalidRows), oddity \(oddity), round \(round), \(model), store \(index)"
          let outcome = await store.outcome(of: payload, as: model)
          try #require(outcome == expected, "\(place): \(difference(outcome, expected))")
          try #require(store.everythingButTimes() == rows, "\(place)")
          try await #require(store.waitingLinks() == waiting, "\(place)")
        }
      }
    }
  }
}
