import Foundation
import GRDB
import Syncline

/// Reading rows into structs, through GRDB's own API.
enum Reading {
  static let rows = 100_000

  static func register() {
    let articles: @Sendable () async throws -> Store = { try await Filled.articles(rows) }
    let cards: @Sendable () async throws -> Store = { try await Filled.cards(rows) }

    reading("18 fetchAll of 100k rows", articles) { db, contestant in
      switch contestant {
      case .syncline: try Article.fetchAll(db).count
      case .floor: try Floor.fetchArticles(db).count
      default: try ArticleRecord<Int>.fetchAll(db).count
      }
    }
    reading("18 1k rows by identity, one by one", articles) { db, contestant in
      try identities.count { id in
        switch contestant {
        case .syncline: try Article.fetchOne(db, id: id) != nil
        case .floor: try !Floor.fetchArticles(db, "WHERE id = ?", id).isEmpty
        default: try ArticleRecord<Int>.fetchOne(db, key: id) != nil
        }
      }
    }
    reading("18 200 filtered lists of 100 rows", articles) { db, contestant in
      try lists.reduce(0) { count, first in
        switch contestant {
        case .syncline: try count + list(Article.all(), after: first).fetchAll(db).count
        case .floor:
          try count + Floor.fetchArticles(db, "WHERE id > ? ORDER BY id LIMIT 100", first).count
        default: try count + list(ArticleRecord<Int>.all(), after: first).fetchAll(db).count
        }
      }
    }
    reading("18 100k rows joined, by row.joined", cards) { db, contestant in
      switch contestant {
      case .syncline: try CardWithBoard.fetchAll(db, joinedCards).count
      case .floor: try Floor.fetchCardsWithBoards(db).count
      default: try CardOnBoard.fetchAll(db, joinedRecords).count
      }
    }
    reading("18 100k rows joined, into a Decodable struct", cards) { db, contestant in
      switch contestant {
      case .syncline: try DecodedCardWithBoard.fetchAll(db, joinedCards).count
      case .floor: try Floor.fetchCardsWithBoards(db).count
      default: try CardOnBoard.fetchAll(db, joinedRecords).count
      }
    }
  }

  static let identities = (0..<1_000).map { 1 + $0 * 7_919 % rows }
  static let lists = (0..<200).map { $0 * 7_919 % (rows - 100) }

  static func list<Row>(_ request: QueryInterfaceRequest<Row>, after first: Int) -> QueryInterfaceRequest<Row>
  {
    request.filter(Column("id") > first).order(Column("id")).limit(100)
  }

  static var joinedCards: QueryInterfaceRequest<Card> { Card.including(required: Card.board) }
  static var joinedRecords: QueryInterfaceRequest<CardRecord> {
    let board = CardRecord.belongsTo(BoardRecord.self, using: ForeignKey(["board"]))
    return CardRecord.including(required: board.forKey("owner"))
  }

  private static func reading(
    _ name: String, _ prepare: @escaping @Sendable () async throws -> Store,
    _ read: @escaping @Sendable (Database, Contestant) throws -> Int
  ) {
    for contestant in [Contestant.syncline, .floor, .handWritten] {
      sharedWorkload(name, contestant, iterations: 9, prepare: prepare) { store, _ in
        let count = try await store.database.read { try read($0, contestant) }
        precondition(count > 0)
      }
    }
  }
}

/// A card and its board, as a developer joins records.
struct CardOnBoard: Decodable, FetchableRecord {
  var card: CardRecord
  var owner: BoardRecord
}

/// The same of models.
struct DecodedCardWithBoard: Decodable, FetchableRecord {
  var card: Card
  var board: Board
}

/// The same without a row of GRDB for the board.
struct CardWithBoard: FetchableRecord {
  var card: Card
  var board: Board

  init(row: Row) throws {
    card = try Card(row: row)
    board = try row.joined(forKey: "board")
  }
}
