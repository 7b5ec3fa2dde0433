import Foundation
import GRDB

/// Code with `JSONSerialization`, and SQL with arguments.
enum Manual {
  struct Malformed: Error {}

  static func sync<ID: ArticleIdentity>(_ payload: Data, _ type: ID.Type, in store: Store) async throws {
    guard let articles = try JSONSerialization.jsonObject(with: payload) as? [[String: Any]] else {
      throw Malformed()
    }
    let rows = try articles.map(arguments)
    try await store.database.write { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT INTO \(ID.table) (id, title, details, state, createdAt, updatedAt, isPublished, score, author)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET title = excluded.title, details = excluded.details, state = excluded.state,
            createdAt = excluded.createdAt, updatedAt = excluded.updatedAt, isPublished = excluded.isPublished,
            score = excluded.score, author = excluded.author
          """)
      var named: Set<DatabaseValue> = []
      for row in rows {
        try statement.execute(arguments: StatementArguments(row))
        if let id = row.first { named.insert(id) }
      }
      let missing = try DatabaseValue.fetchAll(db, sql: "SELECT id FROM \(ID.table)").filter {
        !named.contains($0)
      }
      for id in missing {
        try db.execute(sql: "DELETE FROM \(ID.table) WHERE id = ?", arguments: [id])
      }
    }
  }

  private static func arguments(_ article: [String: Any]) throws -> [DatabaseValue] {
    guard let state = article["state"] as? [String: Any], let user = article["user"] as? [String: Any],
      let createdAt = article["created_at"] as? String, let updatedAt = article["updated_at"] as? String
    else { throw Malformed() }
    return [
      value(article["id"]), value(article["title"]), value(article["body"]), value(state["id"]),
      stored(createdAt).databaseValue, stored(updatedAt).databaseValue, value(article["is_published"]),
      value(article["score"]), value(user["login"]),
    ]
  }

  /// Converts `2024-03-10T10:15:30Z` to the stored form without parsing it, which is the minimum that a developer could do.
  private static func stored(_ date: String) -> String {
    "\(date.prefix(10)) \(date.dropFirst(11).prefix(8)).000"
  }

  private static func value(_ any: Any?) -> DatabaseValue {
    switch any {
    case let text as String: text.databaseValue
    case let number as NSNumber: DatabaseValue(value: number) ?? .null
    default: .null
    }
  }
}
