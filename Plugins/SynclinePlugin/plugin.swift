import Foundation
import PackagePlugin

/// Compiles the schema files of a target before the target is built: those among its own files and those in `Schemas/<Target>/`.
///
/// The plugin reads only paths. SwiftPM does not repeat it when the contents of a file change, so only the tool reads contents.
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

  /// A command that makes SwiftPM run the plugin again when files are added to or removed from a folder outside the target.
  /// SwiftPM does so when the output folder of a prebuild command has changed, including the targets of symbolic links in it.
  ///
  /// The command itself does nothing. Files in its output folder would become resources of the target, and would be shipped with
  /// it, unless the folder has this extension. The Swift Build system (`--build-system swiftbuild`) warns about the command, and
  /// runs plugins in each build anyway.
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
