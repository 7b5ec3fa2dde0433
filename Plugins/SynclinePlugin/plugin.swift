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
    var arguments = ["--target", target.name, "--index", index.path]
    var inputs: [URL] = []
    var outputs = [index]
    // The tool reports files of one name; SwiftPM must not hear of them twice.
    var names: Set = [index.lastPathComponent]
    for file in files {
      let swift = output.appending(path: file.outputName)
      arguments += ["--file", file.url.path, swift.path]
      inputs.append(file.url)
      if names.insert(file.outputName).inserted { outputs.append(swift) }
    }
    for dependency in target.recursiveTargetDependencies.sorted(by: { $0.name < $1.name }) {
      let package = packageDirectory(of: dependency) ?? context.package.directoryURL
      for file in schemaFiles(of: dependency, in: package) {
        arguments += ["--module", dependency.name, file.url.path]
        inputs.append(file.url)
      }
    }
    let outside = context.package.directoryURL.appending(path: "Schemas").appending(path: target.name)
    return [
      try watch(outside, from: output),
      .buildCommand(
        displayName: "Compiling the schema of \(target.name)",
        executable: try context.tool(named: "syncline-generate").url, arguments: arguments,
        inputFiles: inputs, outputFiles: outputs),
    ]
  }

  /// A command that makes SwiftPM ask the plugin again when files come into a folder outside of the target's own, or
  /// go: it does so when the output folder of a prebuild command changed, what links in it lead to included.
  ///
  /// The command itself does nothing. What is in its output folder becomes a resource of the target, and would be
  /// shipped with it; a folder with this extension is the one that SwiftPM passes over.
  private func watch(_ folder: URL, from output: URL) throws -> Command {
    let watched = output.appending(path: "Watched")
    let link = watched.appending(path: "Schemas.docc")
    try FileManager.default.createDirectory(at: watched, withIntermediateDirectories: true)
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)) != folder.path {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: folder.path)
    }
    return .prebuildCommand(
      displayName: "Watching \(folder.path)", executable: URL(fileURLWithPath: "/usr/bin/true"),
      arguments: [],
      outputFilesDirectory: watched)
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
