import SynclineNaming

/// Date patterns that nothing can be read by.
enum DateFormatRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for property in schema.models.flatMap(\.properties) {
      guard let format = property.dateFormat, !property.isIncomplete else { continue }
      do {
        let parts = try DatePatternSyntax.parts(of: format.value)
        let hasField = parts.contains { if case .field = $0 { true } else { false } }
        if !hasField {
          let problem =
            format.value.isEmpty
            ? "the date pattern is empty" : "the date pattern “\(format.value)” holds no part of a date"
          bag.error(.invalidDateFormat, problem, at: format.range)
        }
      } catch {
        bag.error(.invalidDateFormat, error.description, at: format.range)
      }
    }
  }
}
