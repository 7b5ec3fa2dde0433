import GRDB

@testable import Syncline

/// Ways of keeping and sending edits that look right, and lose or repeat some of them.
enum SimulatedFault: String, CaseIterable {
  /// What is sent again has a new key.
  case makesANewKeyForWhatIsSentAgain
  /// What was sent is forgotten when there is no answer.
  case forgetsWhatWasSent
  /// What was edited since is sent with the key of what was sent before.
  case sendsNewContentWithTheOldKey
  /// What is sent is written after the call, so it is forgotten when the call ends without an answer.
  case writesWhatIsSentAfterTheCall
  /// An edit ends when the row is edited back, though what was sent is unanswered.
  case endsWhatIsEditedBack
  /// An edit ends, and the row keeps the date that the device gave it.
  case keepsTheDevicesStamp
  /// A row gets the server's identity, but not what refers to it.
  case clearsReferencesOfARename
  /// The server does not remember which keys it has answered, or which it has refused.
  case serverAnswersTheSameKeyAnew, serverForgetsItsRefusals

  // MARK: What is done wrong

  func beforePush(of model: SimulatedModel, in database: any DatabaseWriter) throws {
    guard self == .makesANewKeyForWhatIsSentAgain else { return }
    try run(
      """
      UPDATE syncline_edit_\(model.rawValue) SET pushKey = pushKey || '+'
      WHERE sentKind IS NOT NULL AND reason IS NULL
      """, in: database)
  }

  func afterPush(of model: SimulatedModel, in database: any DatabaseWriter) throws {
    guard self == .forgetsWhatWasSent || self == .sendsNewContentWithTheOldKey else { return }
    try forget(model, in: database)
  }

  /// After a push without any answer.
  func afterCut(of model: SimulatedModel, in database: any DatabaseWriter) throws {
    if self == .writesWhatIsSentAfterTheCall { try forget(model, in: database) }
  }

  func afterEdit(in database: any DatabaseWriter) throws {
    guard self == .endsWhatIsEditedBack else { return }
    try run(
      """
      DELETE FROM syncline_edit_Task WHERE sentKind IS NOT NULL AND reason IS NULL AND EXISTS (
        SELECT 1 FROM Task
        WHERE id = key AND title = base_title AND votes = base_votes AND project IS base_project)
      """, in: database)
  }

  private func forget(_ model: SimulatedModel, in database: any DatabaseWriter) throws {
    try run(
      """
      UPDATE syncline_edit_\(model.rawValue) SET sentKind = NULL, pushKey = NULL, body = NULL, sentAt = NULL,
        nextTry = NULL, forced = NULL WHERE sentKind IS NOT NULL AND reason IS NULL
      """, in: database)
  }

  /// The dates of the tasks that have edits.
  func stamps(in database: any DatabaseWriter) throws -> [Int: String]? {
    guard self == .keepsTheDevicesStamp else { return nil }
    return try pairs(
      """
      SELECT id, updatedAt FROM Task
      WHERE updatedAt IS NOT NULL AND id IN (SELECT key FROM syncline_edit_Task)
      """, in: database)
  }

  /// Gives tasks these dates again, if they have no edits any more.
  func restore(_ stamps: [Int: String], in database: any DatabaseWriter) throws {
    for (task, stamp) in stamps {
      try run(
        """
        UPDATE Task SET updatedAt = '\(stamp)' WHERE id = \(task)
        AND NOT EXISTS (SELECT 1 FROM syncline_edit_Task WHERE key = \(task))
        """, in: database)
    }
  }

  /// The links to projects that the server does not know.
  func links(in database: any DatabaseWriter) throws -> [Int: String]? {
    guard self == .clearsReferencesOfARename else { return nil }
    return try pairs("SELECT id, CAST(project AS TEXT) FROM Task WHERE project < 0", in: database)
  }

  /// Clears those of the links whose project has another identity now.
  func cut(_ links: [Int: String], in database: any DatabaseWriter) throws {
    for task in links.keys {
      try run(
        """
        UPDATE syncline_gate SET isSyncing = 1;
        UPDATE Task SET project = NULL WHERE id = \(task) AND project >= 5000;
        UPDATE syncline_gate SET isSyncing = 0
        """, in: database)
    }
  }

  private func run(_ sql: String, in database: any DatabaseWriter) throws {
    try database.write { try $0.execute(sql: sql) }
  }

  private func pairs(_ sql: String, in database: any DatabaseWriter) throws -> [Int: String] {
    try database.read { database in
      var pairs: [Int: String] = [:]
      for row in try Row.fetchAll(database, sql: sql) {
        let (key, value): (Int, String) = (row[0], row[1])
        pairs[key] = value
      }
      return pairs
    }
  }
}
