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
    // The tool reports files of one name; SwiftPM must not hear of them twice.
    var names: Set = [index]
    for file in files {
      arguments += ["--file", file.path, file.relativePath]
      inputs.append(URL(fileURLWithPath: file.path))
      let name = GeneratedFile.name(forSchema: file.relativePath)
      if names.insert(name).inserted { outputs.append(output.appending(path: name)) }
    }
  }

  /// Lets the schema import the one of another target.
  mutating func addImport(_ module: String, _ files: [SchemaPath], isOfSamePackage: Bool) {
    for file in files {
      arguments += [isOfSamePackage ? "--import" : "--import-public", module, file.path]
      inputs.append(URL(fileURLWithPath: file.path))
    }
  }

  var command: Command {
    .buildCommand(
      displayName: "Compiling the schema of \(target)", executable: tool, arguments: arguments,
      inputFiles: inputs, outputFiles: outputs)
  }
}
