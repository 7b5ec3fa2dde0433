import Foundation
import PackagePlugin

/// `swift package syncline generate`: writes the Swift of schema files into the folders of their targets, for packages that keep
/// it in the repository.
@main
struct SynclineCommand: CommandPlugin {
  private static let usage = "swift package syncline generate [--check] [--target <target>]"

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let checks = extractor.extractFlag(named: "check") > 0
    guard extractor.remainingArguments == ["generate"] else {
      return Diagnostics.error("The command is: \(SynclineCommand.usage)")
    }
    let package = context.package.directoryURL
    let schemas = context.package.targets.filter { $0 is any SourceModuleTarget }
      .map { TargetSchema(target: $0, package: package) }
    for name in names where !schemas.contains(where: { $0.target.name == name }) {
      return Diagnostics.error("There is no target “\(name)”.")
    }
    let chosen = schemas.filter { names.isEmpty ? $0.isCheckedIn : names.contains($0.target.name) }
    guard !chosen.isEmpty else {
      return Diagnostics.error(
        "No target has checked-in code yet: name one, as in “swift package syncline generate --target App”.")
    }
    let tool = try context.tool(named: "syncline").url
    for schema in chosen { try generate(schema, by: tool, checks: checks) }
  }

  private func generate(_ schema: TargetSchema, by tool: URL, checks: Bool) throws {
    let name = schema.target.name
    guard !schema.files.isEmpty else {
      return Diagnostics.error("\(name) has no .syncline files.")
    }
    var arguments = ["generate", "--target", name, "--output", schema.checkedIn.path]
    if checks { arguments.append("--check") }
    for dependency in schema.dependencies {
      arguments += dependency.folders.filter { !SchemaFolder($0.path).schemaFiles().isEmpty }.flatMap {
        ["--import", "\(dependency.module)=\($0.path)"]
      }
    }
    arguments += schema.folders.map(\.path).filter { !SchemaFolder($0).schemaFiles().isEmpty }
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: break
    case 1 where checks:
      Diagnostics.error("\(name) is not as its schema gives it: “swift package syncline generate” writes it.")
    default: Diagnostics.error("The schema of \(name) was not compiled.")
    }
  }
}
