/// What happens to rows of the slice that a payload does not name.
public enum DeletionPolicy: String, Sendable, Codable, CaseIterable {
  /// They stay.
  case none
  /// They are deleted.
  case hardDeleteMissing
  /// They are marked with the time they went missing. For models with `@SoftDelete`.
  case softDeleteMissing
}
