import Foundation
import Syncline
import SynclineCompiler
import SynclineSchema
import Testing

@testable import SynclineTooling

/// The JSON Schema of payloads.
@Suite struct PayloadSchemaTests {
  private func properties(_ text: String) throws -> SyncJSON {
    let document = PayloadSchema.jsonSchema(try TextStore.schema(text), of: "Task")
    return try #require(document["$defs"]?["Task"]?["properties"])
  }

  @Test func jsonSchemaAcceptsValuesThatMeanNull() throws {
    let found = try properties(
      """
      model Task { @Null("none") id: String; @Null(0, false) due: Date?; @Null("") site: URL; owner: User?; at: Place? }
      model User { id: Int }
      struct Place { name: String? }
      """)
    #expect(found["due"]?["anyOf"]?.array?.contains(["enum": [0, false]]) == true)
    // Where null is an error, so are they.
    #expect(found["id"]?["not"] == ["enum": ["none"]])
    #expect(found["site"]?["not"] == ["enum": [""]])
    // PHP writes an empty object as an empty list.
    for key in ["owner", "at"] {
      #expect(found[key]?["anyOf"]?.array?.contains(["type": "array", "maxItems": 0]) == true, "\(key)")
    }
  }

  /// Whether the schema of a property accepts a string.
  private func accepts(_ text: String, as type: String) throws -> Bool {
    let found = try properties("model Task { id: Int; value: \(type)? }")
    return try (found["value"]?["anyOf"]?.array ?? []).contains { part in
      let choices = (part["anyOf"]?.array ?? []) + [part]
      return try choices.compactMap { $0["pattern"]?.string }.contains { try text.contains(Regex($0)) }
    }
  }

  /// Whether a sync reads a string without a problem.
  private func isRead(_ text: String, as type: String) async throws -> Bool {
    let store = try TextStore("model Task { id: Int; value: \(type)? }")
    let report = try await store.sync(item: SyncJSON.object(["id": 1, "value": .string(text)]).description)
    return report.problems.isEmpty
  }

  @Test(arguments: [
    "2024-02-29", "2023-02-29", "2000-02-29", "1900-02-29", "0000-02-29", "0000-01-01",
    "9999-12-31T23:59:59Z",
    "3000-01-01", "0999-01-01", "2024-04-31", "2013-W02-4", "2013-W53-1", "2013-010", "2013-000",
    "Tue, 15 Nov 1994 08:12:31 GMT", "31 Jan 1994 08:12:31 +0200", "31 Feb 1994 08:12:31 GMT",
    "/Date(1230800000000)/", "/Date()/", "soon", "9999-W52-6", "9999-12-31T23:59:59-05:00",
    "0000-01-01T00:00:00+05:00", "2024-01-01T00:00:00+05:00", "31 Dec 9999 23:59:59 -0500",
    "1508369194", "1508369194377", "1508369194377000", "1508369194377000000", "99999999999", "202105031000",
    "20210503100000", "1508369194.377", "00000000", "0000000000", "0.5", "0000001", "00000000000000",
  ])
  func jsonSchemaAcceptsTheDatesThatASyncReads(text: String) async throws {
    #expect(try await accepts(text, as: "Date") == isRead(text, as: "Date"))
  }

  @Test(arguments: [
    ("UInt8", ["0", "99", "100", "255", "+255", "007", "256", "300", "-1"]),
    ("Int8", ["127", "128", "-128", "-129", "-0"]), ("UInt16", ["65535", "65536"]),
    ("Int32", ["2147483647", "2147483648", "-2147483648", "-2147483649"]),
    ("Int", ["1234567890123456789", "8999999999999999999", "9223372036854775808", "-x"]),
    ("Double", ["99999999999999999999", "1e2", "x"]), ("Decimal", ["1e2", "99999999999999999999", "1,5"]),
  ])
  func jsonSchemaAcceptsTheNumbersThatASyncReads(type: String, texts: [String]) async throws {
    for text in texts {
      #expect(try await accepts(text, as: type) == isRead(text, as: type), "\(text) as \(type)")
    }
  }

  /// Where structs that are merged contain each other, the inner ones are any object.
  @Test func recursiveMergedStructsEndInAnyObject() throws {
    let found = try properties(
      """
      model Task { id: Int; part: Part? }
      struct Part { size: Int?; @Merged next: Other? }
      struct Other { @Merged part: Part? }
      """)
    func merged(_ schema: SyncJSON?, _ key: String) -> SyncJSON? {
      (schema?["anyOf"]?.array?[0] ?? schema)?["properties"]?[key]
    }
    let document = PayloadSchema.jsonSchema(
      try TextStore.schema(
        "model Task { id: Int; @Merged part: Part? }\nstruct Part { size: Int?; @Merged part: Part? }"))
    let part = merged(document["$defs"]?["Task"], "part")
    #expect(merged(part, "size") != nil)
    #expect(merged(part, "part")?["anyOf"]?[0] == ["type": "object"], "\(document)")
    #expect(found["part"] != nil)
  }

  /// Two imported targets have an enum of the same name.
  @Test func declarationsOfSeveralTargetsAreDistinct() throws {
    let document = PayloadSchema.jsonSchema(
      try TextStore.schema(Self.app, importing: Self.modules(status: "done")),
      importing: Self.schemas(Self.modules(status: "done")))
    let definitions = try #require(document["$defs"])
    #expect("\(definitions["Bill"] ?? nil)".contains("#/$defs/Billing.Status"), "\(document)")
    #expect("\(definitions["Visit"] ?? nil)".contains("#/$defs/Visits.Status"), "\(document)")
    #expect(definitions["Billing.Status"] != nil && definitions["Visits.Status"] != nil)
    #expect(definitions["Billing.Status"] != definitions["Visits.Status"])
  }

  @Test func changeOfAnEnumWithTheNameOfAnotherTargetsIsReported() throws {
    func snapshot(_ status: String) throws -> SyncSchemaSnapshot {
      let modules = Self.modules(status: status)
      let schema = try TextStore.schema(Self.app, importing: modules)
      let json = schema.snapshot(importing: Self.schemas(modules))
      return try JSONDecoder().decode(SyncSchemaSnapshot.self, from: Data(json.utf8))
    }
    let effects = SchemaDifference(from: try snapshot("done"), to: try snapshot("finished")).effects
    #expect(effects.contains { "\($0)".contains("\"done\"") }, "\(effects)")
  }

  private static let app = """
    import Billing
    import Visits
    model Client { id: Int; bills: [Bill]; @Relationship(inverse: nil) visits: [Visit] }
    """

  private static func schemas(_ modules: [String: String]) -> [String: Schema] {
    Dictionary(
      uniqueKeysWithValues: modules.compactMap { name, text in
        let file = SourceFile(path: "\(name).syncline", text: text)
        return CompilerPipeline.analyse(CompilerInput(target: name, files: [file])).schema.map { (name, $0) }
      })
  }

  private static func modules(status: String) -> [String: String] {
    let settings = "schema { access: public }"
    return [
      "Billing": "\(settings) model Bill { id: Int; status: Status } enum Status: Int { case open, paid }",
      "Visits":
        "\(settings) model Visit { id: Int; status: Status } enum Status: String { case planned, \(status) }",
    ]
  }
}
