import Foundation
import GRDB

/// Code of an SQL expert: SQLite parses the JSON, a conditional upsert writes differing rows, and an anti-join deletes missing
/// rows. No value passes through Swift. Dates stay strings.
enum Expert {
  static func sync<ID: ArticleIdentity>(_ payload: Data, _ type: ID.Type, in store: Store) async throws {
    let text = String(decoding: payload, as: UTF8.self)
    try await store.database.write { db in
      // The JSON is parsed once, instead of separately for the upsert and the deletion.
      try db.execute(
        sql: """
          CREATE TEMP TABLE incoming AS
          SELECT value ->> 'id' AS id, value ->> 'title' AS title, value ->> 'body' AS details,
            value ->> '$.state.id' AS state, value ->> 'created_at' AS createdAt,
            value ->> 'updated_at' AS updatedAt, value ->> 'is_published' AS isPublished,
            value ->> 'score' AS score, value ->> '$.user.login' AS author
          FROM json_each(?)
          """, arguments: [text])
      try db.execute(
        sql: """
          INSERT INTO \(ID.table) (id, title, details, state, createdAt, updatedAt, isPublished, score, author)
          SELECT * FROM incoming WHERE true
          ON CONFLICT (id) DO UPDATE SET title = excluded.title, details = excluded.details, state = excluded.state,
            createdAt = excluded.createdAt, updatedAt = excluded.updatedAt, isPublished = excluded.isPublished,
            score = excluded.score, author = excluded.author
          WHERE title IS NOT excluded.title OR details IS NOT excluded.details OR state IS NOT excluded.state
            OR createdAt IS NOT excluded.createdAt OR updatedAt IS NOT excluded.updatedAt
            OR isPublished IS NOT excluded.isPublished OR score IS NOT excluded.score
            OR author IS NOT excluded.author
          """)
      try db.execute(sql: "DELETE FROM \(ID.table) WHERE id NOT IN (SELECT id FROM incoming)")
      try db.execute(sql: "DROP TABLE temp.incoming")
    }
  }
}
