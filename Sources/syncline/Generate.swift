import ArgumentParser
import SynclineCompiler
import SynclineFiles

/// `syncline generate`
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the Swift of schema files to a folder.",
    discussion: """
      A file that would not change is not written. Swift that was written for a schema file of the target which is \
      gone is removed.
      """)

  @Option(name: .shortAndLong, help: "The target that the Swift is for; the index is called <target>Schema.")
  var target: String

  @Option(
    name: .shortAndLong, help: "The folder to write to. It is created if it is missing.",
    completion: .directory)
  var output: String

  @OptionGroup var schema: SchemaArguments

  func run() throws {
    let files = CompilerPipeline.emit(try schema.analyse(target: target))
    let folder = GeneratedFolder(output)
    try folder.write(files)
    for name in try folder.removeOrphans(of: files) {
      print("Removed \(name): its schema file is gone.")
    }
  }
}
