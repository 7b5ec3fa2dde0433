import Foundation

/// Measures the tool that the build plugin runs: the time of its build, and of compiling a large schema.
struct ToolMeasurement {
  let syncline: URL
  let folder: Folder

  /// A clean debug build of the tool alone.
  func cleanBuild() throws -> Cost {
    try build("debug")
    let scratch = folder.folder("tool")
    return try Command.best { _ in
      try scratch.clean(["SynclineNaming", "SynclineCompiler", "SynclineFiles", "syncline_generate"])
      return buildCommand("debug")
    }
  }

  /// Compiles a schema with the given number of models, and writes all Swift files.
  func run(_ configuration: String, models count: Int) throws -> Cost {
    try build(configuration)
    let tool = folder.folder("tool").url.appending(path: "\(configuration)/syncline-generate").path
    let schemas = folder.folder("schemas")
    let outputs = folder.folder("output-\(configuration)")
    try schemas.empty()
    try outputs.empty()
    let models = ModelPlan.models(count)
    for model in models {
      try schemas.write(SchemaText(models: models).file(model), to: "\(model.name).syncline")
    }
    return try Command.best { run in
      // Each run has a separate folder, because some file systems are slow to create files where others were just removed.
      let output = outputs.folder("\(run)")
      try output.empty()
      return models.reduce(into: [tool, "--target", "Large", "--output", output.path]) { arguments, model in
        let name = "\(model.name).syncline"
        arguments += ["--file", "\(schemas.path)/\(name)", name]
      }
    }
  }

  private func build(_ configuration: String) throws {
    try Command.run(buildCommand(configuration))
  }

  private func buildCommand(_ configuration: String) -> [String] {
    [
      "swift", "build", "--package-path", syncline.path, "--scratch-path", folder.folder("tool").path,
      "--configuration", configuration, "--product", "syncline-generate",
    ]
  }
}
