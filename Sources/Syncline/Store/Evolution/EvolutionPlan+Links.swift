import SynclineSchema

extension EvolutionPlan {
  /// SQL for the links of an earlier relation, as pairs of identities. The columns `near` and `far` are the ends of today's
  /// relation. Nil if the relation is new.
  ///
  /// - Parameter place: the current names of the tables and columns of the earlier schema.
  func formerPairs(of relation: SchemaRelation, in place: FormerNames = FormerNames()) -> String? {
    guard let source = source(of: relation) else { return nil }
    let (near, far) = source.isReversed ? ("far", "near") : ("near", "far")
    switch source.relation.storage {
    case .table(let table):
      return """
        SELECT "source" AS "\(near)", "target" AS "\(far)" FROM \(place.table(table).quotedIdentifier)
        """
    case .column:
      let end = source.relation.near
      let column = place.column(end.property, of: end.model).quotedIdentifier
      let identity = place.column(old.model(end.model)?.identity ?? "", of: end.model).quotedIdentifier
      return """
        SELECT \(identity) AS "\(near)", \(column) AS "\(far)" FROM \(place.table(end.model).quotedIdentifier) \
        WHERE \(column) IS NOT NULL
        """
    }
  }
}

/// The current names of an earlier schema's tables and columns.
struct FormerNames {
  var tables: [String: String] = [:]
  var columns: [SchemaRelation.End: String] = [:]

  func table(_ name: String) -> String { tables[name] ?? name }

  func column(_ name: String, of table: String) -> String {
    columns[.init(model: table, property: name)] ?? name
  }
}

extension SyncSchemaSnapshot {
  /// The tables of the models, and the join tables.
  var tables: [String] { models.map(\.name) + relations.compactMap(\.table) }
}

extension SchemaRelation {
  /// The name of its join table, if it has one.
  var table: String? {
    if case .table(let table) = storage { table } else { nil }
  }
}

extension String {
  /// Whether this is the name of one of Syncline's indexes: names of models and properties have no parentheses.
  var isNameOfIndex: Bool {
    hasSuffix("_index") || contains("(") && last.map { $0 == ")" || $0.isNumber } ?? false
  }
}
