// The build plugin contains a copy of this file, because a plugin cannot depend on library targets.

/// A file of generated Swift.
public struct GeneratedFile: Sendable, Hashable {
  /// The name of the file, with its extension.
  public let name: String
  /// The path of the schema file; nil for the index.
  public let source: String?
  /// The Swift.
  public let text: String

  /// The name of the Swift file of a schema file, from the path below the folder that is searched:
  /// `Models/Task.syncline` gives `Models_Task.syncline.swift`.
  ///
  /// SwiftPM writes the paths of a target's files to a list for the compiler, in which it does not escape `"`, `\` and control
  /// characters.
  public static func name(forSchema relativePath: String) -> String {
    let name = relativePath.unicodeScalars.map { scalar in
      scalar.value < 0x20 || "/\\\"".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    return String(String.UnicodeScalarView(name)) + ".swift"
  }

  /// The name of the file that lists a target's models.
  public static func indexName(forTarget target: String) -> String {
    "\(target)Schema.syncline.swift"
  }
}
