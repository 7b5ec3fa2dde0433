import SynclineNaming

/// Suggests the intended name for an unknown one.
enum Suggestion {
  /// The most similar candidate; nil if none is similar enough to the name.
  @inline(never)
  static func nearest(to name: String, in candidates: [String]) -> String? {
    Vocabulary(candidates).nearest(to: name)
  }

  @inline(never)
  static func didYouMean(_ name: String, in candidates: [String]) -> String {
    Vocabulary(candidates).didYouMean(name)
  }

}

extension DiagnosticBag {
  /// Reports that a model has no property with the name.
  mutating func reportUnknownProperty(_ name: Located<String>, of model: Model) {
    // A search compares the name with all others, so only the diagnostics that are printed have suggestions.
    let meant =
      diagnostics.count < DiagnosticRenderer.limit
      ? Suggestion.nearest(to: name.value, in: model.properties.map(\.name)) : nil
    error(
      .unknownKeyPath,
      "“\(model.name)” has no property “\(name.value)”\(meant.map { "; did you mean “\($0)”?" } ?? "")",
      at: name.range, fixIts: meant.map { [.write($0, for: name.range)] } ?? [])
  }
}
