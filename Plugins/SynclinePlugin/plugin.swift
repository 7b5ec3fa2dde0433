import Foundation
import PackagePlugin

/// Compiles the schema files of a target, those in its own folder and in `Schemas/<Target>/`, before the target
/// is built.
///
/// It looks at paths only: what depends on the contents of a file would go stale, and is left to the tool.
@main
struct SynclinePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let files = schemaFiles(of: target, in: package)
    guard !files.isEmpty else {
      Diagnostics.warning("\(target.name) uses SynclinePlugin and has no .syncline files")
      return []
    }
    var compilation = SchemaCompilation(
      target: target.name, module: moduleName(of: target), files: files,
      tool: try context.tool(named: "syncline-generate").url, output: context.pluginWorkDirectoryURL)
    for dependency in target.recursiveTargetDependencies.sorted(by: { $0.name < $1.name }) {
      let directory = packageDirectory(of: dependency) ?? package
      compilation.addImport(
        moduleName(of: dependency), schemaFiles(of: dependency, in: directory),
        isOfSamePackage: directory.standardizedFileURL == package.standardizedFileURL)
    }
    let outside = package.appending(path: "Schemas").appending(path: target.name)
    return [try watch(outside, from: context.pluginWorkDirectoryURL), compilation.command]
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

  private func moduleName(of target: any Target) -> String {
    (target as? any SourceModuleTarget)?.moduleName ?? target.name
  }

  private func schemaFiles(of target: any Target, in package: URL) -> [SchemaPath] {
    let own = (target as? any SourceModuleTarget)?.directoryURL
    let folders = [own, package.appending(path: "Schemas").appending(path: target.name)]
    return SchemaPath.distinct(folders.compactMap { $0 }.flatMap { SchemaFolder($0.path).schemaFiles() })
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
