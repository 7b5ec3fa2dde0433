// The plugins contain copies of this file, because a plugin cannot depend on library targets.

/// The name of a target's module.
public enum ModuleName {
  /// The name of a target as an identifier, as SwiftPM derives it: invalid characters become underscores, so `my-app` becomes
  /// `my_app` and `9-lives` becomes `__lives`.
  public static func of(target: String) -> String {
    var name = ""
    for scalar in target.unicodeScalars {
      let isLetter = scalar == "_" || scalar.properties.isAlphabetic
      let isDigit = ("0"..."9").contains(scalar)
      name.unicodeScalars.append(isLetter || (isDigit && !name.isEmpty) ? scalar : "_")
    }
    return name
  }
}
