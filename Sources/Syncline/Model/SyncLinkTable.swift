/// A join table as one of its ends sees it: the table's name, and the end.
@_spi(Generated)
public struct SyncLinkTable: Sendable, Hashable {
  let name: String
  let quotedName: String
  let isSource: Bool

  private init(name: String, isSource: Bool) {
    self.name = name
    quotedName = name.quotedIdentifier
    self.isSource = isSource
  }

  /// The end whose identities are in the table's `source` column.
  public static func source(of name: String) -> SyncLinkTable { SyncLinkTable(name: name, isSource: true) }
  /// The end whose identities are in the table's `target` column.
  public static func target(of name: String) -> SyncLinkTable { SyncLinkTable(name: name, isSource: false) }

  /// The same table, seen from the other end.
  var reversed: SyncLinkTable { SyncLinkTable(name: name, isSource: !isSource) }

  /// The column that holds the identities of this end's rows.
  var ownColumn: String { isSource ? "source" : "target" }
  var otherColumn: String { isSource ? "target" : "source" }
}
