import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineTooling
import TestSupport
import Testing

/// What is proposed for sample payloads.
@Suite struct InferenceTests {
  /// Nobody names so many members.
  @Test func objectWithManyMembersBecomesMap() throws {
    func members(_ count: Int, _ value: String) -> String {
      (1...count).map { "\"u\($0)\": \(value)" }.joined(separator: ",")
    }
    let inference = try infer(
      #"[{"id":1,"a":{\#(members(301, "1"))},"b":{\#(members(301, #"{"n":1}"#))},"c":{\#(members(9, "1"))}}]"#,
      "User")
    #expect(inference.text.contains("  a: [String: Int]?\n  b: [String: B]?\n  c: C?\n"), "\(inference.text)")
  }

  /// Until it is renamed, it would be the type of the texts, too.
  @Test func aModelWithTheNameOfAScalarTypeIsRenamedFirst() throws {
    let inference = try infer(
      #"[{"id":1,"name":"a","tags":"x"},{"id":2,"name":"b","tags":["x","y"]}]"#, "String")
    #expect(inference.text.contains("model StringRecord {"), "\(inference.text)")
    #expect(inference.text.contains("name: String"), "\(inference.text)")
    #expect(inference.text.contains("@OneOrMany tags: [String]"), "\(inference.text)")
    #expect(!inference.text.contains("Left out"), "\(inference.text)")
  }

  /// A payload has one of everything, and the proposal says what was guessed.
  @Test func proposalCommentsNameTheGuesses() throws {
    let rows = (1...12).map { number in
      """
      {"id": \(number), "title": "T\(number)", "state": "\(number % 2 == 0 ? "open" : "in_review")",
       "created_at": "2025-01-\(number + 10)T10:00:00Z", "due_on": 1735689600, "day": "\(number + 10).02.2025",
       "price": 3, "ratio": 0.5, "note": \(number == 3 ? "null" : "\"x\""), "html_url": "https://example.com/\(number)",
       "key": "C3E7A1B2-1001-4000-8000-0000000000\(number + 10)", "code": \(number == 1 ? "1" : "\"b\(number)\""),
       "owner": {"id": 1, "login": "a"}, "owner_id": 1, "reviewer": {"id": 2, "login": "b"},
       "place": {"lat": 1, "lng": 2.5}, "labels": [{"id": 7, "name": "l"}, {"id": \(number), "name": "m"}],
       "comments": [{"id": \(number * 10), "text": "c"}, {"id": \(number * 10 + 1), "text": "d"}],
       "tags": ["a"], "empty": [], "nothing": null, "any": \(number == 2 ? "[1]" : "2"),
       "counts": {"\(number)": 1, "\(number + 100)": 2}, "meta": {"page": \(number), "author": {"id": 3, "login": "c"}}}
      """
    }
    let inference = try infer("[\(rows.joined(separator: ","))]", "Ticket")
    #expect(
      inference.text == """
        // 12 rows were seen: too few to tell which properties are required, so all but the identity are optional.
        model Ticket {
          id: Int
          title: String?
          // An enum, because 12 rows have only 2 different values.
          state: State?
          createdAt: Date?
          // The numbers look like times, in seconds since 1970.
          dueOn: Date?
          // The strings look like dates in this format.
          @DateFormat("dd.MM.yyyy") day: Date?
          // Only whole numbers were seen, but a number with this name may have fractions.
          price: Double?
          ratio: Double?
          note: String?
          htmlURL: URL?
          key: UUID?
          // Strings and numbers were seen.
          code: String?
          owner: User?
          reviewer: User?
          place: Place?
          labels: [Label]
          @Relationship(inverse: \\Comment.ticket) comments: [Comment]
          tags: [String]?
          // Only empty lists were seen.
          empty: JSON?
          // Only null was seen.
          nothing: JSON?
          // Both single values and lists were seen.
          @OneOrMany any: [Int]?
          counts: [String: Int]?
          @RemoteKey("meta.page") page: Int?
          @RemoteKey("meta.author") author: User?
        }

        // Merged into one model, because their keys match: Owner, Reviewer, Author.
        // 36 rows were seen: too few to tell which properties are required, so all but the identity are optional.
        model User {
          id: Int
          login: String?
        }

        // 24 rows were seen: too few to tell which properties are required, so all but the identity are optional.
        model Label {
          id: Int
          name: String?
        }

        // 24 rows were seen: too few to tell which properties are required, so all but the identity are optional.
        model Comment {
          id: Int
          text: String?
          // Each row was seen in one list only, so it belongs to one Ticket.
          @Relationship(inverse: \\Ticket.comments) ticket: Ticket?
        }

        enum State: String {
          case inReview = "in_review"
          case open
        }

        struct Place {
          // Only whole numbers were seen, but a number with this name may have fractions.
          lat: Double?
          lng: Double?
        }

        """)
    analysisWithoutErrors(of: inference.text)
  }

  @Test func sampleRowsAreReadFromListsObjectsAndJSONLines() throws {
    #expect(try SampleRows.rows(in: Array(#"[{"id":1},{"id":2}]"#.utf8)).count == 2)
    #expect(try SampleRows.rows(in: Array(#"{"id":1}"#.utf8)).count == 1)
    #expect(try SampleRows.rows(in: Array("{\"id\":1}\r\n\n{\"id\":2}\n".utf8)).count == 2)
    #expect(
      try SampleRows.rows(in: Array(#"{"data":{"items":[{"id":1}]}}"#.utf8), at: "data.items").count == 1)
    #expect(
      try SampleRows.rows(in: Array(#"{"users":{"a":{"x":1},"b":{"x":2}}}"#.utf8), at: "users{}").count == 2)
    #expect(throws: (any Error).self) { try SampleRows.rows(in: Array(#"{"data":1}"#.utf8), at: "dta") }
    #expect(throws: (any Error).self) { try SampleRows.rows(in: Array("{\"id\":1}\n{".utf8)) }
  }

  @Test func camelCaseSampleGivesCamelCaseSchema() async throws {
    let payload =
      #"[{"userId":1,"createdAt":"2025-01-01","homeUrl":"x"},{"userId":2,"createdAt":"2025-01-02","homeUrl":"y"}]"#
    let inference = try infer(payload, "User")
    #expect(inference.text.hasPrefix("schema {\n  keyStyle: camelCase\n}\n"), "\(inference.text)")
    #expect(inference.text.contains("@PrimaryKey userID: Int"))
    let trial = try await trial(payload, inference, "User")
    #expect(trial.isClean)
    #expect(trial.report.unreadKeys?.keys == [])
  }

  @Test(arguments: ["twitter/search.json statuses Status", "github/events.json . Event"])
  func schemaInferredFromATenthReadsTheRest(_ sample: String) async throws {
    let words = sample.split(separator: " ").map(String.init)
    guard let data = try? RealData.data(words[0]) else {
      print("skipped: there is no \(words[0])")
      return
    }
    let rows = try SampleRows.rows(in: Array(data), at: words[1] == "." ? nil : words[1])
    let inference = SchemaInference(of: rows.prefix(max(1, rows.count / 10)), named: words[2])
    analysisWithoutErrors(of: inference.text)
    let rest = Array(rows.dropFirst(max(1, rows.count / 10)))
    let trial = try await trial(SyncJSON.array(rest).description, inference, words[2])
    let troubled = Set(trial.report.problems.compactMap(\.row)).count
    #expect(trial.refusal == nil)
    #expect(troubled * 100 <= rest.count, "\(trial.report.problems)")
  }

  /// Any objects give a schema that the compiler takes, and that reads them.
  @Test(.enabled(if: TestKind.long.runs)) func randomRowsGiveASchemaThatReadsThem() async throws {
    for seed in 0..<120 {
      var writer = RandomRows(seed: UInt64(seed))
      let rows = writer.rows()
      let inference = SchemaInference(of: rows, named: ["Row", "String", "self", "é", "Model"][seed % 5])
      analysisWithoutErrors(of: inference.text, "seed \(seed)")
      let name = try #require(try schema(inference.text).names.first)
      let trial = try await trial(SyncJSON.array(rows).description, inference, name)
      // Where nothing identifies rows, this is said in the schema.
      let isIdentified = !inference.text.contains("No key was found that identifies a row")
      #expect((trial.failure == nil) || !isIdentified, "seed \(seed)")
      let others = trial.report.problems.filter { !$0.reason.contains("identity") }
      #expect(others == [], "seed \(seed) \(rows)\n\(inference.text)")
    }
  }

  // MARK: Adding

  @Test func newKeysAreAddedAndNothingElseChanges() async throws {
    let old = """
      // Mine.
      model Task { @PrimaryKey key: String; extra: JSON?
         /* keep */ owner: Person? }

      model Person
      {
        id: Int   // odd   blanks
      \t}
      // The end
      """
    let payload =
      #"[{"key":"a","title":"x","extra":{"b":1},"owner":{"id":1,"name":"n"},"#
      + #""list":[{"id":4,"size":1}],"box":{"w":1},"description":"d","Person":1}]"#
    let input = CompilerInput(target: "Schema", files: [SourceFile(path: "Task.syncline", text: old)])
    let sample = SampleEndpoint(SampleRows(try SampleRows.rows(in: Array(payload.utf8))), named: "Task")
    let addition = try SchemaAddition(of: [sample], to: input, CompilerPipeline.analyse(input))
    let new = try #require(addition.texts["Task.syncline"])
    // Without what was added, it is the old one.
    var rest = Array(old.utf8)[...]
    for byte in new.utf8 where byte == rest.first { rest = rest.dropFirst() }
    #expect(rest.isEmpty)
    #expect(new.contains("  title: String?\n") && new.contains("  name: String?\n"))
    #expect(!new.contains("extra: [") && new.components(separatedBy: "model Person").count == 2)
    let tried = try await trial(payload, new, "Task")
    #expect(tried.isClean)
    #expect(tried.report.unreadKeys?.keys == [])
    // The second time nothing is new.
    let again = CompilerInput(target: "Schema", files: [SourceFile(path: "Task.syncline", text: new)])
    #expect(try SchemaAddition(of: [sample], to: again, CompilerPipeline.analyse(again)).texts.isEmpty)
  }

  /// A schema keeps its style, so all keys of another style are written, also those of relationships.
  @Test func addedKeysOfAnotherStyleGetRemoteKey() async throws {
    let old = "model User {\n  id: Int\n  firstName: String?\n}\n"
    let payload = #"[{"id":1,"userId":7,"shortUrl":"https://a.b/c"}]"#
    let input = CompilerInput(target: "Schema", files: [SourceFile(path: "User.syncline", text: old)])
    let sample = SampleEndpoint(SampleRows(try SampleRows.rows(in: Array(payload.utf8))), named: "Post")
    let addition = try SchemaAddition(of: [sample], to: input, CompilerPipeline.analyse(input))
    let new = try #require(addition.texts["User.syncline"])
    #expect(new.contains("  @RemoteKey(\"userId\") user: User?\n"), "\(new)")
    #expect(try await trial(payload, new, "Post").report.unreadKeys?.keys == [])
  }

  @Test(.enabled(if: TestKind.long.runs)) func randomRowsExtendRandomSchemasWithoutErrors() throws {
    for seed in 0..<60 {
      var writer = RandomRows(seed: UInt64(1_000 + seed))
      let old = SchemaInference(of: writer.rows(), named: "Row").text
      let input = CompilerInput(target: "Schema", files: [SourceFile(path: "Row.syncline", text: old)])
      let analysis = CompilerPipeline.analyse(input)
      let sample = SampleEndpoint(SampleRows(writer.rows()), named: "Row")
      let addition = try SchemaAddition(of: [sample], to: input, analysis)
      guard let new = addition.texts["Row.syncline"] else { continue }
      analysisWithoutErrors(of: new, "seed \(seed)")
    }
  }

  // MARK: -

  private func infer(_ payload: String, _ name: String) throws -> SchemaInference {
    SchemaInference(of: try SampleRows.rows(in: Array(payload.utf8)), named: name)
  }

  private func schema(_ text: String) throws -> InterpretedSchema {
    InterpretedSchema(try #require(analysisWithoutErrors(of: text).schema))
  }

  private func trial(
    _ payload: String, _ inference: SchemaInference, _ name: String,
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) async throws -> Trial {
    try await trial(payload, inference.text, name, configuration)
  }

  private func trial(
    _ payload: String, _ text: String, _ name: String,
    _ configuration: SyncConfiguration = SyncConfiguration()
  ) async throws -> Trial {
    let schema = try schema(text)
    return try await Trial(
      of: Array(payload.utf8), as: .model(try #require(schema.model(name))), in: schema, configuration)
  }
}

/// Objects of any shape, with keys that are names of much else.
private struct RandomRows {
  private var state: UInt64

  private static let keys = [
    "id", "name", "user", "user_id", "tags", "tag_ids", "class", "self", "Self", "init", "type", "1", "+1",
    "a.b", "é", "",
    "hash", "description", "model", "struct", "syncID", "columns", "createdAt", "items", "parent", "children",
    "Type", "in",
    "x y", "$ref", "@id", "value", "Value", "ID",
  ]

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func rows() -> [SyncJSON] { (0...next(14)).map { object(4, id: $0 % 5 == 4 ? nil : $0) } }

  private mutating func next(_ count: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(count))
  }

  private mutating func object(_ depth: Int, id: Int? = nil) -> SyncJSON {
    var members: [(String, SyncJSON)] = []
    for _ in 0..<next(7) { members.append((RandomRows.keys[next(RandomRows.keys.count)], value(depth - 1))) }
    if let id { members.append(("id", .number(SyncNumber(id)))) }
    return .object(SyncJSONObject(members))
  }

  private mutating func value(_ depth: Int) -> SyncJSON {
    let kind = depth > 0 ? next(20) : 0
    if kind > 14 { return .array((0..<next(4)).map { _ in value(depth - 1) }) }
    if kind > 8 { return object(depth) }
    let scalars: [SyncJSON] = [
      1, 2, 1.5, true, .null, "a", "b", "2020-01-01T00:00:00Z", "C3E7A1B2-1001-4000-8000-000000000001",
      "http://x.de/", "",
      "Sat Mar 01 10:00:00 +0000 2025", -1, (try? SyncJSON(parsing: "100000000000000000000")) ?? .null,
    ]
    return scalars[next(scalars.count)]
  }
}
