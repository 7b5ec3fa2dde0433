import GRDB
import SynclineSchema

/// The edits of a relation's links, if the links were stored at the other end before. Edits of links belong to the model that
/// stores them.
struct MovedLinkEdits {
  typealias Link = (near: DatabaseValue, far: DatabaseValue)

  let relation: SchemaRelation
  let removed: [Link]
  let added: [Link]
}

extension StoreEvolution {
  /// Finds the edits of a relation's links before these are moved to its other end.
  func findLinkEdits(of relation: SchemaRelation) throws {
    guard let source = plan.source(of: relation), source.isReversed,
      let pairs = plan.formerPairs(of: relation, in: names)
    else { return }
    let end = source.relation.near
    let name = EditTable.name(of: end.model)
    guard hasRows(name) else {
      // Edits of the rows that store the links now still need the stored links as their base.
      movedLinkEdits.append(MovedLinkEdits(relation: relation, removed: [], added: []))
      return
    }
    let edits = "\(names.table(name).quotedIdentifier) AS \"edit\""
    let base =
      "\"edit\".\(names.column(EditTable.Version.base.column(end.property), of: name).quotedIdentifier)"
    var (known, member, join) = ("", base, "")
    if source.relation.table != nil {
      let far = source.relation.farModel
      let farEdits = EditTable.name(of: far)
      let identity = names.column(plan.old.model(far)?.identity ?? "", of: far).quotedIdentifier
      var rows = "SELECT \(identity) AS \"identity\" FROM \(names.table(far).quotedIdentifier)"
      // Rows whose deletion is pending were members, too.
      if hasRows(farEdits) { rows += " UNION SELECT \"key\" FROM \(names.table(farEdits).quotedIdentifier)" }
      // SQLite indexes the text of UUIDs only if it is materialized.
      let text = EditTable.member("\"identity\"", isUUID: plan.old.hasUUIDs(far))
      rows = "SELECT \"identity\", \(text) FROM (\(rows))"
      // No model has this name.
      known = "WITH \"syncline_row\"(\"identity\", \"text\") AS MATERIALIZED (\(rows)) "
      member = "\"row\".\"identity\""
      join = """
         JOIN json_each(\(base)) AS "list" JOIN "syncline_row" AS "row" ON "row"."text" = "list"."value"
        """
    }
    let former = """
      \(known)SELECT \(member), "edit"."key" FROM \(edits)\(join) WHERE \(base) IS NOT NULL AND "edit"."isAside" IS NOT TRUE
      """
    let local = """
      SELECT "near", "far" FROM (\(pairs)) WHERE "far" IN (SELECT "key" FROM \(edits))
      """
    let ends = [converted("near", relation.near.model), converted("far", relation.farModel)]
      .joined(separator: ", ")
    func links(_ first: String, without second: String) throws -> [MovedLinkEdits.Link] {
      try Row.fetchAll(
        database,
        sql: """
          WITH "syncline_link"("near", "far") AS (SELECT * FROM (\(first)) EXCEPT SELECT * FROM (\(second)))
          SELECT \(ends) FROM "syncline_link"
          """
      ).map { ($0[0], $0[1]) }
    }
    movedLinkEdits.append(
      MovedLinkEdits(
        relation: relation, removed: try links(former, without: local),
        added: try links(local, without: former)))
  }

  /// Makes the edits of moved links edits of the rows that store the links now.
  func moveLinkEdits() throws {
    for moved in movedLinkEdits {
      let relation = moved.relation
      let name = EditTable.name(of: relation.near.model)
      guard let model = plan.new.model(relation.near.model), plan.new.model(name) != nil,
        model.parentScope == nil
      else { continue }
      let edits = name.quotedIdentifier
      let rows = "\(model.name.quotedIdentifier) AS \"row\""
      let identity = "\"row\".\(model.identity.quotedIdentifier)"
      let base = EditTable.Version.base.column(relation.near.property).quotedIdentifier
      let sent = EditTable.Version.sent.column(relation.near.property).quotedIdentifier
      let values = model.properties.compactMap { property in
        value(of: property, of: identity).map { (property.name, $0) }
      }
      guard let value = values.first(where: { $0.0 == relation.near.property })?.1 else { continue }
      // The column was added by this evolution: its base is what is stored.
      try execute(
        """
        UPDATE \(edits) SET \(base) = (SELECT \(value) FROM \(rows) WHERE \(identity) = \(edits)."key") WHERE NOT "isNew"
        """)
      let columns = values.map { EditTable.Version.base.column($0.0).quotedIdentifier }
      for link in moved.removed + moved.added {
        try database.execute(
          sql: """
            INSERT INTO \(edits) ("key", "isNew", \(columns.joined(separator: ", "))) \
            SELECT \(identity), 0, \(values.map(\.1).joined(separator: ", ")) FROM \(rows) \
            WHERE \(identity) = ?1 AND ?1 NOT IN (SELECT "key" FROM \(edits))
            """, arguments: [link.near])
      }
      let member = EditTable.member("?2", isUUID: plan.new.hasUUIDs(relation.farModel))
      let (without, with) =
        relation.table == nil
        ? ("nullif(\(base), ?2)", "?2")
        : (
          "(SELECT json_group_array(\"value\") FROM json_each(\(base)) WHERE \"value\" <> \(member))",
          "json_insert(ifnull(\(base), '[]'), '$[#]', \(member))"
        )
      for (links, value) in [(moved.added, without), (moved.removed, with)] {
        for link in links {
          try database.execute(
            sql: "UPDATE \(edits) SET \(base) = \(value) WHERE \"key\" = ?1 AND NOT \"isNew\"",
            arguments: [link.near, link.far])
        }
      }
      // Requests that are not answered did not contain the links.
      try execute("UPDATE \(edits) SET \(sent) = \(base) WHERE \"sentKind\" IS NOT NULL AND NOT \"isNew\"")
    }
  }

  /// The value of a property in the tables of edits, as SQL for the row with an identity; nil if they do not have it.
  private func value(of property: SchemaProperty, of identity: String) -> String? {
    switch property.kind {
    case .value, .toOne: return "\"row\".\(property.name.quotedIdentifier)"
    case .links(let target, let table, isSource: true):
      return EditTable.members(in: table.quotedIdentifier, of: identity, areUUIDs: plan.new.hasUUIDs(target))
    case .links, .inverse: return nil
    }
  }
}
