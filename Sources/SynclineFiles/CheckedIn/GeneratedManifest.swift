import Foundation
import SynclineCompiler
import SynclineNaming

/// What a folder of checked-in code was written with: what each file of a target had. It stands among the files, hidden, so
/// that SwiftPM does not ask what it is.
public struct GeneratedManifest: Codable, Sendable {
  /// The path of its file: a folder may hold the code of several targets.
  private static func path(in folder: String, of target: String) -> String {
    "\(folder)/.\(target).syncline-manifest.json"
  }

  /// The target that the code is of.
  public let target: String
  /// The version of the compiler.
  public let version: String
  /// What tells the text of each file from others, by its name.
  let files: [String: String]

  /// The manifest of files that are written now.
  public init(of files: [GeneratedFile], target: String) {
    self.target = target
    version = CompilerPipeline.version
    self.files = Dictionary(
      files.map { ($0.name, GeneratedManifest.digest($0.text)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The manifest of a target in a folder; nil where there is none that can be read.
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

  /// Whether a file of the folder has another text than was written.
  func isEdited(_ name: String, _ text: String) -> Bool {
    files[name].map { $0 != GeneratedManifest.digest(text) } ?? false
  }

  private static func digest(_ text: String) -> String {
    var hash = StableHash()
    hash.add(text.withLineFeeds)
    return hash.text
  }
}
