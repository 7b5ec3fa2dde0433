/// The style in which names of properties are written as JSON keys.
///
/// The name as written in the schema is also read if the payload has no key in the style.
public enum KeyStyle: String, Sendable, CaseIterable, Codable {
  /// `createdAt` is read from and written to `created_at`. The default.
  case snakeCase
  /// `project_id` and `projectID` are read from and written to `projectId`.
  case camelCase
  /// `projectID` is read from `ProjectId` and `ProjectID`, and written to `ProjectId`.
  case pascalCase
  /// `projectID` is read from and written to `project-id`.
  case kebabCase

  /// The name in this style: `KeyStyle.snakeCase.transform("projectID")` is `project_id`.
  public func transform(_ name: String) -> String {
    switch self {
    case .snakeCase: Names.snake(name)
    case .camelCase: Names.camel(name)
    case .pascalCase: Names.capitalized(Names.camel(name))
    case .kebabCase: Names.kebab(name)
    }
  }

  /// The spellings of a name, in the order in which they are tried: in this style, then as written. In Pascal case, a name as
  /// written also begins with a capital letter.
  func spellings(of name: String) -> [String] {
    switch self {
    case .snakeCase, .camelCase, .kebabCase: [transform(name), name]
    case .pascalCase: [transform(name), Names.capitalized(name), name]
    }
  }

  /// The spellings of a name with a word appended: `ProjectId` and `ProjectID` in Pascal case, one spelling in the other styles.
  ///
  /// - Parameter isAsWritten: whether the name is spelled as in the schema, so that this spelling is also tried.
  func spellings(of name: String, appending word: String, isAsWritten: Bool = true) -> [String] {
    guard self == .pascalCase else { return [appending(word, to: transform(name))] }
    let endings = [Names.capitalized(word), word.hasSuffix("s") ? "IDs" : "ID"]
    let stems = [transform(name)] + (isAsWritten ? [Names.capitalized(name)] : [])
    return stems.flatMap { stem in endings.map { stem + $0 } }
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
    case .camelCase, .pascalCase: styledName + Names.capitalized(word)
    case .kebabCase: styledName + "-" + word
    }
  }
}
