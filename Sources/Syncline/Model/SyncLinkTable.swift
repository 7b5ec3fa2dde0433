/// A table of links: its name, and which end of it a property is.
public struct SyncLinkTable: Sendable, Hashable {
  let name: String
  /// The name as SQL writes it.
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

  /// The table as the other end sees it.
  var reversed: SyncLinkTable { SyncLinkTable(name: name, isSource: !isSource) }

  /// The column that holds the identities of this end's rows.
  var ownColumn: String { isSource ? "source" : "target" }
  var otherColumn: String { isSource ? "target" : "source" }
}
