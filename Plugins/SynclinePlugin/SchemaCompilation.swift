import Foundation
import PackagePlugin

/// The command that compiles the schema files of a target.
struct SchemaCompilation {
  private let target: String
  private let tool: URL
  private var arguments: [String]
  private var inputs: [URL] = []
  private var outputs: [URL]

  init(target: String, module: String, files: [SchemaPath], tool: URL, output: URL) {
    self.target = target
    self.tool = tool
    let index = GeneratedFile.indexName(forTarget: module)
    arguments = ["--target", module, "--output", output.path]
    outputs = [output.appending(path: index)]
    // The tool reports files with the same name. SwiftPM would reject duplicate outputs, so each name is listed once.
    var names: Set = [index]
    for file in files {
      arguments += ["--file", file.path, file.relativePath]
      inputs.append(URL(fileURLWithPath: file.path))
      let name = GeneratedFile.name(forSchema: file.relativePath)
      if names.insert(name).inserted { outputs.append(output.appending(path: name)) }
    }
  }

  /// Allows the schema to import that of another target.
  mutating func addImport(_ module: String, _ files: [SchemaPath], isOfSamePackage: Bool) {
    for file in files {
      arguments += [isOfSamePackage ? "--import" : "--import-public", module, file.path]
      inputs.append(URL(fileURLWithPath: file.path))
    }
  }

  /// A message for each Swift file of the target that has the name of a generated file. Swift's build would use one object file
  /// for both, and fail with “multiple producers”.
  func collisions(with sources: [URL]) -> [String] {
    let names = Set(outputs.map { $0.lastPathComponent.lowercased() })
    return sources.filter { names.contains($0.lastPathComponent.lowercased()) }.map {
      "\($0.path) has the name of a file that SynclinePlugin writes: remove it if “syncline generate” wrote it, else rename it"
    }
  }

  var command: Command {
    // In a build that measures coverage, the tool would write its profile into the package.
    .buildCommand(
      displayName: "Compiling the schema of \(target)", executable: tool, arguments: arguments,
      environment: ["LLVM_PROFILE_FILE": "/dev/null"], inputFiles: inputs, outputFiles: outputs)
  }
}
