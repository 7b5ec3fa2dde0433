import Foundation
import Syncline
import SynclineInterpreter
import SynclineTooling
import Testing

@Suite struct TrialTests {
  private static let schema = """
    model Album {
      id: Int
      title: String
      rating: Double = 2.5
      kind: Kind = .studio
      @Transform(Cents) price: Decimal?
      label: Label?
      tracks: [Track]
      places: [String: Place]?
    }
    model Label { @PrimaryKey(remote: "code") name: String; albums: [Album] }
    @ParentScoped(\\.album) model Track { number: Int; @PrimaryKey key: String; album: Album }
    struct Place { lat: Double; lng: Double = 0 }
    enum Kind: String { case studio, live = "on_stage" }
    """

  private func trial(
    _ payload: String, at path: String? = nil, _ form: Trial.Form = .rows,
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) async throws -> Trial {
    let schema = InterpretedSchema(try TextStore.schema(TrialTests.schema))
    return try await Trial(
      of: Array(payload.utf8), at: path, form, as: .model(try #require(schema.model("Album"))), in: schema,
      configuration)
  }

  @Test(arguments: ["Double", "Float", "Decimal", "JSON"])
  func defaultMayBeginWithZeros(type: String) async throws {
    let store = try TextStore("model Task { id: Int; b: \(type) = 007.5; c: \(type) = -00.5 }")
    try await store.sync(#"[{"id": 1}]"#)
    #expect(try await store.rows("SELECT CAST(b AS REAL), CAST(c AS REAL) FROM Task") == ["7.5 -0.5"])
  }

  @Test(arguments: [#"{"\u00e9": "x", "e\u0301": 2}"#, #"{"e\u0301": 2, "\u00e9": "x"}"#])
  func mapWithTwoFormsOfOneKeyIsReported(map: String) async throws {
    let store = try TextStore("model Task { id: Int; counts: [String: Int]? }")
    let report = try await store.sync(#"[{"id": 1, "counts": \#(map)}]"#)
    #expect(report.problems.count == 1, "\(report.problems)")
    #expect(try await store.rows("SELECT counts FROM Task") == ["-"])
  }

  @Test func rowsAreInTheOrderOfTheirIdentities() async throws {
    let rows = (1...12).reversed().map { #"{"id": \#($0), "title": "t"}"# }.joined(separator: ", ")
    let trial = try await trial("[\(rows)]")
    #expect(trial.tables[0].values.map { $0[0] } == ["1", "2", "3", "4", "5"])
  }

  @Test func trialReportsStoredRowsAndReadings() async throws {
    let trial = try await trial(
      #"{"data":[{"id":1,"title":"A","price":"9,99","kind":"on_stage","label":{"code":"X"},"#
        + #""tracks":[{"key":"k","number":1}],"places":{"a":{"lat":1}}}]}"#, at: "data")
    #expect(trial.isClean)
    #expect(trial.tables.map(\.model) == ["Album", "Label", "Track"])
    #expect(
      trial.tables[0].values == [
        ["1", "'A'", "2.5", "'on_stage'", "'\"9,99\"'", "'X'", #"'{"a":{"lat":1,"lng":0}}'"#]
      ])
    #expect(trial.readings.first { $0.property == "kind" }?.type == "Kind")
    #expect(trial.readings.first { $0.property == "lat" }?.rows == 1)
  }

  /// A payload is somebody else's text.
  @Test func controlCharactersAreEscapedInOutput() async throws {
    let trial = try await trial(
      #"[{"id":1,"title":"\u001b[31m\u0007red\nA","a\nb\u202e":1},{"id":2,"title":"B","rating":"\u001b[2J"}]"#
    )
    let lines = trial.text.split(separator: "\n")
    #expect(trial.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
    #expect(lines.contains(#"  Album.a\u{A}b\u{202E}, in 1 row"#), "\(trial.text)")
    #expect(trial.text.contains(#"'\u{1B}[31m\u{7}red↵A'"#), "\(trial.text)")
  }

  @Test func refusalIsReportedTogetherWithOtherRows() async throws {
    let trial = try await trial(#"[{"id":1},{"id":2,"title":"B","rating":"3"}]"#)
    #expect(trial.refusal?.contains("title") ?? false)
    #expect(trial.failure == nil)
    #expect(trial.report.problems.count == 1)
    #expect(trial.tables.map(\.rows) == [1])
    #expect(!trial.isClean)
  }

  @Test func singleObjectInsteadOfListIsExplained() async throws {
    let trial = try await trial(#"{"id": 1, "tags": [{"id": 2}]}"#)
    #expect(trial.text.contains("“--item” reads it as one row, “--at” names a list in it."), "\(trial.text)")
  }

  @Test func invalidJSONIsRejected() async throws {
    let trial = try await trial("[{")
    #expect(trial.failure != nil)
    #expect(trial.tables.isEmpty)
    #expect(trial.text.hasPrefix("rejected: "))
  }

  @Test func jsonLinesAreRead() async throws {
    let trial = try await trial(#"{"id":1,"title":"A"}"# + "\n\n" + #"{"id":2,"title":"B"}"# + "\n")
    #expect(trial.isClean)
    #expect(trial.tables.map(\.rows) == [2])
    // One object on several lines is no list.
    #expect(try await self.trial("{\n\"id\": 1,\n\"title\": \"A\"\n}\n").refusal != nil)
  }

  @Test func theRowsOfAUnionAreRead() async throws {
    let schema = InterpretedSchema(
      try TextStore.schema(
        """
        union Entry on "type" { case post: Post; case photo: Photo }
        model Post { id: Int; title: String }
        model Photo { id: Int; url: URL }
        """))
    #expect(schema.unionNames == ["Entry"])
    let payload = #"[{"type":"post","id":1,"title":"A"},{"type":"photo","id":1,"url":"https://x.org"}]"#
    let trial = try await Trial(
      of: Array(payload.utf8), as: .union(try #require(schema.union("Entry"))), in: schema,
      SyncConfiguration())
    #expect(trial.isClean, "\(trial.text)")
    #expect(trial.tables.map(\.model) == ["Post", "Photo"])
    let item = try await Trial(
      of: Array(#"{"type":"post","id":2,"title":"B"}"#.utf8), .item,
      as: .union(try #require(schema.union("Entry"))), in: schema, SyncConfiguration())
    #expect(item.tables.map(\.model) == ["Post"])
  }

  @Test func itemIsReadWithConfiguredKeyStyle() async throws {
    var configuration = SyncConfiguration()
    configuration.keyStyle = .camelCase
    let trial = try await trial(#"{"id":3,"title":"C","label":{"code":"Y"}}"#, .item, configuration)
    #expect(trial.isClean)
    #expect(try JSONEncoder().encode(trial).count > 100)
  }

  @Test func differingRowsWithEqualIdentityAreReported() async throws {
    let payload = #"[{"id":1,"title":"A","rating":1},{"id":1,"title":"B"},{"id":2,"title":"A"}]"#
    let trial = try await trial(payload)
    #expect(trial.isClean && trial.report.merged == 1)
    #expect(
      trial.text.contains(
        "merged\n  Album: 1 object differs in a value from another object with the same identity; later values are stored\n"
      ))
    #expect(trial.text.contains("  Album: 2 objects have the identity “1” and differ in “title”\n"))
    #expect(trial.text.contains("  Album: 3 objects were merged into 2 rows\n"))
    let same = try await self.trial(#"[{"id":1,"title":"A"},{"id":1,"title":"A","rating":1}]"#)
    #expect(!same.text.contains("merged"))
  }
}
