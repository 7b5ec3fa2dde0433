/// Reports models with too many columns. SQLite limits the number of columns of a table, and tables with many columns are slow.
enum ColumnLimitRule: ValidationRule {
  /// One less than SQLite's limit, because a sync also selects the `rowid`.
  private static let limit = 1999
  private static let advised = 300

  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.properties.count >= advised {
      let count = model.properties.filter(\.isStored).count
      if count > limit {
        bag.error(
          .tooManyColumns, "“\(model.name)” has \(count) columns; a table has at most \(limit)",
          at: model.range)
      } else if count >= advised {
        bag.warning(
          .tooManyColumns,
          "“\(model.name)” has \(count) columns, and each fetch reads all of them: move groups of them to models of their own, or to a struct",
          at: model.range)
      }
    }
  }
}
