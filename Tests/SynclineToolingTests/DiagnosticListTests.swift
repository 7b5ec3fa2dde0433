import Foundation
import SynclineCompiler
import SynclineTooling
import Testing

/// `syncline check --json` and `--sarif`.
@Suite struct DiagnosticListTests {
  private func diagnostics(_ text: String) -> [Diagnostic] {
    let file = SourceFile(path: "My Schemas/Ä.syncline", text: text)
    return CompilerPipeline.analyse(CompilerInput(target: "App", files: [file])).diagnostics
  }

  private func json(_ value: some Encodable) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
    return try #require(object as? [String: Any])
  }

  private let text = "model A {\n  id: Int\n  /* 😀é */ name: Sring\n  @PrimaryKey @PrimaryKey key: Int\n}\n"

  @Test func jsonPositionsCountUTF8Bytes() throws {
    let list = try json(DiagnosticList(diagnostics(text)))
    let entries = try #require(list["diagnostics"] as? [[String: Any]])
    let entry = try #require(entries.first { $0["code"] as? String == "SL012" })
    #expect(entry["severity"] as? String == "error")
    #expect(entry["message"] as? String == "unknown type “Sring”; did you mean “String”?")
    let place = try #require(entry["place"] as? [String: Any])
    #expect(place["file"] as? String == "My Schemas/Ä.syncline")
    let start = try #require(place["start"] as? [String: Int])
    #expect(start == ["line": 3, "column": 22, "offset": 41])
    let bytes = Array(text.utf8)
    let end = try #require((place["end"] as? [String: Int])?["offset"])
    #expect(String(decoding: bytes[41..<end], as: UTF8.self) == "Sring")
    let fixIt = try #require((entry["fixIts"] as? [[String: Any]])?.first)
    #expect(fixIt["replacement"] as? String == "String")
  }

  @Test func sarifColumnsCountUTF16CodeUnits() throws {
    let log = try json(SARIFLog(diagnostics(text)))
    #expect(log["version"] as? String == "2.1.0" && log["$schema"] is String)
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "utf16CodeUnits")
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == diagnostics(text).count)
    let tool = try #require(run["tool"] as? [String: [String: Any]])
    let rules = try #require(tool["driver"]?["rules"] as? [[String: Any]])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    }
    let result = try #require(results.first { $0["ruleId"] as? String == "SL012" })
    let location = try #require((result["locations"] as? [[String: [String: Any]]])?.first)
    let physical = try #require(location["physicalLocation"] as? [String: [String: Any]])
    #expect(physical["artifactLocation"]?["uri"] as? String == "My%20Schemas/%C3%84.syncline")
    #expect(
      physical["region"] as? [String: Int]
        == ["startLine": 3, "startColumn": 19, "endLine": 3, "endColumn": 24])
  }

  @Test func noDiagnosticsEncodeAsEmptyArrays() throws {
    #expect((try json(DiagnosticList([]))["diagnostics"] as? [Any])?.isEmpty == true)
    let run = try #require((try json(SARIFLog([]))["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.isEmpty == true)
  }
}
