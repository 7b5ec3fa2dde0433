import Foundation
import GRDB
import Syncline

/// The time from a commit to the new rows of followers, and the overhead for the writer.
enum Following {
  static func register() {
    registerLists()
    registerManyLists()
    registerWriter()
    registerNotices()
  }

  /// Half of the cards, in the order of their titles.
  private static func registerLists() {
    for (size, count) in [("100k", 100_000), ("1M", 1_000_000)] {
      let filled: @Sendable () async throws -> Store = {
        try await Filled.plainCards(count, perBoard: 100)
      }
      for change in CardChange.allCases {
        followingWorkload(
          "21 a followed half of \(size) rows: \(change.rawValue)", .syncline,
          iterations: change == .moveHundred ? 60 : 400, prepare: filled,
          follow: { store in
            let rows = store.container.values(
              of: Card.self, where: Card.Columns.isDone == false, orderBy: [Card.Columns.title])
            return Updates(rows) { $0.first?.id }
          }, write: change.write)
      }
      followingWorkload(
        "21 a followed half of \(size) rows: \(CardChange.edit.rawValue)", .handWritten, iterations: 5,
        prepare: filled,
        follow: { store in
          Updates(observing: store.database) { db in
            try Card.filter(Card.Columns.isDone == false).order(Card.Columns.title, Card.Columns.id).fetchAll(
              db)
          }
        }, write: CardChange.edit.write)
    }
  }

  /// Ten thousand lists, each with the cards of one board.
  private static func registerManyLists() {
    let filled: @Sendable () async throws -> Store = {
      try await Filled.plainCards(100_000, perBoard: 10)
    }
    followingWorkload(
      "22 10k followed boards, one card changed", .syncline, iterations: 400, prepare: filled,
      follow: { store in
        let changed = Updates<Int>()
        for board in 1...10_000 {
          changed.follow(
            store.container.values(
              of: Card.self, where: Card.Columns.board == board, orderBy: [Card.Columns.position]))
        }
        await changed.wait(for: 10_000)
        return changed
      }, write: CardChange.edit.write)
  }

  /// The overhead for the writer if the followers have nothing to read.
  private static func registerWriter() {
    let follow: @Sendable (Store) -> Updates<Int> = { store in
      Updates(store.container.values(of: User.self)) { $0.first?.id }
    }
    // By hand: a GRDB observer that does nothing, which is the minimum for being notified.
    for contestant in [Contestant.syncline, .manual, .floor] {
      let filled: @Sendable () async throws -> Store = {
        let store = try await Filled.plainCards(100_000, perBoard: 100)
        switch contestant {
        case .syncline: await Kept.shared.keep(follow(store))
        case .manual:
          store.database.add(transactionObserver: IdleObserver(), extent: .databaseLifetime)
        default: break
        }
        return store
      }
      sharedWorkload("22 100k statements in a followed store", contestant, prepare: filled) {
        store, iteration in
        try await store.database.write { db in
          let statement = try db.makeStatement(sql: "UPDATE Card SET position = ? WHERE id = ?")
          for id in 1...100_000 { try statement.execute(arguments: [iteration, id]) }
        }
      }
      sharedWorkload("22 1k commits in a followed store", contestant, prepare: filled) { store, iteration in
        try await store.database.writeWithoutTransaction { db in
          let statement = try db.makeStatement(sql: "UPDATE Card SET position = ? WHERE id = ?")
          for id in 1...1_000 {
            try db.inTransaction {
              try statement.execute(arguments: [iteration, id])
              return .commit
            }
          }
        }
      }
    }
  }

  private static func registerNotices() {
    followingWorkload(
      "22 a notice of one changed card", .syncline, iterations: 400,
      prepare: { try await Filled.plainCards(100_000, perBoard: 100) },
      follow: { store in Updates<Int>(noticesOf: store.container) }, write: CardChange.edit.write)
  }
}

/// A change under a list of unfinished cards that is sorted by title.
enum CardChange: String, CaseIterable {
  case edit = "a card edited"
  case move = "a card moved"
  case leave = "a card leaves or comes"
  case moveHundred = "100 cards moved"

  func write(_ db: Database, _ iteration: Int) throws {
    let count = try Int.fetchOne(db, sql: "SELECT max(id) FROM Card") ?? 1
    // Cards with even numbers are not done.
    func card(_ index: Int) -> Int { 2 + (iteration / 2 * 7_919 + index * 104_729) % (count / 2) * 2 }
    switch self {
    case .edit:
      try db.execute(sql: "UPDATE Card SET position = position + 1 WHERE id = ?", arguments: [card(0)])
    case .move:
      try rename(card(0), iteration, db)
    case .leave:
      try db.execute(sql: "UPDATE Card SET isDone = NOT isDone WHERE id = ?", arguments: [card(0)])
    case .moveHundred:
      for index in 0..<100 { try rename(card(index), iteration, db) }
    }
  }

  private func rename(_ card: Int, _ iteration: Int, _ db: Database) throws {
    let title = Filled.title((card * 31 + iteration * 7_927) % 1_000_003)
    try db.execute(sql: "UPDATE Card SET title = ? WHERE id = ?", arguments: [title, card])
  }
}

/// An observer that is notified of each row, and does nothing.
private final class IdleObserver: TransactionObserver {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

/// Keeps followers alive until the process ends.
private actor Kept {
  static let shared = Kept()
  private var updates: [Updates<Int>] = []

  func keep(_ new: Updates<Int>) { updates = [new] }
}
