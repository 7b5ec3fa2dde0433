import SynclineCompiler

/// The folder that a target's Swift is checked in to.
public struct CheckedInCode {
  private let folder: GeneratedFolder
  private let path: String
  private let target: String

  /// The folder at a path, for a target.
  public init(_ path: String, of target: String) {
    folder = GeneratedFolder(path)
    self.path = path
    self.target = target
  }

  /// Says what is not as the schema gives it.
  ///
  /// - Returns: whether all of it is.
  public func check(_ files: [GeneratedFile]) -> Bool {
    let differences = differences(from: files)
    for difference in differences {
      print("\(difference.kind.rawValue): \(difference.name)\n\(difference.diff)", terminator: "")
    }
    return differences.isEmpty
  }

  /// Writes what is not as the schema gives it, and removes what was written for schema files that are gone.
  ///
  /// - Parameter warn: called with a message for each file that was edited by hand.
  public func write(_ files: [GeneratedFile], warn: (String) -> Void) throws {
    let differences = differences(from: files)
    try folder.write(files)
    for difference in differences where difference.kind == .edited {
      warn("\(difference.name) was edited by hand, and is written anew:\n\(difference.diff)")
    }
    for name in try folder.removeOrphans(of: files) {
      print("Removed \(name): its schema file is gone.")
    }
    try GeneratedManifest(of: files, target: target).write(to: path)
  }

  private func differences(from files: [GeneratedFile]) -> [GeneratedDifference] {
    GeneratedDifference.between(
      folder: path, and: files, of: target, orphans: folder.orphans(of: files))
  }
}
