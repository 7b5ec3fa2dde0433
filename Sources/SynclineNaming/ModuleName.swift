// The plugins, which can use no other target, have copies of this file.

/// The name of a target's module.
public enum ModuleName {
  /// The target's name made an identifier as SwiftPM makes it: what cannot stand in one is an underscore, so `my-app` is
  /// `my_app` and `9-lives` is `__lives`.
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
