import SynclineNaming

extension Model {
  /// The content of `@Deleted`: a JSON key, or a value of the key, that marks a row as deleted.
  package struct DeletionMark: Sendable {
    package let key: Located<String>
    /// The string, number or boolean that marks a row as deleted; nil if every value does that is neither false nor empty.
    package let value: Located<DefaultValue>?
    package let range: SourceRange

    /// The keys in a style, in the order in which they are tried.
    package func keys(in style: KeyStyle) -> [String] {
      KeyCandidates.scalar("", explicit: [key.value], style: style)
    }
  }
}
