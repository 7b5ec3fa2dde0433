import SynclineSchema

extension StoreEvolution {
  /// Updates pending links to the names and identities of the schema, and deletes those of removed relationships.
  func changePendingLinks() throws {
    let table = StoredPendingLinks.table
    guard hasRows(table) else { return }
    let ends = plan.old.models.flatMap { model in
      model.properties.filter { $0.target != nil }.map {
        SchemaRelation.End(model: model.name, property: $0.name)
      }
    }
    let kept = ends.compactMap { end in today(end).map { (former: end, now: $0) } }
    let changes = kept.filter { $0.former != $0.now }
    // As a list of values, since SQLite limits the depth of conditions.
    let values = kept.map { "(\($0.former.model.sqlLiteral), \($0.former.property.sqlLiteral))" }
      .joined(separator: ", ")
    let isKept = values.isEmpty ? "0" : "(\"owner\", \"relationship\") IN (VALUES \(values))"
    try execute("DELETE FROM \(table) WHERE NOT \(isKept)")
    let assignments = [
      assignment("owner", changes.map { (isOf($0.former), $0.now.model.sqlLiteral) }),
      assignment("relationship", changes.map { (isOf($0.former), $0.now.property.sqlLiteral) }),
      assignment("target", renamedTargets + renamedLookups),
      assignment("ownerID", conversions(of: "owner", "ownerID")),
      assignment("ownerParent", parentConversions()),
      assignment("targetID", conversions(of: "target", "targetID") + convertedLookups),
    ].compactMap(\.self)
    if !assignments.isEmpty {
      // With indexes, the update would take ten times as long.
      try execute("DROP INDEX IF EXISTS \"\(table)_owner\"")
      try execute("DROP INDEX IF EXISTS \"\(table)_target\"")
      // In one statement: otherwise a swapped name would be changed twice.
      try execute("UPDATE \(table) SET \(assignments.joined(separator: ", "))")
      try StoredPendingLinks.indexes.forEach(execute)
    }
    try changeParents()
    try keepLast()
  }

  /// The new names of models.
  private var renamedTargets: [(condition: String, value: String)] {
    plan.match.models.filter { $0.key != $0.value }.map { now, former in
      (condition: "\"target\" = \(former.sqlLiteral)", value: now.sqlLiteral)
    }
  }

  /// The new names of unique properties by whose values pending links are stored.
  private var renamedLookups: [(condition: String, value: String)] {
    plan.new.models.flatMap { model in
      model.properties.filter(\.isUnique).compactMap { property in
        let now = LinkEnd.pendingTarget(property.name, of: model.name)
        guard let end = plan.match.former(property.name, of: model.name),
          case let former = LinkEnd.pendingTarget(end.property, of: end.model), former != now
        else { return nil }
        return (condition: "\"target\" = \(former.sqlLiteral)", value: now.sqlLiteral)
      }
    }
  }

  /// Conversions of unique values by which pending links are stored.
  private var convertedLookups: [(condition: String, value: String)] {
    plan.keptColumns.filter(\.property.isUnique).compactMap { column in
      guard let conversion = plan.conversion(of: column), conversion.changesValues else { return nil }
      let target = LinkEnd.pendingTarget(column.former.name, of: column.formerModel.name)
      return ("\"target\" = \(target.sqlLiteral)", "ifnull(\(conversion.sql("\"targetID\"")), \"targetID\")")
    }
  }

  /// Conversions of the parents of owners, if the parents' identities have another type now.
  private func parentConversions() -> [(condition: String, value: String)] {
    plan.new.models.compactMap { model in
      guard let former = plan.match.models[model.name], let scope = model.parentScope,
        let target = model.property(scope)?.target, let conversion = plan.changedIdentity(of: target)
      else { return nil }
      let value = conversion.sql("\"ownerParent\"")
      return ("\"owner\" = \(former.sqlLiteral)", "ifnull(\(value), \"ownerParent\")")
    }
  }

  /// Updates owners whose identities are unique within another parent than before, or gained or lost a parent.
  private func changeParents() throws {
    for model in plan.new.models {
      guard let former = plan.former(of: model.name), plan.changesScope(model, former) else { continue }
      var parent = "NULL"
      // The key of the table begins with the parent by now.
      let index = temporaryName()
      if let scope = model.parentScope {
        let formerScope = former.parentScope.flatMap {
          plan.match.today(.init(model: former.name, property: $0))
        }
        let sameParent = formerScope.map { " AND \($0.property.quotedIdentifier) IS \"ownerParent\"" } ?? ""
        parent = """
          (SELECT \(scope.quotedIdentifier) FROM \(model.name.quotedIdentifier) \
          WHERE \(model.identity.quotedIdentifier) = "ownerID"\(sameParent))
          """
        try execute(
          "CREATE INDEX \(index) ON \(model.name.quotedIdentifier)(\(model.identity.quotedIdentifier))")
      }
      try execute(
        """
        UPDATE \(StoredPendingLinks.table) SET "ownerParent" = \(parent) WHERE "owner" = \(model.name.sqlLiteral)
        """)
      if model.parentScope != nil { try execute("DROP INDEX \(index)") }
    }
  }

  /// A to-one relationship keeps only its last pending link, and none if it has a row.
  private func keepLast() throws {
    for model in plan.new.models {
      for property in model.properties where property.target != nil && !property.isToMany {
        guard let former = plan.match.former(property.name, of: model.name),
          plan.old.model(former.model)?.property(former.property)?.isToMany == true
        else { continue }
        let table = StoredPendingLinks.table
        let place = isOf(.init(model: model.name, property: property.name))
        var surplus =
          "rowid NOT IN (SELECT MAX(rowid) FROM \(table) WHERE \(place) GROUP BY \"ownerID\", \"ownerParent\")"
        if property.isStored {
          surplus += """
             OR "ownerID" IN (SELECT \(model.identity.quotedIdentifier) FROM \(model.name.quotedIdentifier) \
            WHERE \(property.name.quotedIdentifier) IS NOT NULL)
            """
        }
        try execute("DELETE FROM \(table) WHERE \(place) AND (\(surplus))")
      }
    }
  }

  /// The current end for pending links of an earlier one; nil if they are not kept.
  private func today(_ end: SchemaRelation.End) -> SchemaRelation.End? {
    guard let now = plan.match.today(end), let property = plan.new.model(now.model)?.property(now.property),
      let former = plan.old.model(end.model)?.property(end.property), property.target != nil,
      plan.match.hasSameTarget(former, property)
    else { return nil }
    return now
  }

  private func conversions(of model: String, _ identity: String) -> [(condition: String, value: String)] {
    plan.match.models.compactMap { now, former in
      guard let value = plan.changedIdentity(of: now)?.sql("\"\(identity)\"") else { return nil }
      // If an identity has no equal in the new type, no such row can arrive, so the identity is kept unchanged.
      return ("\"\(model)\" = \(former.sqlLiteral)", "ifnull(\(value), \"\(identity)\")")
    }
  }

  private func isOf(_ end: SchemaRelation.End) -> String {
    "\"owner\" = \(end.model.sqlLiteral) AND \"relationship\" = \(end.property.sqlLiteral)"
  }

  private func assignment(_ column: String, _ cases: [(condition: String, value: String)]) -> String? {
    guard !cases.isEmpty else { return nil }
    let cases = cases.sorted { $0.condition < $1.condition }.map { "WHEN \($0.condition) THEN \($0.value)" }
    return "\"\(column)\" = CASE \(cases.joined(separator: " ")) ELSE \"\(column)\" END"
  }
}
