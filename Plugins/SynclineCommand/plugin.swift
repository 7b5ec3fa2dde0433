import Foundation
import PackagePlugin

/// `swift package syncline generate`: writes the generated Swift of schema files into the folders of their targets, for packages
/// that check in generated code.
@main
struct SynclineCommand: CommandPlugin {
  private static let usage = "swift package syncline generate [--check] [--target <target>]"

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let checks = extractor.extractFlag(named: "check") > 0
    guard extractor.remainingArguments == ["generate"] else {
      return Diagnostics.error("Usage: \(SynclineCommand.usage)")
    }
    let packages = context.package.withDependencies
    let targets = context.package.targets.filter { $0 is any SourceModuleTarget }
    for name in names where !targets.contains(where: { $0.name == name }) {
      return Diagnostics.error("There is no target “\(name)”.")
    }
    let chosen = targets.filter { names.isEmpty || names.contains($0.name) }
      .map { TargetSchema($0, among: packages, isCheckedIn: names.isEmpty ? nil : true) }
      .filter(\.isCheckedIn)
    guard !chosen.isEmpty else {
      return Diagnostics.error(
        "No target has checked-in code yet: name one, as in “swift package syncline generate --target App”.")
    }
    let plugins = try PluginUsages(in: context)
    let contradictions = chosen.filter { plugins.buildsSchema(of: $0.name) }
    for schema in contradictions { Diagnostics.error(schema.contradiction) }
    guard contradictions.isEmpty else { return }
    let tool = try context.tool(named: "syncline-generate").url
    for schema in chosen { try generate(schema, among: packages, by: tool, checks: checks) }
  }

  private func generate(_ schema: TargetSchema, among packages: [Package], by tool: URL, checks: Bool)
    throws
  {
    let name = schema.name
    for note in schema.notes { Diagnostics.warning(note) }
    guard !schema.files.isEmpty else {
      return Diagnostics.error("\(name) has no .syncline files.")
    }
    var arguments = [checks ? "--check" : "--check-in", name, "--target", schema.module]
    arguments += ["--output", schema.checkedIn.path]
    for file in schema.files { arguments += ["--file", file.path, file.relativePath] }
    for dependency in schema.dependencies(among: packages) {
      let option = dependency.package == schema.package ? "--import" : "--import-public"
      for file in dependency.files { arguments += [option, dependency.module, file.path] }
    }
    switch try Process.run(tool, arguments).status {
    case 0: break
    case 3:
      Diagnostics.error(
        "The generated code of \(name) is out of date. Run “swift package syncline generate”.")
    case 1: Diagnostics.error("The schema of \(name) has errors.")
    default: Diagnostics.error("The code of \(name) could not be generated.")
    }
  }
}

extension Process {
  /// Runs a program until it exits.
  ///
  /// - Returns: its exit code, and its output if it is captured.
  static func run(_ program: URL, _ arguments: [String], capturing: Bool = false) throws
    -> (status: Int32, output: Data)
  {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    // In a build that measures coverage, the program would write its profile into the package.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["LLVM_PROFILE_FILE": "/dev/null"], uniquingKeysWith: { _, new in new })
    if capturing { process.standardOutput = output }
    try process.run()
    // Read before waiting, because the output may exceed the buffer of the pipe.
    let data = capturing ? output.fileHandleForReading.readDataToEndOfFile() : Data()
    process.waitUntilExit()
    return (process.terminationStatus, data)
  }
}
