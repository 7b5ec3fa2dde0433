import Foundation
import SynclineCompiler
import SynclineNaming

/// The manifest of a folder of checked-in code, with a hash of each file of a target as it was written. It is a hidden file in
/// the folder, so that SwiftPM does not warn about an unhandled file.
public struct GeneratedManifest: Codable, Sendable {
  /// The path of the manifest. The name contains the target, because a folder may contain the code of several targets.
  private static func path(in folder: String, of target: String) -> String {
    "\(folder)/.\(target).syncline-manifest.json"
  }

  /// The target of the code.
  public let target: String
  /// The version of the compiler.
  public let version: String
  /// The hash of each file's text, by file name.
  let files: [String: String]

  /// Creates the manifest of newly written files.
  public init(of files: [GeneratedFile], target: String) {
    self.target = target
    version = CompilerPipeline.version
    self.files = Dictionary(
      files.map { ($0.name, GeneratedManifest.digest($0.text)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads the manifest of a target from a folder; nil if it does not exist or cannot be read.
  public init?(in folder: String, of target: String) {
    guard let data = FileManager.default.contents(atPath: GeneratedManifest.path(in: folder, of: target)),
      let manifest = try? JSONDecoder().decode(GeneratedManifest.self, from: data)
    else { return nil }
    self = manifest
  }

  /// Writes the manifest to a folder.
  public func write(to folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    let path = GeneratedManifest.path(in: folder, of: target)
    let current = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    guard current?.withLineFeeds != text else { return }
    try TextFile(path).replace(with: text)
  }

  /// Whether the text of a file differs from the text that was written.
  func isEdited(_ name: String, _ text: String) -> Bool {
    files[name].map { $0 != GeneratedManifest.digest(text) } ?? false
  }

  private static func digest(_ text: String) -> String {
    var hash = StableHash()
    hash.add(text.withLineFeeds)
    return hash.text
  }
}
