import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineTooling
import Testing

/// The words that are proposed where samples show them.
@Suite struct InferredAttributesTests {
  /// The proposed schema, which reads the whole sample without problems.
  private func proposal(for payload: String) async throws -> String {
    let text = SchemaInference(of: try SampleRows.rows(in: Array(payload.utf8)), named: "Row").text
    let schema = InterpretedSchema(try #require(analysisWithoutErrors(of: text).schema))
    let model = try #require(schema.model("Row"))
    let trial = try await Trial(of: Array(payload.utf8), as: .model(model), in: schema, SyncConfiguration())
    #expect(trial.isClean, "\(trial.report.problems) \(text)")
    #expect(trial.report.unreadKeys?.keys == [], "\(text)")
    return text
  }

  @Test func valueAmongListsGetsOneOrMany() async throws {
    let text = try await proposal(
      for: #"""
        [{"id": 1, "tags": "a", "items": {"id": 4, "size": 1}, "numbers": [1, 2]},
         {"id": 2, "tags": ["a", ""], "items": [{"id": 5, "size": 2}, {"id": 6}], "numbers": [3]}]
        """#)
    #expect(
      text.contains("  // Both single values and lists were seen.\n  @OneOrMany tags: [String]"), "\(text)")
    #expect(text.contains("@OneOrMany items: [Item]"), "\(text)")
    #expect(!text.contains("@OneOrMany numbers"))
  }

  @Test func singleElementListAmongValuesGetsOneOrMany() async throws {
    let text = try await proposal(
      for: #"""
        [{"id": 1, "owner": {"id": 7, "name": "N"}, "count": 1, "place": [{"city": "B"}]},
         {"id": 2, "owner": [{"id": 7, "name": "N"}], "count": [2], "place": {"city": "C"}},
         {"id": 3, "owner": [], "count": [], "place": {}}]
        """#)
    #expect(text.contains("@OneOrMany owner: [Owner]"), "\(text)")
    #expect(text.contains("@OneOrMany count: [Int]"), "\(text)")
    #expect(text.contains("@OneOrMany place: [Place]"), "\(text)")
  }

  @Test func emptyStringAmongOtherTypesGetsNullAttribute() async throws {
    let text = try await proposal(
      for: #"""
        [{"id": 1, "day": "2025-01-02T00:00:00Z", "size": 3, "link": "https://a.b", "note": "", "box": {"w": 1}},
         {"id": 2, "day": "", "size": "", "link": "", "note": "x", "box": ""}]
        """#)
    #expect(
      text.contains(#"  // The server seems to send "" for a missing value.\#n  @Null("") day: Date?"#),
      "\(text)")
    #expect(text.contains(#"@Null("") size: Int?"#), "\(text)")
    #expect(text.contains(#"@Null("") link: URL?"#), "\(text)")
    #expect(text.contains(#"@Null("") box: Box?"#), "\(text)")
    #expect(!text.contains(#"@Null("") note"#), "\(text)")
  }

  /// Odoo writes `false` for what is not set.
  @Test func falseAmongOtherValuesGetsNullAttribute() async throws {
    let text = try await proposal(
      for: #"""
        [{"id": 1, "name": false, "image": {"src": "x"}, "active": false, "gone": false},
         {"id": 2, "name": "A", "image": false, "active": true, "gone": false}]
        """#)
    #expect(text.contains("@Null(false) name: String?"), "\(text)")
    #expect(text.contains("@Null(false) image: Image?"), "\(text)")
    #expect(text.contains("  active: Bool?\n") && text.contains("  gone: Bool?\n"), "\(text)")
  }

  @Test func propertyReadFromObjectGetsItsNullAttribute() async throws {
    let text = try await proposal(
      for: #"[{"id": 1, "meta": {"author": {"id": 3, "login": "c"}}}, {"id": 2, "meta": false}]"#)
    #expect(text.contains(#"@Null(false) @RemoteKey("meta.author") author: Author?"#), "\(text)")
  }

  /// PHP writes `[]` for an empty object, for which no word is needed.
  @Test func emptyListAmongScalarsGetsNullAttribute() async throws {
    let text = try await proposal(
      for: #"[{"id": 1, "place": {"city": "B"}, "size": 1}, {"id": 2, "place": [], "size": []}]"#)
    #expect(text.contains("  place: Place?\n"), "\(text)")
    #expect(text.contains("@Null([]) size: Int?"), "\(text)")
  }

  @Test func keysWithDotsAreQuoted() async throws {
    let text = try await proposal(
      for: #"[{"id": 1, "System.Title": "T", "@odata.etag": "e", "fields": {"a[0]": "s"}}]"#)
    #expect(text.contains(##"@RemoteKey(#""System.Title""#) systemTitle: String?"##), "\(text)")
    #expect(text.contains(##"@RemoteKey(#""@odata.etag""#)"##), "\(text)")
    #expect(text.contains(##"@RemoteKey(#"fields."a[0]""#)"##), "\(text)")
  }

  @Test func consistentKeysSetTheKeyStyle() async throws {
    let pascal = try await proposal(
      for: #"[{"Id": 1, "CreatedAt": "2025-01-01", "OwnerId": 3, "Box": {"MaxSize": 1}}]"#)
    #expect(pascal.contains("keyStyle: pascalCase"), "\(pascal)")
    #expect(!pascal.contains("@RemoteKey") && !pascal.contains("@PrimaryKey"), "\(pascal)")
    let kebab = try await proposal(for: #"[{"id": 1, "created-at": "2025-01-01", "home-page": "x"}]"#)
    #expect(kebab.contains("keyStyle: kebabCase"), "\(kebab)")
    #expect(!kebab.contains("@RemoteKey"), "\(kebab)")
    let mixed = try await proposal(for: #"[{"id": 1, "CreatedAt": "2025-01-01", "home-page": "x"}]"#)
    #expect(!mixed.contains("keyStyle"), "\(mixed)")
    #expect(mixed.contains(#"@RemoteKey("CreatedAt")"#), "\(mixed)")
  }

  @Test func keysOutsideTheSchemaStyleGetRemoteKey() throws {
    let new = try extended(
      #"model Row { @PrimaryKey(remote: "Id") id: Int }"#, by: #"[{"Id": 1, "CreatedAt": "2025-01-01"}]"#)
    #expect(new.contains(#"@RemoteKey("CreatedAt") createdAt: Date?"#), "\(new)")
  }

  /// Single words are read in each style.
  @Test func keysThatTheSchemaStyleReadsGetNoRemoteKey() throws {
    let new = try extended(
      "schema {\n  keyStyle: camelCase\n}\n\nmodel Row {\n  id: Int\n}\n",
      by: #"[{"id": 1, "title": "x", "project": {"id": 5}}]"#)
    #expect(new.contains("  title: String?\n  project: Project?\n"), "\(new)")
  }

  private func extended(_ schema: String, by payload: String) throws -> String {
    let input = CompilerInput(target: "Schema", files: [SourceFile(path: "Row.syncline", text: schema)])
    let sample = SampleEndpoint(
      SampleRows(try SampleRows.rows(in: Array(payload.utf8))), named: "Row")
    let addition = try SchemaAddition(of: [sample], to: input, CompilerPipeline.analyse(input))
    return try #require(addition.texts["Row.syncline"])
  }
}
