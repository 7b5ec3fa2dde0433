import Foundation
import GRDB

/// The identity types of the two kinds of articles, and their tables.
protocol ArticleIdentity: Codable, Hashable, Sendable, DatabaseValueConvertible {
  static var table: String { get }
}

extension Int: ArticleIdentity { static var table: String { "Article" } }
extension String: ArticleIdentity { static var table: String { "Document" } }

/// A record as Swift developers typically write it for GRDB.
struct ArticleRecord<ID: ArticleIdentity>: Codable, Sendable, FetchableRecord, PersistableRecord {
  static var databaseTableName: String { ID.table }

  var id: ID
  var title: String
  var details: String?
  var state: String
  var createdAt: Date
  var updatedAt: Date
  var isPublished: Bool
  var score: Double
  var author: String
}

/// The required part of the API's object, with dates of a chosen type. Keys are listed explicitly, because the decoder's
/// conversion from snake case is slower.
struct ArticleTransferObject<ID: ArticleIdentity, Moment: Codable & Sendable>: Codable, Sendable {
  struct State: Codable, Sendable {
    let id: String
  }

  struct User: Codable, Sendable {
    let login: String
  }

  let id: ID
  let title: String
  let body: String?
  let state: State
  let createdAt: Moment
  let updatedAt: Moment
  let isPublished: Bool
  let score: Double
  let user: User

  enum CodingKeys: String, CodingKey {
    case id, title, body, state, score, user
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case isPublished = "is_published"
  }
}

extension ArticleTransferObject where Moment == Date {
  var record: ArticleRecord<ID> {
    ArticleRecord(
      id: id, title: title, details: body, state: state.id, createdAt: createdAt, updatedAt: updatedAt,
      isPublished: isPublished, score: score, author: user.login)
  }

  init(_ record: ArticleRecord<ID>) {
    id = record.id
    title = record.title
    body = record.details
    state = State(id: record.state)
    createdAt = record.createdAt
    updatedAt = record.updatedAt
    isPublished = record.isPublished
    score = record.score
    user = User(login: record.author)
  }
}

/// Decodes `Codable` records with `JSONDecoder` and upserts each of them. Then deletes the missing rows.
enum HandWritten {
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  static func sync<ID: ArticleIdentity>(_ payload: Data, _ type: ID.Type, in store: Store) async throws {
    let articles = try decoder.decode([ArticleTransferObject<ID, Date>].self, from: payload)
    try await store.database.write { db in
      var named: Set<ID> = []
      for article in articles {
        try article.record.upsert(db)
        named.insert(article.id)
      }
      let stored = try ID.fetchAll(db, sql: "SELECT id FROM \(ID.table)")
      let missing = stored.filter { !named.contains($0) }
      if !missing.isEmpty { _ = try ArticleRecord<ID>.deleteAll(db, keys: missing) }
    }
  }

  static func sync<ID: ArticleIdentity>(item: Data, _ type: ID.Type, in store: Store) async throws {
    let article = try decoder.decode(ArticleTransferObject<ID, Date>.self, from: item)
    try await store.database.write { db in try article.record.upsert(db) }
  }

  static func export<ID: ArticleIdentity>(_ type: ID.Type, from store: Store) async throws -> Data {
    let records = try await store.database.read { db in
      try ArticleRecord<ID>.order(Column("id")).fetchAll(db)
    }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(records.map(ArticleTransferObject.init))
  }
}
