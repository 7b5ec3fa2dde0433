/// The spelling of property names as JSON keys.
public enum KeyStyle: String, Sendable, CaseIterable, Codable {
  /// `createdAt` is read from and written to `created_at`. The default.
  case snakeCase
  /// `project_id` and `projectID` are read from and written to `projectId`.
  case camelCase

  /// The name in this style: `KeyStyle.snakeCase.transform("projectID")` is `project_id`.
  public func transform(_ name: String) -> String {
    switch self {
    case .snakeCase: Names.snake(name)
    case .camelCase: Names.camel(name)
    }
  }

  /// A key or key path with each of its components in this style, except those in quotes.
  public func transform(path: String) -> String {
    RemotePath.components(of: path)
      .map { component -> String in
        if component.first == "\"" { return String(component) }
        let name = component.prefix { $0 != "[" && $0 != "{" }
        return transform(String(name)) + component.dropFirst(name.count)
      }
      .joined(separator: ".")
  }

  /// A styled name with a word appended: `project` and `id` give `project_id` or `projectId`.
  func appending(_ word: String, to styledName: String) -> String {
    switch self {
    case .snakeCase: styledName + "_" + word
    case .camelCase: styledName + word.prefix(1).uppercased() + word.dropFirst()
    }
  }
}
