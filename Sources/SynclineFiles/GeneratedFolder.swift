import Foundation
import SynclineCompiler

/// A folder for generated Swift files.
public struct GeneratedFolder {
  private let path: String

  /// Creates a value for a path. The folder need not exist.
  public init(_ path: String) {
    self.path = path
  }

  /// Thrown if a file or folder could not be written.
  public struct WriteError: Error, CustomStringConvertible {
    /// The message for the user.
    public let description: String
  }

  /// Writes the files of a target. An unchanged file is not written, so that it is not rebuilt. Different line endings do not
  /// count as a change.
  public func write(_ files: [GeneratedFile]) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw WriteError(description: "the folder “\(path)” cannot be created: \(error.localizedDescription)")
    }
    for file in files where !(text(of: file.name)?.hasSameLines(as: file.text) ?? false) { try write(file) }
  }

  /// The text of a file in the folder; nil if the file does not exist.
  func text(of name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ generated: GeneratedFile) throws {
    let path = path + "/" + generated.name
    do {
      try TextFile(path).replace(with: generated.text)
    } catch {
      let reason = "the file “\(path)” cannot be written: \(error)"
      // If a single file cannot be written, the cause is its name, which is derived from the path of the schema file.
      throw WriteError(description: generated.source.map { "\($0):1:1: error: \(reason)" } ?? reason)
    }
  }

  /// Removes the generated files of a target whose schema files no longer exist.
  ///
  /// - Returns: the names of the removed files.
  public func removeOrphans(of files: [GeneratedFile]) throws -> [String] {
    let orphans = orphans(of: files)
    for name in orphans { try FileManager.default.removeItem(atPath: path + "/" + name) }
    return orphans
  }

  /// The generated files of a target whose schema files no longer exist: files with the target's name in their header that are
  /// not among its current files.
  public func orphans(of files: [GeneratedFile]) -> [String] {
    guard let index = files.last(where: { $0.source == nil }) else { return [] }
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let names = Set(files.map(\.name))
    // If a file system ignores letter case, it has a file of today under a former name.
    let renamed = Set(names.subtracting(found).map { $0.lowercased() })
    return found.sorted().filter { name in
      guard name.hasSuffix(".syncline.swift"), !names.contains(name), !renamed.contains(name.lowercased()),
        let text = text(of: name)
      else { return false }
      return GeneratedFolder.head(of: text) == GeneratedFolder.head(of: index.text)
    }
  }

  /// The names of files that exist in the folder, and were generated for another target.
  func filesOfOtherTargets(_ files: [GeneratedFile]) -> [String] {
    guard let index = files.last(where: { $0.source == nil }) else { return [] }
    let head = GeneratedFolder.head(of: index.text)
    return files.map(\.name).filter { name in
      guard let found = text(of: name).map(GeneratedFolder.head) else { return false }
      return found.first == head.first && found != head
    }
  }

  /// The header lines that identify a file as generated, and name its target.
  private static func head(of text: String) -> [Substring] {
    Array(text.split(maxSplits: 2, whereSeparator: \.isNewline).prefix(2))
  }
}
