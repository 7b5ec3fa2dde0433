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

  /// A sentence for each Swift file of the target that has the name of one that is about to be written: Swift's build
  /// gives both one object file, and says “multiple producers”.
  func collisions(with sources: [URL]) -> [String] {
    let names = Set(outputs.map { $0.lastPathComponent.lowercased() })
    return sources.filter { names.contains($0.lastPathComponent.lowercased()) }.map {
      "\($0.path) has the name of a file that SynclinePlugin writes: remove it if “syncline generate” wrote it, else rename it"
    }
  }

  var command: Command {
    // The tool of a build that measures coverage would leave its counts in the package.
    .buildCommand(
      displayName: "Compiling the schema of \(target)", executable: tool, arguments: arguments,
      environment: ["LLVM_PROFILE_FILE": "/dev/null"], inputFiles: inputs, outputFiles: outputs)
  }
}
