import Foundation
import PackagePlugin

/// Compiles the schema files of a target, those among its own files and in `Schemas/<Target>/`, before the target is
/// built.
///
/// It looks at paths only: what depends on the contents of a file would go stale, and is left to the tool.
@main
struct SynclinePlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let packages = context.package.withDependencies
    let schema = TargetSchema(target, among: packages)
    guard !schema.isCheckedIn else {
      Diagnostics.error(schema.contradiction)
      return []
    }
    for note in schema.notes { Diagnostics.warning(note) }
    let tool = try context.tool(named: "syncline-generate").url
    let watch = try watch(schema.outsideFolder, for: tool, from: context.pluginWorkDirectoryURL)
    let files = schema.files
    guard !files.isEmpty else {
      Diagnostics.warning("\(schema.name) uses SynclinePlugin and has no .syncline files")
      return watch
    }
    var compilation = SchemaCompilation(
      target: schema.name, module: schema.module, files: files,
      tool: tool, output: context.pluginWorkDirectoryURL)
    for dependency in schema.dependencies(among: packages) {
      compilation.addImport(
        dependency.module, dependency.files, isOfSamePackage: dependency.package == schema.package)
    }
    let sources = (target as? any SourceModuleTarget)?.sourceFiles(withSuffix: "swift").map(\.url) ?? []
    for collision in compilation.collisions(with: sources) { Diagnostics.error(collision) }
    return watch + [compilation.command]
  }

  /// A command that makes SwiftPM call the plugin again when files are added to a folder outside of the target's own, or
  /// removed: it does so when the output folder of a prebuild command changed, what links in it lead to included.
  ///
  /// The command itself does nothing. What is in its output folder becomes a resource of the target, and would be
  /// shipped with it, but for a folder with this extension. The Swift Build system (`--build-system swiftbuild`) warns
  /// of it, and calls plugins for each build.
  private func watch(_ folder: URL, for tool: URL, from output: URL) throws -> [Command] {
    #if os(Windows)
      return []
    #else
      let scratch = output.path.components(separatedBy: "/plugins/outputs/")[0]
      guard !tool.path.hasPrefix(scratch + "/out/") else { return [] }
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
