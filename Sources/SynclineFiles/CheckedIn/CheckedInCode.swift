import SynclineCompiler

/// The folder with a target's checked-in Swift.
public struct CheckedInCode {
  private let folder: GeneratedFolder
  private let path: String
  private let target: String

  /// Creates a value for a path and a target.
  public init(_ path: String, of target: String) {
    folder = GeneratedFolder(path)
    self.path = path
    self.target = target
  }

  /// Prints the differences between the folder and the code that the schema generates.
  ///
  /// - Returns: whether there are no differences.
  public func check(_ files: [GeneratedFile]) -> Bool {
    let differences = differences(from: files)
    for difference in differences {
      print("\(difference.kind.rawValue): \(difference.name)\n\(difference.diff)", terminator: "")
    }
    return differences.isEmpty
  }

  /// Writes the files that differ from the generated code, and removes those whose schema files no longer exist.
  ///
  /// - Parameter warn: called with a message for each file that was edited manually, or generated for another target.
  public func write(_ files: [GeneratedFile], warn: (String) -> Void) throws {
    let differences = differences(from: files)
    for name in folder.filesOfOtherTargets(files) {
      warn("\(name) was generated for another target, and is overwritten.\n")
    }
    try folder.write(files)
    for difference in differences where difference.kind == .edited {
      warn("\(difference.name) was edited by hand, and is overwritten:\n\(difference.diff)")
    }
    for name in try folder.removeOrphans(of: files) {
      print("Removed \(name): its schema file was deleted.")
    }
    try GeneratedManifest(of: files, target: target).write(to: path)
  }

  private func differences(from files: [GeneratedFile]) -> [GeneratedDifference] {
    GeneratedDifference.between(
      folder: path, and: files, of: target, orphans: folder.orphans(of: files))
  }
}
