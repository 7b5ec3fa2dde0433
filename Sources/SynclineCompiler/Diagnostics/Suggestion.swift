import SynclineNaming

/// Suggests the intended name for an unknown one.
enum Suggestion {
  /// The candidate nearest to a name, if it is near enough.
  static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    Vocabulary(candidates).nearest(to: name)
  }

  static func didYouMean(_ name: String, in candidates: some Sequence<String>) -> String {
    Vocabulary(candidates).didYouMean(name)
  }

  /// The fix-it that writes the suggested name.
  static func fixIts(for name: Located<String>, in candidates: some Sequence<String>) -> [Diagnostic.FixIt] {
    nearest(to: name.value, in: candidates).map { [.write($0, for: name.range)] } ?? []
  }
}
