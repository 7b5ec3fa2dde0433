import Foundation
import GRDB

/// What a Swift developer writes today: a `Codable` record with GRDB, decoded by `JSONDecoder`.
struct HandWrittenArticle: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "Article"

  var id: Int
  var title: String
  var details: String?
  var state: String
  var createdAt: Date
  var updatedAt: Date
  var isPublished: Bool
  var score: Double
  var authorID: Int
}

/// The shape of the payload.
struct ArticleTransferObject: Decodable {
  struct State: Decodable {
    let id: String
  }

  let id: Int
  let title: String
  let description: String?
  let state: State
  let createdAt: Date
  let updatedAt: Date
  let isPublished: Bool
  let score: Double
  let authorId: Int

  var record: HandWrittenArticle {
    HandWrittenArticle(
      id: id, title: title, details: description, state: state.id, createdAt: createdAt, updatedAt: updatedAt,
      isPublished: isPublished, score: score, authorID: authorId)
  }
}

enum HandWritten {
  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let whole = Date.ISO8601FormatStyle()
    let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      if let date = try? text.contains(".") ? fractional.parse(text) : whole.parse(text) { return date }
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no date"))
    }
    return decoder
  }

  /// Upserts each, and deletes the missing.
  static func sync(_ payload: Data, in database: any DatabaseWriter) throws {
    let articles = try decoder().decode([ArticleTransferObject].self, from: payload)
    try database.write { db in
      var named: Set<Int> = []
      for article in articles {
        try article.record.upsert(db)
        named.insert(article.id)
      }
      let missing = try Int.fetchAll(db, sql: "SELECT id FROM Article").filter { !named.contains($0) }
      _ = try HandWrittenArticle.deleteAll(db, keys: missing)
    }
  }
}
