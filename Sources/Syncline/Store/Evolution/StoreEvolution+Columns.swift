import GRDB
import SynclineSchema

extension StoreEvolution {
  func createTables() throws {
    let live = try self.live()
    for model in plan.new.models where live.table(model.name) == nil {
      try execute(plan.definition.create(model))
    }
    for relation in plan.new.relations {
      guard let table = relation.table, live.table(table) == nil else { continue }
      try execute(plan.definition.createLinks(table, from: relation.near.model, to: relation.farModel))
    }
  }

  /// Adds the missing columns. A required column that is filled later is optional until then.
  func addColumns() throws {
    // Adding columns to one table changes no other.
    let live = try self.live()
    for model in plan.new.models {
      guard let former = plan.match.models[model.name] else { continue }
      let present = Set(try live.columns(of: model.name).map(\.name.lowercasedASCII))
      for property in model.properties
      where property.isStored && !present.contains(property.name.lowercasedASCII) {
        var added = property
        let value = plan.defaultValue(of: property, in: model)
        if value == nil, hasRows(former) { added.isOptional = true }
        var text = "\(property.name.quotedIdentifier) \(plan.definition.type(of: property))"
        // A key is added by copying the table.
        let isKey = property.name == model.identity && model.parentScope == nil
        if !isKey { text += plan.definition.constraints(added, of: model) }
        if let value { text += " DEFAULT \(value)" }
        try execute("ALTER TABLE \(model.name.quotedIdentifier) ADD COLUMN \(text)")
      }
    }
  }

  /// Gives the rows of edits, whose columns are optional, the defaults of properties that are required.
  func fillEdits() throws {
    for model in plan.new.models {
      let edits = EditTable.name(of: model.name)
      guard let former = plan.match.models[edits], hasRows(former) else { continue }
      try fillParents(of: edits, model)
      for property in model.properties where property.isStored && !property.isOptional {
        guard let value = plan.defaultValue(of: property, in: model) else { continue }
        try updateEdits(of: model.name, property.name, where: "IS NULL") { _ in value }
      }
    }
  }

  /// Updates a property in all versions of a model's edited rows, if there are any.
  ///
  /// - Parameter value: returns the new value in SQL, given the column in SQL.
  private func updateEdits(
    of model: String, _ property: String, where condition: String, to value: (String) -> String
  ) throws {
    let edits = EditTable.name(of: model)
    guard let former = plan.match.models[edits], hasRows(former) else { return }
    for version in EditTable.Version.allCases {
      let column = version.column(property).quotedIdentifier
      try execute(
        "UPDATE \(edits.quotedIdentifier) SET \(column) = \(value(column)) WHERE \(column) \(condition)")
    }
  }

  /// Gives edits the parents of their rows, if the identities of these are unique within another parent than before.
  private func fillParents(of edits: String, _ model: SchemaModel) throws {
    guard let scope = model.parentScope, let former = plan.former(of: model.name),
      plan.changesScope(model, former)
    else { return }
    let (rows, edits) = (model.name.quotedIdentifier, edits.quotedIdentifier)
    let formerScope = former.parentScope.flatMap {
      plan.match.today(.init(model: former.name, property: $0))?.property.quotedIdentifier
    }
    let sameParent = formerScope.map { " AND \(rows).\($0) IS \(edits).\"parent\"" } ?? ""
    let versions = [EditTable.Version.own, .base].map { $0.column(scope).quotedIdentifier }
    try execute(
      """
      UPDATE \(edits) SET "parent" = coalesce((SELECT \(scope.quotedIdentifier) FROM \(rows) \
      WHERE \(rows).\(model.identity.quotedIdentifier) = \(edits)."key"\(sameParent)), \(versions.joined(separator: ", ")))
      """)
  }

  /// Converts the links in edits to lists, if their to-one relationship became a to-many. The links are already JSON values.
  func listLinksOfEdits() throws {
    for relation in plan.new.relations where relation.table != nil {
      guard let source = plan.source(of: relation), !source.isReversed,
        case .column = source.relation.storage
      else { continue }
      let isUUID = plan.new.hasUUIDs(relation.farModel)
      try updateEdits(of: relation.near.model, relation.near.property, where: "IS NOT NULL") { link in
        // Lists have UUIDs without hyphens.
        "'[' || \(isUUID ? "replace(\(link), '-', '')" : link) || ']'"
      }
    }
  }

  /// Moves the links of relations to where the new schema stores them.
  func moveLinks() throws {
    for relation in plan.new.relations where plan.moves(relation) {
      guard let pairs = plan.formerPairs(of: relation, in: names) else { continue }
      try findLinkEdits(of: relation)
      try willMoveRows()
      let far = converted("far", relation.farModel)
      if let table = relation.table {
        try dropTriggersTemporarily(of: table)
        try execute(
          """
          INSERT INTO \(table.quotedIdentifier) ("source", "target") \
          SELECT \(converted("near", relation.near.model)), \(far) FROM (\(pairs)) ORDER BY 1, 2
          """)
      } else {
        let model = relation.near.model
        guard let identity = plan.new.model(model)?.identity else { continue }
        try dropTriggersTemporarily(of: model)
        try execute(
          """
          UPDATE \(model.quotedIdentifier) SET \(relation.near.property.quotedIdentifier) = (\
          SELECT \(far) FROM (\(pairs)) AS "link" WHERE "link"."near" = \
          \(model.quotedIdentifier).\(identity.quotedIdentifier))
          """)
      }
    }
  }

  /// A column of identities as SQL, converted if the identities of the model have another type now.
  func converted(_ column: String, _ model: String) -> String {
    plan.changedIdentity(of: model)?.sql("\"\(column)\"") ?? "\"\(column)\""
  }

  /// Values that became a relationship may refer to missing rows: these become pending links.
  func rememberDanglingKeys() throws {
    for column in plan.keptColumns {
      guard case .toOne(let target, _) = column.property.kind, case .value = column.former.kind,
        column.property.isOptional, let identity = plan.new.model(target)?.identity
      else { continue }
      let table = column.model.name.quotedIdentifier
      let name = column.property.name.quotedIdentifier
      let isMissing = "NOT IN (SELECT \(identity.quotedIdentifier) FROM \(target.quotedIdentifier))"
      let condition = "\(name) IS NOT NULL AND \(name) \(isMissing)"
      try dropTriggersTemporarily(of: column.model.name)
      try execute(
        """
        INSERT INTO \(StoredPendingLinks.table) ("owner", "relationship", "ownerID", "ownerParent", "target", "targetID") \
        SELECT \(column.model.name.sqlLiteral), \(column.property.name.sqlLiteral), \
        \(column.model.identity.quotedIdentifier), \(column.model.parentScope?.quotedIdentifier ?? "NULL"), \
        \(target.sqlLiteral), \(name) FROM \(table) WHERE \(condition)
        """)
      try execute("UPDATE \(table) SET \(name) = NULL WHERE \(condition)")
      // The rows have no link now. If their edits kept the key, the missing link would count as an edit.
      try updateEdits(of: column.model.name, column.property.name, where: isMissing) { _ in "NULL" }
    }
  }

  /// Drops the tables of removed models and links.
  func dropTables() throws {
    let kept = Set(plan.new.tables.map(\.lowercasedASCII))
    let live = try self.live()
    for former in plan.old.tables {
      let table = names.table(former)
      guard !kept.contains(table.lowercasedASCII), live.table(table) != nil else { continue }
      try willMoveRows()
      try execute("DROP TABLE \(table.quotedIdentifier)")
    }
  }
}

extension SyncSchemaSnapshot {
  /// Whether UUIDs identify the rows of a model.
  func hasUUIDs(_ model: String) -> Bool { identityType(of: model) == SyncStoredType(.uuid) }
}
