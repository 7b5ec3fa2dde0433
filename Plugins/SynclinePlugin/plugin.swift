import Foundation
import PackagePlugin

/// Compiles the schema files of a target, those among its own files and in `Schemas/<Target>/`, before the target is
/// built.
///
/// It looks at paths only: what depends on the contents of a file would go stale, and is left to the tool.
@main
struct SynclinePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let neighbours = context.package.allTargets
    let schema = TargetSchema(target, among: neighbours)
    guard !schema.isCheckedIn else {
      Diagnostics.error(schema.contradiction)
      return []
    }
    for note in schema.notes { Diagnostics.warning(note) }
    let watch = try watch(schema.outsideFolder, from: context.pluginWorkDirectoryURL)
    let files = schema.files
    guard !files.isEmpty else {
      Diagnostics.warning("\(schema.name) uses SynclinePlugin and has no .syncline files")
      return watch
    }
    var compilation = SchemaCompilation(
      target: schema.name, module: schema.module, files: files,
      tool: try context.tool(named: "syncline-generate").url, output: context.pluginWorkDirectoryURL)
    for dependency in schema.dependencies(among: neighbours) {
      compilation.addImport(
        dependency.module, dependency.files, isOfSamePackage: dependency.package == schema.package)
    }
    let sources = (target as? any SourceModuleTarget)?.sourceFiles(withSuffix: "swift").map(\.url) ?? []
    for collision in compilation.collisions(with: sources) { Diagnostics.error(collision) }
    return watch + [compilation.command]
  }

  /// A command that makes SwiftPM ask the plugin again when files come into a folder outside of the target's own, or
  /// go: it does so when the output folder of a prebuild command changed, what links in it lead to included.
  ///
  /// The command itself does nothing. What is in its output folder becomes a resource of the target, and would be
  /// shipped with it; a folder with this extension is the one that SwiftPM passes over.
  private func watch(_ folder: URL, from output: URL) throws -> [Command] {
    #if os(Windows)
      return []
    #else
      let watched = output.appending(path: "Watched")
      let link = watched.appending(path: "Schemas.docc")
      try FileManager.default.createDirectory(at: watched, withIntermediateDirectories: true)
      if (try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)) != folder.path {
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: folder.path)
      }
      return [
        .prebuildCommand(
          displayName: "Watching \(folder.path)", executable: URL(fileURLWithPath: "/bin/sh"),
          arguments: ["-c", ":"], outputFilesDirectory: watched)
      ]
    #endif
  }
}
