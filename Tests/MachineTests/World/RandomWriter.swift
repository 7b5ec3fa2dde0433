import Foundation
import Syncline
import TestSupport

/// Writes to a store in every way that it can be written to: by SQL, by records, by syncs.
struct RandomWriter {
  private let store: SyncContainer
  private var random: SeededGenerator
  /// What was written last.
  private(set) var last = ""

  init(_ store: SyncContainer, seed: Int) {
    self.store = store
    random = SeededGenerator(seed: seed &+ 1)
  }

  /// Rows to begin with.
  mutating func fill() async throws {
    let texts = (0..<40).map { _ in statement() }
    // Foreign keys undo many a write, and make others.
    let hasForeignKeys = random.chance(40)
    try await store.database.writeWithoutTransaction { database in
      if !hasForeignKeys { try database.execute(sql: "PRAGMA foreign_keys = OFF") }
      try database.execute(sql: "INSERT INTO Company (id, name, grade) VALUES (1, 'c', 1), (2, 'd', 1)")
      try database.execute(sql: "INSERT INTO Project (id) VALUES (1), (2), (3)")
      try database.execute(sql: "INSERT INTO Board (id, name) VALUES (1, 'x'), (2, 'y'), (3, 'z')")
      for number in 0..<6 {
        try database.execute(sql: "INSERT INTO Person (id, name) VALUES ('p\(number)', 'b')")
      }
      for text in texts { try? database.execute(sql: text) }
    }
  }

  /// Writes something; a transaction that fails leaves everything as it was.
  mutating func write() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<60: try await run([statement()])
    case ..<85: try await run((0..<Int.random(in: 2...6, using: &random)).map { _ in statement() })
    case ..<88: try await run((0..<300).map { _ in statement() })
    case ..<94: try await sync()
    default: try await record()
    }
  }

  private mutating func run(_ statements: [String]) async throws {
    last = statements.prefix(6).joined(separator: "; ")
    let savepoint = random.chance(25) ? random.pick(statements.indices) : nil
    let isKept = random.chance(50)
    try await store.database.writeWithoutTransaction { database in
      // What fails is a part of the game: duplicates, links to rows that are missing.
      try? database.inTransaction {
        for (index, statement) in statements.enumerated() {
          guard index == savepoint else {
            try? database.execute(sql: statement)
            continue
          }
          try database.inSavepoint {
            try? database.execute(sql: statement)
            return isKept ? .commit : .rollback
          }
        }
        return statements.count > 1 && statements[0].hasSuffix("9") ? .rollback : .commit
      }
    }
  }

  private mutating func sync() async throws {
    let rows = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      """
      {"id": \(number(30)), "int": \(number(3)), "text": "\(text())", "bool": \(random.chance(50)), \
      "project_id": \(random.chance(30) ? "null" : "\(number(3) + 1)")}
      """
    }
    let people = (0..<3).map { _ in
      #"{"id": "p\#(number(6))", "name": "\#(text())", "follows_ids": ["p\#(number(6))"], "manager_id": "p\#(number(6))"}"#
    }
    last = "sync of \(rows)"
    let policy: DeletionPolicy = random.chance(50) ? .none : .hardDeleteMissing
    try await store.sync(
      payload: "[\(rows.joined(separator: ","))]", as: Sample.self, deletionPolicy: policy)
    guard random.chance(30) else { return }
    last += " and \(people)"
    try await store.sync(
      payload: "[\(people.joined(separator: ","))]", as: Person.self, deletionPolicy: .none)
  }

  private mutating func record() async throws {
    let id = Int64(number(30))
    let text = text()
    let deletes = random.chance(30)
    last = "record \(id) \(deletes ? "deleted" : text)"
    try await store.database.write { database in
      guard var sample = try Sample.fetchOne(database, key: id) else { return }
      sample.text = text
      if deletes { try sample.delete(database) } else { try sample.update(database) }
    }
  }

  // MARK: Values

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  private mutating func text() -> String { random.pick(["a", "b", "ab", "B", "", "é", "e\u{301}", "zz"]) }
  private mutating func quoted() -> String { random.chance(15) ? "NULL" : "'\(text())'" }
  private mutating func int() -> String { random.chance(15) ? "NULL" : "\(number(4))" }
  private mutating func person() -> String { "'p\(number(6))'" }

  private mutating func statement() -> String {
    switch number(24) {
    case 0, 1:
      "INSERT INTO Sample (id, int, text, double, project) VALUES (\(number(30)), \(int()), \(quoted()), 1.5, \(number(3) + 1))"
    case 2: "INSERT OR REPLACE INTO Sample (id, int, text) VALUES (\(number(30)), \(int()), \(quoted()))"
    case 3: "UPDATE Sample SET int = \(int()) WHERE id = \(number(30))"
    case 4: "UPDATE Sample SET text = \(quoted()), bool = \(number(2)) WHERE id % 7 = \(number(7))"
    case 5: "UPDATE Sample SET int = int + 1 WHERE int < \(number(4))"
    case 6: "DELETE FROM Sample WHERE id = \(number(30))"
    case 7: "DELETE FROM Sample WHERE int = \(number(4)) AND id % 2 = 0"
    case 8:
      random.chance(10)
        ? "DELETE FROM Sample" : "UPDATE Sample SET double = \(number(4)) WHERE id = \(number(30))"
    case 9: "UPDATE Sample SET id = \(number(30)) WHERE id = \(number(30))"
    case 10:
      "UPDATE Sample SET project = \(random.chance(20) ? "NULL" : "\(number(4))") WHERE id = \(number(30))"
    case 11:
      "INSERT INTO Ticket (remoteID, title, mood, assignee) VALUES (\(number(8)), \(quoted()), 'calm', \(person()))"
    case 12: "UPDATE Ticket SET title = \(quoted()), assignee = \(person()) WHERE remoteID = \(number(8))"
    case 13: "DELETE FROM Ticket WHERE remoteID = \(number(8))"
    case 14: "INSERT OR IGNORE INTO \"Ticket.watchers\" (source, target) VALUES (\(number(8)), \(person()))"
    case 15: "DELETE FROM \"Ticket.watchers\" WHERE target = \(person())"
    case 16: "UPDATE Person SET name = \(quoted()), manager = \(person()) WHERE id = \(person())"
    case 17:
      random.chance(50)
        ? "DELETE FROM Person WHERE id = \(person())"
        : "INSERT INTO Person (id, name) VALUES (\(person()), \(quoted()))"
    case 18: "UPDATE Person SET id = \(person()) WHERE id = \(person())"
    case 19: "INSERT OR IGNORE INTO \"Person.follows\" (source, target) VALUES (\(person()), \(person()))"
    case 20:
      "INSERT INTO Lane (id, title, position, board) VALUES (\(number(5)), \(quoted()), \(number(3)), \(number(3) + 1))"
    case 21: "UPDATE Lane SET position = \(number(3)), board = \(number(3) + 1) WHERE id = \(number(5))"
    case 22:
      "INSERT INTO Comment (id, text, ticket) VALUES (\(number(5)), 't', \(number(8))) ON CONFLICT DO UPDATE SET ticket = \(number(8))"
    default:
      """
      INSERT INTO Exact (id, text, int32, double, bool, date, uuid, url, decimal, data, mood, words, json, grade, ratio) \
      VALUES (x'0000000000000000000000000000000\(number(5))', '\(text())', 1, \(number(3)), \(number(2)), 0, \
      x'00000000000000000000000000000000', 'a:b', '1', x'01', 'calm', '[]', '1', 1, \(number(3))) \
      ON CONFLICT DO UPDATE SET text = excluded.text, ratio = excluded.ratio, bool = excluded.bool
      """
    }
  }
}
