import GRDB

/// Walks the stored rows of a slice in the order of their identities, along with a payload in the same order.
///
/// Rows of the payload that are out of order are looked up instead; what the walk passed over is missing,
/// unless it is named elsewhere.
final class SliceCursor {
  private let statement: ReadStatement
  private let identityColumn: Int
  /// The identities of the rows passed over, in order.
  private(set) var missing: [SyncIdentity] = []
  /// The row the walk stands on; nil before the first and behind the last.
  private var current: SyncIdentity?
  private var isAtEnd = false
  /// The highest identity that the payload asked for.
  private(set) var watermark: SyncIdentity?

  init(_ database: Database, _ table: SyncTable, parent: (column: String, identity: SyncIdentity)?) throws {
    let filter = parent.map { " WHERE \($0.column.quotedIdentifier) = ?1" } ?? ""
    statement = try ReadStatement(
      database,
      "SELECT \(table.columnList) FROM \(table.name.quotedIdentifier)\(filter)"
        + " ORDER BY \(table.identityProperty.name.quotedIdentifier)")
    identityColumn = table.identity
    let parameters = statement.restart()
    parent?.identity.bind(to: parameters, at: 1)
  }

  /// Whether the identity is above all asked for before.
  func isAhead(_ identity: SyncIdentity) -> Bool {
    watermark.map { $0 < identity } ?? true
  }

  /// Whether the row that was asked for last had been read before: it may have been written since.
  private(set) var isReadBefore = false

  /// Moves to the row of an identity that is ahead; nil if there is none.
  func advance(to identity: SyncIdentity) throws -> ReadStatement? {
    watermark = identity
    isReadBefore = true
    while true {
      if let current {
        if current == identity {
          self.current = nil
          return statement
        }
        if identity < current { return nil }
        missing.append(current)
      }
      isReadBefore = false
      guard try next() else { return nil }
    }
  }

  /// Passes over the rest.
  func finish() throws {
    repeat {
      if let current { missing.append(current) }
    } while try next()
    close()
  }

  func close() {
    isAtEnd = true
    current = nil
    statement.reset()
  }

  private func next() throws -> Bool {
    current = nil
    guard !isAtEnd else { return false }
    guard try statement.step() else {
      isAtEnd = true
      return false
    }
    current = SyncIdentity(statement.column(identityColumn))
    return true
  }
}
