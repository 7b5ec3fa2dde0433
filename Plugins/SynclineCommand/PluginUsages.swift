import Foundation
import PackagePlugin

/// The plugins that a package's targets use. A plugin cannot get this from SwiftPM's API, so it runs `swift package` to read the
/// manifest.
struct PluginUsages {
  private struct Manifest: Decodable {
    let targets: [Target]

    struct Target: Decodable {
      let name: String
      let pluginUsages: [Usage]?
    }
    /// The JSON of a use: `{"plugin": ["SynclinePlugin", "Syncline"]}`. The second element may be null.
    struct Usage: Decodable {
      let plugin: [String?]
    }
  }

  private var plugins: [String: [String]] = [:]

  /// - Throws: ``UnreadableManifest`` if SwiftPM does not print the manifest.
  init(in context: PluginContext) throws {
    // The calling SwiftPM is still running, so this one uses its own scratch folder. A sandbox cannot be nested in another.
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

/// Thrown if SwiftPM does not print the contents of a manifest.
struct UnreadableManifest: Error, CustomStringConvertible {
  let reason: String
  var description: String { "It is not known which targets use SynclinePlugin: \(reason)" }
}
