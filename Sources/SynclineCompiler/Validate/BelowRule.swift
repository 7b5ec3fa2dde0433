import SynclineNaming

/// Reports a `@Below` whose argument is not the path of an object.
enum BelowRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      guard let path = model.below, let problem = Model.problem(ofBelow: path.value) else { continue }
      // A leading dot has no effect, since the path is relative to the row's object anyway.
      let rest = RemotePath.rooted(path.value, below: nil)
      let isDotAlone = rest != path.value && Model.problem(ofBelow: rest) == nil
      bag.error(
        .invalidBelow, "“\(path.value)” of “@Below” is not the path of an object: \(problem)", at: path.range,
        fixIts: isDotAlone
          ? [.write(path.range.text.replacing(".", with: "", maxReplacements: 1), for: path.range)] : [])
    }
  }
}
