import Foundation
import SynclineCompiler

/// A folder that generated Swift is written to.
public struct GeneratedFolder {
  private let path: String

  /// The folder at a path. It need not exist.
  public init(_ path: String) {
    self.path = path
  }

  /// A file or folder that could not be written.
  public struct WriteError: Error, CustomStringConvertible {
    /// The sentence for a user.
    public let description: String
  }

  /// Writes the files of a target. One that would not change is not written, so that nothing is rebuilt for it; other
  /// line endings are no change.
  public func write(_ files: [GeneratedFile]) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw WriteError(description: "the folder “\(path)” cannot be made: \(error.localizedDescription)")
    }
    for file in files where !(text(of: file.name)?.hasSameLines(as: file.text) ?? false) { try write(file) }
  }

  /// The text of a file in the folder; nil where there is no such file.
  func text(of name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ generated: GeneratedFile) throws {
    let path = path + "/" + generated.name
    do {
      try TextFile(path).replace(with: generated.text)
    } catch {
      let reason = "the file “\(path)” cannot be written: \(error)"
      // What can be wrong with a single file is its name, which is that of the schema file's path.
      throw WriteError(description: generated.source.map { "\($0):1:1: error: \(reason)" } ?? reason)
    }
  }

  /// Removes what was written for schema files of a target that are gone.
  ///
  /// - Returns: the names of the files that were removed.
  public func removeOrphans(of files: [GeneratedFile]) throws -> [String] {
    let orphans = orphans(of: files)
    for name in orphans { try FileManager.default.removeItem(atPath: path + "/" + name) }
    return orphans
  }

  /// What was written for schema files of a target that are gone: files that say that they are of the target, and are none
  /// of those that it has now.
  public func orphans(of files: [GeneratedFile]) -> [String] {
    guard let index = files.last(where: { $0.source == nil }) else { return [] }
    let names = Set(files.map { $0.name.lowercased() })
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return found.sorted().filter { name in
      guard name.hasSuffix(".syncline.swift"), !names.contains(name.lowercased()), let text = text(of: name)
      else { return false }
      return GeneratedFolder.head(of: text) == GeneratedFolder.head(of: index.text)
    }
  }

  /// The lines that say that a file is generated, and of which target.
  private static func head(of text: String) -> [Substring] {
    Array(text.split(maxSplits: 2, whereSeparator: \.isNewline).prefix(2))
  }
}
