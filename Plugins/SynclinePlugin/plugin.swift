import Foundation
import PackagePlugin

/// Compiles the schema files of a target, those in its own folder and in `Schemas/<Target>/`, before the target
/// is built.
///
/// It looks at paths only: what depends on the contents of a file would go stale, and is left to the tool.
@main
struct SynclinePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let files = schemaFiles(of: target, in: context.package.directoryURL)
    guard !files.isEmpty else {
      Diagnostics.warning("\(target.name) uses SynclinePlugin and has no .syncline files")
      return []
    }
    let output = context.pluginWorkDirectoryURL
    let index = output.appending(path: "\(target.name)Schema.syncline.swift")
    // SwiftPM asks the plugin again when the output folder of a prebuild command changed. The command does nothing:
    // it is there so that schema files outside of the target's own folder are noticed when they come and go.
    let outside = context.package.directoryURL.appending(path: "Schemas").appending(path: target.name)
    let watch = Command.prebuildCommand(
      displayName: "Watching \(outside.path)", executable: URL(fileURLWithPath: "/usr/bin/true"),
      arguments: [],
      outputFilesDirectory: outside)
    var arguments = ["--target", target.name, "--index", index.path]
    var inputs: [URL] = []
    var outputs = [index]
    for file in files {
      let swift = output.appending(path: file.outputName)
      arguments += ["--file", file.url.path, swift.path]
      inputs.append(file.url)
      if !outputs.contains(swift) { outputs.append(swift) }
    }
    for dependency in target.recursiveTargetDependencies.sorted(by: { $0.name < $1.name }) {
      for file in schemaFiles(
        of: dependency, in: packageDirectory(of: dependency) ?? context.package.directoryURL)
      {
        arguments += ["--module", dependency.name, file.url.path]
        inputs.append(file.url)
      }
    }
    return [
      watch,
      .buildCommand(
        displayName: "Compiling the schema of \(target.name)",
        executable: try context.tool(named: "syncline-generate").url, arguments: arguments,
        inputFiles: inputs,
        outputFiles: outputs),
    ]
  }

  private struct SchemaFile {
    let url: URL
    /// The path below its folder, so that files of one name in two folders have two outputs.
    let relativePath: String

    var outputName: String {
      relativePath.replacingOccurrences(of: "/", with: "_") + ".swift"
    }
  }

  private func schemaFiles(of target: any Target, in package: URL) -> [SchemaFile] {
    let own = (target as? any SourceModuleTarget)?.directoryURL
    let folders = [own, package.appending(path: "Schemas").appending(path: target.name)]
    return folders.compactMap { $0 }.flatMap(schemaFiles(below:))
  }

  private func schemaFiles(below folder: URL) -> [SchemaFile] {
    guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    return paths.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".syncline") }
      .sorted()
      .map { SchemaFile(url: folder.appending(path: $0), relativePath: $0) }
  }

  /// The package of a target of another package: the nearest folder above it with a manifest.
  private func packageDirectory(of target: any Target) -> URL? {
    var folder = target.directoryURL
    while folder.pathComponents.count > 1 {
      if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
        return folder
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}
