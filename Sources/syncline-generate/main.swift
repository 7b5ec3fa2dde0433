import Foundation
import SynclineCompiler
import SynclineFiles

// The tool that the build plugin runs:
//
//     syncline-generate --target Tracker --output Folder
//       --file Schemas/Task.syncline Task.syncline … --import Base User.syncline …
//       --import-public Other Thing.syncline …
//
// The second name of a file is its path relative to the folder that was searched. Targets of other packages are imported with
// `--import-public`. For the command plugin, the tool writes checked-in code (`--check-in`), or prints how that code differs from
// what the schema generates (`--check`, which exits with 3 if there are differences).

var target = ""
var output = ""
var files: [SchemaPath] = []
var checkedIn: (target: String, checks: Bool)?
var imports: [(target: String, isOfSamePackage: Bool, file: SchemaPath)] = []

var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  switch (option, arguments.popFirst()) {
  case ("--target", let value?): target = value
  case ("--output", let value?): output = value
  case ("--file", let path?):
    guard let relative = arguments.popFirst() else { fail("“--file” takes a path and a relative path") }
    files.append(SchemaPath(path, named: relative))
  case ("--check-in", let name?): checkedIn = (name, false)
  case ("--check", let name?): checkedIn = (name, true)
  case ("--import", let name?), ("--import-public", let name?):
    guard let path = arguments.popFirst() else { fail("“\(option)” takes a target and a schema file") }
    imports.append((name, option == "--import", SchemaPath(path)))
  default: fail("unknown argument “\(option)”")
  }
}

do {
  var sources = try SchemaSources(target: target)
  sources.add(files)
  for entry in imports {
    sources.addImport(of: entry.target, isOfSamePackage: entry.isOfSamePackage, [entry.file])
  }
  let analysis = CompilerPipeline.analyse(try sources.input())
  printError(DiagnosticRenderer.report(analysis.diagnostics, style: .log))
  guard let schema = analysis.schema else { exit(1) }
  let generated = CompilerPipeline.emit(schema)
  if let (target, checks) = checkedIn {
    let code = CheckedInCode(output, of: target)
    if !checks { try code.write(generated, warn: printError) } else if !code.check(generated) { exit(3) }
  } else {
    try GeneratedFolder(output).write(generated)
  }
} catch let error as UnreadableFiles {
  printError("\(error)\n")
  exit(1)
} catch {
  fail("\(error)")
}

/// Prints a message. A write error is ignored, because it could not be reported.
func printError(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
}

func fail(_ message: String) -> Never {
  printError("error: \(message)\n")
  exit(2)
}
