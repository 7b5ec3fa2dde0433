#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  /// Compiles the schema files of a target of an Xcode project: those among its files, and those in
  /// `Schemas/<Target>/` beside the project.
  extension SynclinePlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = schemaFiles(of: target, in: context.xcodeProject)
      guard !files.isEmpty else {
        Diagnostics.warning("\(target.displayName) uses SynclinePlugin and has no .syncline files")
        return []
      }
      var compilation = SchemaCompilation(
        target: target.displayName, module: ModuleName.of(target: target.displayName), files: files,
        tool: try context.tool(named: "syncline-generate").url, output: context.pluginWorkDirectoryURL)
      for case .target(let dependency) in target.dependencies {
        compilation.addImport(
          ModuleName.of(target: dependency.displayName),
          schemaFiles(of: dependency, in: context.xcodeProject),
          isOfSamePackage: false)
      }
      return [compilation.command]
    }

    private func schemaFiles(of target: XcodeTarget, in project: XcodeProject) -> [SchemaPath] {
      let own = target.inputFiles.map(\.url.path).filter { $0.hasSuffix(".syncline") }.sorted()
      let outside = project.directoryURL.appending(path: "Schemas").appending(path: target.displayName)
      return SchemaPath.distinct(own.map { SchemaPath($0) } + SchemaFolder(outside.path).schemaFiles())
    }
  }
#endif
