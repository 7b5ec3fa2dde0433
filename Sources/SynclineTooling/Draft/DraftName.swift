import SynclineNaming

/// Creates names of properties, types and cases from keys and values, which may be any string.
enum DraftName {
  /// The name of a property for a key: `createdAt` for `created_at`, `plus1` for `+1`, `links` for `_links`.
  ///
  /// - Parameter keepsUnderscore: whether underscores at the start are part of the name.
  static func property(_ key: String, keepsUnderscore: Bool = false) -> String {
    let rest = key.drop { $0 == "_" }
    let isWord = rest.first?.isLetter ?? false
    let name = spelled(isWord && !keepsUnderscore ? String(rest) : key)
    // Swift uses these properties to print values.
    return name == "description" || name == "debugDescription" ? name + "Text" : name
  }

  private static func spelled(_ key: String) -> String {
    let plain = words(key)
    let name = lowered(Names.camel(plain))
    guard !name.isEmpty, name.contains(where: { $0 != "_" }) else { return "value" }
    // Acronyms are spelled as in Swift. The key can still be derived from the name.
    let parts = Names.snake(name).split(separator: "_", omittingEmptySubsequences: false)
    let spelled =
      parts.prefix(1).joined()
      + parts.dropFirst().map { acronyms[String($0)] ?? $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return Names.camel(Names.snake(spelled)) == Names.camel(name) && Names.snake(spelled) == Names.snake(name)
      ? spelled : name
  }

  private static let acronyms = [
    "api": "API", "html": "HTML", "http": "HTTP", "https": "HTTPS", "id": "ID", "ids": "IDs", "ip": "IP",
    "json": "JSON", "url": "URL", "urls": "URLs", "uuid": "UUID", "uuids": "UUIDs",
  ]

  /// The name of a type: `IssueComment` for `issue_comments`.
  static func type(_ key: String, isList: Bool = false) -> String {
    let name = Names.camel(words(key))
    let singular = Names.camel(isList ? Names.singulars(of: name).first ?? name : name).filter { $0 != "_" }
    let capital = singular.prefix(1).uppercased() + singular.dropFirst()
    return capital.isEmpty || capital.first?.isNumber ?? true ? "Type" + capital : capital
  }

  /// A unique name: the name itself if it is free, otherwise the name with a number.
  static func free(_ name: String, besides isTaken: (String) -> Bool) -> String {
    guard isTaken(name) else { return name }
    var number = 2
    while isTaken("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }

  /// The letters and digits of a string, with `_` between its words.
  private static func words(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "_": result.unicodeScalars.append(scalar)
      case "0"..."9":
        if result.isEmpty { result = "value" }
        result.unicodeScalars.append(scalar)
      case "+": result += "plus"
      case "-"
      where result.isEmpty && text.unicodeScalars.count > 1 && text.dropFirst().first?.isNumber ?? false:
        result += "minus"
      default:
        if !scalar.isASCII, scalar.properties.isXIDContinue {
          if result.isEmpty, !scalar.properties.isXIDStart { result = "value" }
          result.unicodeScalars.append(scalar)
        } else if !result.isEmpty, result.last != "_" {
          result += "_"
        }
      }
    }
    while result.last == "_" { result.removeLast() }
    // In a string without lowercase letters, only “_” separates words.
    return result.contains { $0.isLowercase } ? result : result.lowercased()
  }

  private static func lowered(_ name: String) -> String {
    guard let first = name.first, first.isUppercase else { return name }
    // `URL` is lowercased completely, `URLName` only up to the next word.
    let capitals = name.prefix { $0.isUppercase }
    if capitals.count == name.count { return name.lowercased() }
    let count = capitals.count > 1 ? capitals.count - 1 : 1
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }
}
