import Foundation
import PackagePlugin

/// The plugins that a package's targets list. SwiftPM does not say it to a plugin, so the manifest is asked.
struct PluginUsages {
  private struct Manifest: Decodable {
    let targets: [Target]

    struct Target: Decodable {
      let name: String
      let pluginUsages: [Usage]?
    }
    /// `{"plugin": ["SynclinePlugin", "Syncline"]}`, the second of which may be null.
    struct Usage: Decodable {
      let plugin: [String?]
    }
  }

  private var plugins: [String: [String]] = [:]

  /// - Throws: ``UnreadableManifest`` where SwiftPM does not print the manifest.
  init(in context: PluginContext) throws {
    // Another SwiftPM is running: this one keeps out of its folders. It may not make a sandbox within a sandbox.
    let scratch = context.pluginWorkDirectoryURL.appending(path: "Manifest").path
    let (status, output) = try Process.run(
      context.tool(named: "swift").url,
      [
        "package", "--package-path", context.package.directoryURL.path, "--scratch-path", scratch,
        "--cache-path", scratch + "/cache", "--disable-sandbox", "dump-package",
      ], capturing: true)
    guard status == 0 else { throw UnreadableManifest(reason: "“swift package dump-package” failed") }
    do {
      let manifest = try JSONDecoder().decode(Manifest.self, from: output)
      for target in manifest.targets {
        plugins[target.name] = target.pluginUsages?.compactMap(\.plugin.first).compactMap(\.self)
      }
    } catch {
      throw UnreadableManifest(reason: "\(error)")
    }
  }

  /// Whether the build plugin compiles the schema of a target.
  func buildsSchema(of target: String) -> Bool { plugins[target]?.contains("SynclinePlugin") ?? false }
}

/// A manifest of which SwiftPM does not say what it has.
struct UnreadableManifest: Error, CustomStringConvertible {
  let reason: String
  var description: String { "It is not known which targets use SynclinePlugin: \(reason)" }
}
