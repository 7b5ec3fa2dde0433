/// SQLite's tables have so many columns, and those that have many are slow.
enum ColumnLimitRule: ValidationRule {
  private static let limit = 2000
  private static let advised = 300

  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models where model.properties.count >= advised {
      let count = model.properties.filter(\.isStored).count
      if count > limit {
        bag.error(
          .tooManyColumns, "“\(model.name)” has \(count) columns; SQLite's tables have at most \(limit)",
          at: model.range)
      } else if count >= advised {
        bag.warning(
          .tooManyColumns,
          "“\(model.name)” has \(count) columns, and each row is read whole: keep what is shown together in models of their own, or in “JSON”",
          at: model.range)
      }
    }
  }
}
