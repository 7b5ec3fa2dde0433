import Foundation
import SynclineCompiler

// The tool that the build plugin runs:
//
//     syncline-generate --target Tracker --index TrackerSchema.syncline.swift
//       --file Task.syncline Task.syncline.swift … --module Base User.syncline …

var target = ""
var index = ""
var outputs: [(schema: String, swift: String)] = []
var modules: [String: [String]] = [:]

var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  switch (option, arguments.popFirst()) {
  case ("--target", let value?): target = value
  case ("--index", let value?): index = value
  case ("--file", let schema?):
    guard let swift = arguments.popFirst() else { fail("“--file” takes a schema file and a Swift file") }
    outputs.append((schema, swift))
  case ("--module", let name?):
    guard let schema = arguments.popFirst() else { fail("“--module” takes a target and a schema file") }
    modules[name, default: []].append(schema)
  default: fail("unknown argument “\(option)”")
  }
}

do {
  let job = GenerationJob(target: target, index: index, outputs: outputs, modules: modules)
  let diagnostics = try job.run()
  FileHandle.standardError.write(Data(DiagnosticRenderer.report(diagnostics, style: .log).utf8))
  exit(diagnostics.hasErrors ? 1 : 0)
} catch {
  fail("\(error)")
}

func printError(_ message: String) {
  FileHandle.standardError.write(Data((message + "\n").utf8))
}

func fail(_ message: String) -> Never {
  printError("error: \(message)")
  exit(2)
}
