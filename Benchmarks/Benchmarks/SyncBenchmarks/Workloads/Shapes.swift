import Foundation
import Syncline

/// Structs, maps and ordered lists, compared with the same payload in separate columns and unordered lists.
enum Shapes {
  private static let rows = 100_000

  static func register() {
    let residents = Lazy {
      payload(rows) { row in
        #"{"id":\#(row),"name":"user \#(row)","address":{"street":"Main street \#(row)","city":"Bern","#
          + #""zip":"\#(3_000 + row % 1_000)","geo":{"lat":46.\#(row),"lng":7.\#(row)}}}"#
      }
    }
    let offers = Lazy {
      payload(rows) { row in
        #"{"id":\#(row),"prices":{"CHF":\#(row).5,"EUR":\#(row).25,"GBP":\#(row).75,"USD":\#(row + 1).5}}"#
      }
    }
    let mixes = Lazy {
      payload(rows / 10) { row in
        #"{"id":\#(row),"tag_ids":[\#((0..<10).map { String(1 + (row * 7 + $0 * 13) % 500) }.joined(separator: ","))]}"#
      }
    }
    pair("values", residents, Resident.self, flat: FlatResident.self)
    pair("maps", offers, Offer.self, flat: FlatOffer.self)
    pair("ordered lists", mixes, Mix.self, flat: FlatMix.self)
  }

  private static func pair<Shaped: SyncUpdatableModel, Flat: SyncUpdatableModel>(
    _ label: String, _ payload: Lazy<Data>, _ shaped: Shaped.Type, flat: Flat.Type
  ) {
    func workload<Model: SyncUpdatableModel>(_ model: Model.Type, _ contestant: Contestant) {
      sharedWorkload(
        "29 \(label), unchanged", contestant, iterations: 9,
        prepare: {
          let store = try Store()
          try await store.container.sync(
            payload: Shapes.payload(500) { #"{"id":\#($0),"name":"tag \#($0)"}"# }, as: Tag.self)
          try await store.container.sync(payload: payload.value(), as: model)
          return store
        }
      ) { store, _ in
        try await store.container.sync(payload: payload.value(), as: model)
      }
    }
    workload(shaped, .syncline)
    workload(flat, .flat)
  }

  private static func payload(_ count: Int, _ row: (Int) -> String) -> Data {
    Data(("[" + (1...count).map(row).joined(separator: ",") + "]").utf8)
  }
}
