import SynclineNaming

/// What is neither synced nor stored needs a value of its own.
enum TransientRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for model in schema.models {
      for property in model.properties where property.isTransient {
        if property.defaultValue == nil, !property.isOptional {
          report.error(
            .invalidDefault, "“\(model.name).\(property.name)” is transient and needs a default",
            property.range)
        }
      }
    }
  }
}

/// Date patterns that nothing can be read by.
enum DateFormatRule: ValidationRule {
  static func check(_ schema: Schema, imported: [Model], _ report: inout ValidationReport) {
    for property in schema.models.flatMap(\.properties) {
      guard let attribute = property.attribute(.dateFormat), let pattern = property.dateFormat else {
        continue
      }
      do {
        let parts = try DatePatternSyntax.parts(of: pattern)
        let hasField = parts.contains { if case .field = $0 { true } else { false } }
        if !hasField {
          let problem =
            pattern.isEmpty
            ? "the date pattern is empty" : "the date pattern “\(pattern)” holds no part of a date"
          report.error(.invalidDateFormat, problem, attribute.range(of: nil))
        }
      } catch {
        report.error(.invalidDateFormat, error.description, attribute.range(of: nil))
      }
    }
  }
}
