import Foundation
import SynclineCompiler

/// What is not the same in a folder of checked-in code and in what its schema gives.
public struct GeneratedDifference: Sendable {
  /// Why a file is not what it should be.
  public enum Kind: String, Sendable {
    /// The schema, or the compiler, has changed since it was written.
    case changed
    /// It is not there.
    case missing
    /// Its schema file is gone.
    case orphaned
    /// Somebody has changed what was written.
    case edited = "edited by hand"
  }

  /// The name of the file.
  public let name: String
  /// Why it is not what it should be.
  public let kind: Kind
  /// The path of the file, its text and what it should be; nil where there is only one text.
  private var texts: (path: String, old: String, new: String)?

  /// The lines that are not the same, as `diff -u` prints them; empty where there is only one text. It is computed on each
  /// access: the time grows with the square of the number of lines that differ.
  public var diff: String {
    guard let texts else { return "" }
    return TextDifference(from: texts.old, to: texts.new).unified(
      from: texts.path, to: "generated from the schema")
  }

  /// Compares a folder with files, in the order of their names.
  ///
  /// - Parameter orphans: files in the folder that were written for what is gone.
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
