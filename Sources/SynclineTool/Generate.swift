import ArgumentParser
import SynclineCompiler
import SynclineFiles

/// `syncline generate`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the Swift of schema files to a folder.",
    discussion: """
      A file that would not change is not written. Swift that was written for a schema file of the target which is \
      gone is removed. A hidden file beside them says what was written, so that “--check” can tell what somebody has changed by hand \
      from what the schema has changed; it exits with 1 where there is any.
      """)

  @Option(name: .shortAndLong, help: "The target that the Swift is for; the index is called <target>Schema.")
  var target: String

  @Option(
    name: .shortAndLong, help: "The folder to write to. It is created if it is missing.",
    completion: .directory)
  var output: String

  @Flag(help: "Writes nothing, and prints what is not as the schema gives it.")
  var check = false

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    let files = CompilerPipeline.emit(try schema.analyse(target: target))
    let code = CheckedInCode(output, of: target)
    guard check else { return try code.write(files, warn: printError) }
    if !code.check(files) { throw ExitCode.failure }
  }
}
