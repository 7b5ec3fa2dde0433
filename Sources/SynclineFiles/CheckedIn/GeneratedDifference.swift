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
  /// The lines that are not the same, as `diff -u` prints them; empty where there is only one text.
  public let diff: String

  /// Compares a folder with files, in the order of their names.
  ///
  /// - Parameter orphans: files in the folder that were written for what is gone.
  public static func between(
    folder: String, and files: [GeneratedFile], of target: String, orphans: [String]
  ) -> [GeneratedDifference] {
    let manifest = GeneratedManifest(in: folder, of: target)
    let different = files.compactMap { file -> GeneratedDifference? in
      guard let text = GeneratedFolder(folder).text(of: file.name) else {
        return GeneratedDifference(name: file.name, kind: .missing, diff: "")
      }
      if text.hasSameLines(as: file.text) { return nil }
      let isEdited = manifest?.isEdited(file.name, text) ?? false
      return GeneratedDifference(
        name: file.name, kind: isEdited ? .edited : .changed,
        diff: TextDifference(from: text, to: file.text).unified(
          from: "\(folder)/\(file.name)", to: "what the schema gives"))
    }
    return (different + orphans.map { GeneratedDifference(name: $0, kind: .orphaned, diff: "") })
      .sorted { $0.name < $1.name }
  }
}
