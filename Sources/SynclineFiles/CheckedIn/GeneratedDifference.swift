import Foundation
import SynclineCompiler

/// A difference between a folder of checked-in code and the code that the schema generates.
public struct GeneratedDifference: Sendable {
  /// The kind of a difference.
  public enum Kind: String, Sendable {
    /// The schema or the compiler has changed since the file was written.
    case changed
    /// The file does not exist.
    case missing
    /// The schema file no longer exists.
    case orphaned
    /// The file was edited after it was written.
    case edited = "edited by hand"
  }

  /// The name of the file.
  public let name: String
  /// The kind of the difference.
  public let kind: Kind
  /// The path of the file, its text and the generated text; nil if only one of the texts exists.
  private var texts: (path: String, old: String, new: String)?

  /// The number of bytes that both versions of a file may have together, so that their different lines are shown.
  static let byteLimit = 500_000

  /// The different lines in the format of `diff -u`; empty if only one text exists. It is computed on each access, in a time that
  /// grows with the square of the number of different lines. Those of large files are not shown.
  public var diff: String {
    guard let texts else { return "" }
    if texts.old.utf8.count + texts.new.utf8.count > GeneratedDifference.byteLimit {
      return "The file is too large to show its differences.\n"
    }
    return TextDifference(from: texts.old, to: texts.new).unified(
      from: texts.path, to: "generated from the schema")
  }

  /// Compares a folder with generated files. The result is sorted by file name.
  ///
  /// - Parameter orphans: the files in the folder whose schema files no longer exist.
  public static func between(
    folder: String, and files: [GeneratedFile], of target: String, orphans: [String]
  ) -> [GeneratedDifference] {
    let manifest = GeneratedManifest(in: folder, of: target)
    let different = files.compactMap { file -> GeneratedDifference? in
      guard let text = GeneratedFolder(folder).text(of: file.name) else {
        return GeneratedDifference(name: file.name, kind: .missing)
      }
      if text.hasSameLines(as: file.text) { return nil }
      let isEdited = manifest?.isEdited(file.name, text) ?? false
      return GeneratedDifference(
        name: file.name, kind: isEdited ? .edited : .changed,
        texts: ("\(folder)/\(file.name)", text, file.text))
    }
    return (different + orphans.map { GeneratedDifference(name: $0, kind: .orphaned) })
      .sorted { $0.name < $1.name }
  }
}
