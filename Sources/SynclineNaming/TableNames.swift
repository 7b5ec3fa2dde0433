/// Names that a table cannot have.
public enum TableNames {
  /// Whether SQLite has a function of the name that is read like a table, as `json_each(list)` is.
  ///
  /// A table of the name is found in its place, by all statements that call it.
  public static func isFunction(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["json_each", "json_tree", "jsonb_each", "jsonb_tree"].contains(name) || name.hasPrefix("pragma_")
  }
}
