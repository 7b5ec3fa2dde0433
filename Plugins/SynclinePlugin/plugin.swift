import Foundation
import PackagePlugin

/// Compiles the schema files of a target, those in its own folder and in `Schemas/<Target>/`, before the target
/// is built.
///
/// It looks at paths only: what depends on the contents of a file would go stale, and is left to the tool.
@main
struct SynclinePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let schema = TargetSchema(target: target, package: context.package.directoryURL)
    guard !schema.isCheckedIn else {
      Diagnostics.error(
        "\(target.name) has checked-in code in \(schema.checkedIn.path), and uses SynclinePlugin, which would write it once more: remove the one or the other"
      )
      return []
    }
    let files = schema.files
    guard !files.isEmpty else {
      Diagnostics.warning("\(target.name) uses SynclinePlugin and has no .syncline files")
      return []
    }
    var compilation = SchemaCompilation(
      target: target.name, module: schema.module, files: files,
      tool: try context.tool(named: "syncline-generate").url, output: context.pluginWorkDirectoryURL)
    for dependency in schema.dependencies {
      compilation.addImport(
        dependency.module, dependency.files,
        isOfSamePackage: dependency.package.standardizedFileURL == schema.package.standardizedFileURL)
    }
    let outside = schema.package.appending(path: "Schemas").appending(path: target.name)
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
}
