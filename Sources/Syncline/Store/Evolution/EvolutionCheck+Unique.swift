import GRDB
import SynclineSchema

/// Checks of values that must be unique from now on.
extension EvolutionCheck {
  /// Two rows with the same value of a unique property. Values are compared as they will be stored.
  func repeatedValue(
    _ property: SchemaProperty, of model: SchemaModel, _ former: SchemaModel
  ) throws -> String? {
    guard live.table(former.name) != nil, let value = value(of: property, in: model) else { return nil }
    let mark = model.softDelete.flatMap { plan.match.former($0, of: model.name)?.property }
      .flatMap { former.property($0)?.isStored == true ? $0 : nil }
    if value.isColumn,
      try live.indexes(of: former.name).contains(where: { index in
        index.isUnique && index.columns?.map(\.quotedIdentifier) == [value.sql] && index.deletionMark == mark
      })
    {
      return nil
    }
    let identity = former.identity.quotedIdentifier
    let condition = mark.map { " WHERE \($0.quotedIdentifier) IS NULL" } ?? ""
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT "value", MIN("row"), MAX("row") FROM (
          SELECT \(value.sql) AS "value", \(identity) AS "row" FROM \(former.name.quotedIdentifier)\(condition))
        WHERE "value" IS NOT NULL GROUP BY "value" HAVING COUNT(*) > 1 ORDER BY "value" LIMIT 1
        """)
    guard let row else { return nil }
    let (repeated, first, last): (DatabaseValue, DatabaseValue, DatabaseValue) = (row[0], row[1], row[2])
    return
      "\(model.name).\(property.name) is unique, and \(former.name) \(first.shown) and \(former.name) \(last.shown) both have \(repeated.shown). Remove `@Unique`, or change them in `beforeEvolution`"
  }

  /// The values of a property after the evolution, as SQL, and whether they are those of a column; nil if all are null.
  private func value(of property: SchemaProperty, in model: SchemaModel) -> (sql: String, isColumn: Bool)? {
    let filling = plan.defaultValue(of: property, in: model)
    guard let column = plan.keptColumn(property, of: model) else { return filling.map { ($0, false) } }
    let name = column.former.name.quotedIdentifier
    let conversion = plan.conversion(of: column)
    let value = conversion?.sql(name) ?? name
    guard column.former.isOptional, !property.isOptional, let filling else {
      return (value, conversion == nil)
    }
    return ("ifnull(\(value), \(filling))", false)
  }
}
