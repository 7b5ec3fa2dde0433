#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  /// Compiles the schema files of a target in an Xcode project: those among its files, and those in `Schemas/<Target>/` next to
  /// the project.
  extension SynclinePlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let schema = contents(of: target, in: context.xcodeProject)
      for note in schema.notes { Diagnostics.warning(note) }
      guard !schema.files.isEmpty else {
        Diagnostics.warning("\(target.displayName) uses SynclinePlugin and has no .syncline files")
        return []
      }
      var compilation = SchemaCompilation(
        target: target.displayName, module: ModuleName.of(target: target.displayName), files: schema.files,
        tool: try context.tool(named: "syncline-generate").url, output: context.pluginWorkDirectoryURL)
      for case .target(let dependency) in target.dependencies {
        compilation.addImport(
          ModuleName.of(target: dependency.displayName),
          contents(of: dependency, in: context.xcodeProject).files, isOfSamePackage: false)
      }
      for collision in compilation.collisions(with: target.inputFiles.map(\.url)) {
        Diagnostics.error(collision)
      }
      return [compilation.command]
    }

    private func contents(of target: XcodeTarget, in project: XcodeProject) -> SchemaFolder.Contents {
      let own = target.inputFiles.map(\.url.path).sorted()
      let files = own.filter { $0.hasSuffix(".\(SchemaPath.fileExtension)") }.map { SchemaPath($0) }
      let folder = project.directoryURL.appending(path: "Schemas").appending(path: target.displayName)
      let outside = SchemaFolder(folder.path).contents()
      return SchemaFolder.Contents(
        files: SchemaPath.distinct(files + outside.files),
        notes: own.compactMap(SchemaPath.note) + outside.notes)
    }
  }
#endif
