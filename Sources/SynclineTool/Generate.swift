import ArgumentParser
import SynclineCompiler
import SynclineFiles

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Generates Swift code from schema files.",
    discussion: """
      Unchanged files are not rewritten. Generated files of the target whose schema file was deleted are \
      removed. A hidden manifest in the folder records what was generated, so that “--check” can distinguish manual edits \
      from changes of the schema; it exits with 1 if it finds any.
      """)

  @Option(
    name: .shortAndLong, help: "The target of the generated code; its index type is named <target>Schema.")
  var target: String

  @Option(
    name: .shortAndLong, help: "The folder to write to. It is created if it is missing.",
    completion: .directory)
  var output: String

  @Flag(help: "Writes nothing, and prints the files that differ from the code that the schema generates.")
  var check = false

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    let files = CompilerPipeline.emit(try schema.analyse(target: target))
    let code = CheckedInCode(output, of: target)
    guard check else { return try code.write(files, warn: printError) }
    if !code.check(files) { throw ExitCode.failure }
  }
}
