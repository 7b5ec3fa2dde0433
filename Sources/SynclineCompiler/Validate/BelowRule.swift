import SynclineNaming

/// `@Below` with something else than the path of an object.
enum BelowRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for model in schema.models {
      guard let path = model.below, let problem = problem(of: path.value) else { continue }
      // A dot at the start leads from the object of the row, as the path does anyway.
      let rest = RemotePath.rooted(path.value, below: nil)
      let isDotAlone = rest != path.value && self.problem(of: rest) == nil
      bag.error(
        .invalidBelow, "“\(path.value)” of “@Below” is not the path of an object: \(problem)", at: path.range,
        fixIts: isDotAlone
          ? [.write(path.range.text.replacing(".", with: "", maxReplacements: 1), for: path.range)] : [])
    }
  }

  private static func problem(of text: String) -> String? {
    guard !text.isEmpty else { return "it is empty" }
    do {
      return try RemotePath(text).hasSteps ? "it steps into a list or a map" : nil
    } catch {
      return error.description
    }
  }
}
