import Foundation
import GRDB
import Syncline

/// A list endpoint: the first sync, an identical one, and one with changed rows; in the order of the identities and in random
/// order.
struct Lists<Model: SyncUpdatableModel, ID: ArticleIdentity>: Sendable {
  private static var rows: Int { 100_000 }

  private let number: (first: Int, again: Int, changed: Int)
  private let label: String
  private let isShuffled: Bool
  private let payload: Lazy<Data>
  private let changed: Lazy<Data>
  private let records: Lazy<[ArticleRecord<ID>]>

  private init(
    _ identity: ArticleData.Identity, _ label: String, isShuffled: Bool = false,
    numbers: (first: Int, again: Int, changed: Int)
  ) {
    self.label = label
    self.isShuffled = isShuffled
    number = numbers
    payload = Lazy { ArticleData.payload(rows: 1...Self.rows, identity, isShuffled: isShuffled) }
    changed = Lazy {
      ArticleData.payload(rows: 1...Self.rows, identity, changedEvery: 100, isShuffled: isShuffled)
    }
    records = Lazy {
      // The minimum of necessary work does not depend on the order.
      let payload = ArticleData.payload(rows: 1...Self.rows, identity)
      return try HandWritten.decoder.decode([ArticleTransferObject<ID, Date>].self, from: payload).map(
        \.record)
    }
  }

  private typealias Work = @Sendable (Data, Store) async throws -> Void

  /// The contestants that sync in Swift.
  private var contestants: [(Contestant, iterations: Int, Work)] {
    let all: [(Contestant, iterations: Int, Work)] = [
      (.syncline, 5, { try await $1.container.sync(payload: $0, as: Model.self) }),
      (.careful, 3, { try await Careful.sync($0, ID.self, in: $1) }),
      (.expert, 3, { try await Expert.sync($0, ID.self, in: $1) }),
      (.handWritten, 3, { try await HandWritten.sync($0, ID.self, in: $1) }),
      (.manual, 3, { try await Manual.sync($0, ID.self, in: $1) }),
    ]
    // Contestants that write each row are slow, but not slower in random order.
    return Array(isShuffled ? all.prefix(3) : all[...])
  }

  /// A store that the contestant itself has filled, because contestants store dates in different forms.
  private func filled(_ work: @escaping Work) -> @Sendable () async throws -> Store {
    let (changed, records, isText) = (changed, records, ID.self == String.self)
    return {
      _ = (try changed.value(), try records.value())
      let store = try Store()
      // The rows are stored in the order of their keys, and found in any order.
      let ordered = ArticleData.payload(rows: 1...Self.rows, isText ? .text : .integer)
      try await work(ordered, store)
      return store
    }
  }

  private func register() {
    let (payload, changed, records) = (payload, changed, records)
    let empty: @Sendable () async throws -> Store = {
      // Create the records here, outside the measured work.
      _ = try records.value()
      return try Store()
    }
    let first = "\(number.first) first sync of 100k rows, \(label)"
    let again = "\(number.again) the same again, \(label)"
    let some = "\(number.changed) 1 % of rows changed, \(label)"
    for (contestant, iterations, work) in contestants {
      workload(first, contestant, iterations: iterations, prepare: empty) {
        try await work(payload.value(), $0)
      }
      sharedWorkload(again, contestant, iterations: iterations, prepare: filled(work)) { store, _ in
        try await work(payload.value(), store)
      }
      workload(some, contestant, iterations: iterations, prepare: filled(work)) {
        try await work(changed.value(), $0)
      }
    }
    let sync: Work = { try await $1.container.sync(payload: $0, as: Model.self) }
    workload(first, .floor, prepare: empty) { store in
      try Floor.scan(payload.value())
      try await Floor.insert(records.value(), in: store)
    }
    sharedWorkload(again, .floor, prepare: filled(sync)) { store, _ in
      try Floor.scan(payload.value())
      try await Floor.select(ID.table, in: store)
    }
    workload(some, .floor, prepare: filled(sync)) { store in
      try Floor.scan(changed.value())
      try await Floor.update(every: 100, of: records.value(), in: store)
    }
    if ID.self == Int.self, let python = Python() { registerPython(python, first, again) }
  }

  private func registerPython(_ python: Python, _ first: String, _ again: String) {
    let payload = payload
    let written: @Sendable () async throws -> Store = {
      let store = try Store()
      try payload.value().write(to: store.file("payload.json"))
      return store
    }
    foreignWorkload(first, .python, iterations: 3, prepare: written) { store in
      try python.sync(store.file("payload.json"), in: store)
    }
    foreignWorkload(
      again, .python, iterations: 3,
      prepare: {
        let store = try await written()
        _ = try python.sync(store.file("payload.json"), in: store)
        return store
      }
    ) { store in
      try python.sync(store.file("payload.json"), in: store)
    }
  }
}

extension Lists where Model == Article, ID == Int {
  static func registerAll() {
    Lists<Article, Int>(.integer, "integer keys", numbers: (1, 2, 3)).register()
    Lists<Document, String>(.text, "text keys", numbers: (1, 2, 3)).register()
    Lists<Article, Int>(.integer, "integer keys in any order", isShuffled: true, numbers: (15, 15, 15))
      .register()
    Lists<Document, String>(.text, "text keys in any order", isShuffled: true, numbers: (15, 15, 15))
      .register()
  }
}
