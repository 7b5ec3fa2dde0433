/// Reports a date that would be both the time of the last change and the time of the deletion.
enum StampRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      guard let stamp = model.updatedAtAnchor, let mark = model.softDeleteAnchor,
        stamp.position == mark.position
      else { continue }
      bag.error(
        .invalidModelAttribute,
        "“\(model.properties[mark.position].name)” of “\(model.name)” is named by “@UpdatedAt” and by “@SoftDelete”: each needs a date of its own",
        at: mark.range, notes: [.init(message: "“@UpdatedAt” names it here", range: stamp.range)])
    }
  }
}
