import Foundation
import TestRuns
import Testing

/// `syncline json-schema`: what a validator accepts, a sync reads.
@Suite(.enabled(if: TestKind.building.runs)) struct JSONSchemaTests {
  @Test func jsonSchemaValidatorAgreesWithSync() throws {
    let modules = try Shell.run("python3", "-c", "import jsonschema, hypothesis_jsonschema")
    guard modules.status == 0 else {
      print("skipped: Python has no jsonschema or hypothesis-jsonschema")
      return
    }
    let times = ProcessInfo.processInfo.environment["SYNCLINE_SOAK"].flatMap(Int.init) ?? 1
    let script = Shell.package.appending(path: "Tools/JSONSchema/agree.py").path
    let command = Shell.package.appending(path: ".build/debug/syncline").path
    let result = try Shell.run("python3", script, command, "\(100 * times)", "1")
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func openAPIDocumentsAreValid() throws {
    guard try Shell.run("python3", "-c", "import openapi_spec_validator").status == 0 else {
      print("skipped: Python has no openapi-spec-validator")
      return
    }
    let folder = try TemporaryFolder()
    for schemas in ["Schemas/SynclineTests", "Schemas/MachineTests", "Tools/JSONSchema"] {
      let path = Shell.package.appending(path: schemas).path
      let document = try Shell.syncline("openapi", path)
      #expect(document.status == 0, "\(document.output)")
      try folder.write(document.output, to: "openapi.json")
      let check = try Shell.run(
        "python3", "-c",
        """
        import json
        from jsonschema import Draft202012Validator
        from openapi_spec_validator import validate
        document = json.load(open("openapi.json"))
        validate(document)
        for schema in document["components"]["schemas"].values(): Draft202012Validator.check_schema(schema)
        """, in: folder.url)
      #expect(check.status == 0, "\(check.output)")
    }
  }
}
