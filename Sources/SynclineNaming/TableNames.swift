/// Names that a table must not have.
package enum TableNames {
  /// Whether SQLite has a table-valued function with this name, such as `json_each(list)`.
  ///
  /// A table with the name would shadow the function in all statements.
  package static func isFunction(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["json_each", "json_tree", "jsonb_each", "jsonb_tree"].contains(name) || name.hasPrefix("pragma_")
  }
}
