import SynclineCompiler
import Testing

/// One mistake gives one error, at its place; where there is a change that puts it right, it does.
@Suite struct OneMistakeTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let text: String
    /// The line and column of the only diagnostic, and its code.
    let place: String
    /// What the line of the change is afterwards; nil where nobody but the author knows.
    let corrected: String?

    init(_ text: String, _ place: String, corrected: String? = nil) {
      self.text = text
      self.place = place
      self.corrected = corrected
    }

    var testDescription: String { text }
  }

  private func diagnostics(_ text: String) -> [Diagnostic] {
    let file = SourceFile(path: "Schema.syncline", text: text)
    return CompilerPipeline.analyse(CompilerInput(target: "Sample", files: [file])).diagnostics
  }

  private func check(_ mistake: Mistake, in text: String) throws {
    let found = diagnostics(text)
    let places = found.map { "\($0.range.start.line):\($0.range.start.column) \($0.code.rawValue)" }
    #expect(places == [mistake.place], "\(found.map(DiagnosticRenderer.excerpt).joined(separator: "\n"))")
    guard let corrected = mistake.corrected else {
      #expect(found.first?.fixIts.isEmpty ?? true)
      return
    }
    let fixIt = try #require(found.first?.fixIts.first)
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(fixIt.range.offsets, with: Array(fixIt.replacement.utf8))
    let after = String(decoding: bytes, as: UTF8.self)
    #expect(after.contains(corrected), "\(after)")
    #expect(diagnostics(after).isEmpty, "\(after)\n\(diagnostics(after).map(DiagnosticRenderer.excerpt))")
  }

  /// Members of a model, the mistake in the third line; others of the model and of the file refer to what is broken.
  @Test(arguments: members)
  func aMistakeInAPropertyIsOneError(mistake: Mistake) throws {
    try check(
      mistake,
      in:
        "@Index(\\.title)\nmodel Task {\n  \(mistake.text)\n  title: String\n  note: String?\n}\nmodel Sub { id: Int; task: Task? }\n"
    )
  }

  private static let members: [Mistake] = [
    .init("id Int", "3:6 SL004", corrected: "id: Int"),
    .init("@PrimaryKye key: Int", "3:4 SL016", corrected: "@PrimaryKey key: Int"),
    .init("id: Int; a: Optional<Int>", "3:15 SL021", corrected: "id: Int; a: Int?"),
    .init("id: Int; a: Set<String>", "3:15 SL021", corrected: "id: Int; a: [String]"),
    .init("id: Int; a: Array<Int>", "3:15 SL021", corrected: "id: Int; a: [Int]"),
    .init("id: Int; a: [Int?]", "3:15 SL021", corrected: "id: Int; a: [Int]"),
    .init("id: Int; a: [Int: Int]", "3:15 SL021", corrected: "id: Int; a: [String: Int]"),
    .init("id: Int; a: [String: Int?]", "3:15 SL021", corrected: "id: Int; a: [String: Int]"),
    .init("id: Int; a: Dictionary<String, Int>", "3:15 SL021", corrected: "id: Int; a: [String: Int]"),
    .init("id: Int; a: [String: Task]", "3:15 SL021", corrected: "id: Int; a: [Task]"),
    .init("id: Int; a: [String: Int] = []", "3:31 SL050", corrected: "id: Int; a: [String: Int] = [:]"),
    .init("id: Int; a: [[Int]] = [:]", "3:25 SL050"),
    .init("id: Int; a: String = 'abc'", "3:24 SL001", corrected: "id: Int; a: String = \"abc\""),
    .init("id: Int; a: String = “abc”", "3:24 SL001", corrected: "id: Int; a: String = \"abc\""),
    .init("id: Int; a: String = \"\"\"abc\"\"\"", "3:24 SL001", corrected: "id: Int; a: String = \"abc\""),
    .init("id: Int; a: String = \"abc", "3:24 SL002", corrected: "id: Int; a: String = \"abc\""),
    .init(
      "id: Int; @RemoteKey(\"abc) a: String", "3:23 SL002",
      corrected: "id: Int; @RemoteKey(\"abc\") a: String"),
    .init("id: Int; /* open", "3:12 SL003"),
    .init("id: Int; model Inner { id: Int }", "3:12 SL004"),
    .init("id: Int; func foo() -> Int { return 1 }", "3:12 SL004"),
    .init("id: Int = autoincrement()", "3:13 SL050", corrected: "id: Int"),
    .init("let id: Int", "3:3 SL004", corrected: "id: Int"),
    .init("private var id: Int", "3:3 SL004", corrected: "id: Int"),
    .init("private(set) var id: Int", "3:3 SL004", corrected: "id: Int"),
    .init("id: Int # a comment", "3:11 SL001", corrected: "id: Int // a comment"),
    .init(
      "id: Int; @Relationship(deleteRule: cascade) subs: [Sub]", "3:38 SL017",
      corrected: "id: Int; @Relationship(deleteRule: .cascade) subs: [Sub]"),
    .init(
      "id: Int; @Relationship(inverse: Sub.task) subs: [Sub]", "3:35 SL017",
      corrected: "id: Int; @Relationship(inverse: \\Sub.task) subs: [Sub]"),
    .init("id: Int; a: Boolean", "3:15 SL012", corrected: "id: Int; a: Bool"),
    .init("id: Int; a: DateTime?", "3:15 SL012", corrected: "id: Int; a: Date?"),
    .init("id: Int; a: Any", "3:15 SL012", corrected: "id: Int; a: JSON"),
    .init("id: Int; a: (Int, Int)", "3:15 SL021", corrected: "id: Int; a: JSON"),
    .init("id: Int; a: [[Task]]", "3:15 SL021", corrected: "id: Int; a: [Task]"),
    .init("id: Int; a[: Task]", "3:13 SL004", corrected: "id: Int; a: [ Task]"),
    .init("id: Int; Local @ a: Int = 0", "3:12 SL004", corrected: "id: Int; @Local a: Int = 0"),
    .init("id: Int; @unique a: String", "3:13 SL016", corrected: "id: Int; @Unique a: String"),
    .init(
      "id: Int; @JSONKey(\"x\") a: String", "3:13 SL016", corrected: "id: Int; @RemoteKey(\"x\") a: String"),
    .init("@Attribute(.unique) key: Int", "3:4 SL016", corrected: "@PrimaryKey key: Int"),
    .init("id: Int; a: Date = .now", "3:22 SL050", corrected: "id: Int; a: Date"),
    .init("id: Int; a: Date = Date()", "3:22 SL050", corrected: "id: Int; a: Date"),
    .init("id: UUID = UUID()", "3:14 SL050", corrected: "id: UUID"),
    .init("id: Int; a: String!", "3:15 SL021", corrected: "id: Int; a: String\n"),
    .init("id: Int; a: [String!]!", "3:15 SL021", corrected: "id: Int; a: [String]\n"),
    .init("id: Int; name name: String", "3:17 SL004", corrected: "id: Int; name: String"),
    .init("id: Int; first name: String", "3:12 SL004", corrected: "id: Int; firstName: String"),
    .init(
      "id: Int; first-name: String", "3:12 SL004",
      corrected: "id: Int; @RemoteKey(\"first-name\") firstName: String"),
    .init("id: @PrimaryKey Int", "3:7 SL004", corrected: "@PrimaryKey id: Int"),
    .init("id: Int; a: VARCHAR(20)", "3:15 SL021", corrected: "id: Int; a: String\n"),
    .init("id: Int; a: ID", "3:15 SL012", corrected: "id: Int; a: String\n"),
    .init("id: Int -- a comment", "3:11 SL001", corrected: "id: Int // a comment"),
    .init("id: Int; a: 'admin' | 'user'", "3:15 SL004", corrected: "id: Int; a: String\n"),
    .init(
      "id: Int\n  \"\"\"\n  The title.\n  \"\"\"", "4:3 SL001",
      corrected: "id: Int\n  /// The title.\n  title: String"),
    .init("id: Int\n  \"The title.\"", "4:3 SL004", corrected: "id: Int\n  /// The title.\n  title: String"),
    .init("id: Int; @Index Index a: Int", "3:19 SL004", corrected: "id: Int; @Index a: Int"),
    .init("id: Int; Index a: Int", "3:12 SL004", corrected: "id: Int; @Index a: Int"),
    .init("id: Int; @RemoteKey \"x\") a: Int", "3:23 SL004", corrected: "id: Int; @RemoteKey( \"x\") a: Int"),
    .init("id: Int; a: [String Int]", "3:23 SL004", corrected: "id: Int; a: [String: Int]"),
    .init("id: Int; a: [Int Int]", "3:20 SL004", corrected: "id: Int; a: [Int]"),
    .init("id: Int; a: [[Int]", "3:21 SL004", corrected: "id: Int; a: [Int]"),
    .init(
      "id: Int; membership: Sub?", "3:12 SL015",
      corrected: "id: Int; @RemoteKey(\"membership\", \"membership_id\") membershipRow: Sub?"),
    .init("@PrimaryKey user: Sub", "3:3 SL018"),
    .init("id: Int; a: String??", "3:15 SL021", corrected: "id: Int; a: String?"),
    .init("id: Int; a: String[]", "3:15 SL021", corrected: "id: Int; a: [String]"),
    .init("id: Int; a?: String", "3:13 SL004", corrected: "id: Int; a: String?"),
    .init("id: Int; String a", "3:12 SL004", corrected: "id: Int; a: String"),
    .init("id: Int; a = \"x\"", "3:12 SL004", corrected: "id: Int; a: String = \"x\""),
    .init("id: Int; a", "3:12 SL004"),
    .init("id: Int; a: ", "3:14 SL004"),
    .init("id: Int, a: String", "3:10 SL004", corrected: "id: Int; a: String"),
    .init("id: Int,", "3:10 SL004", corrected: "id: Int"),
    .init("id: Int; a: Int { 5 }", "3:19 SL004"),
    .init("id: Int; a: Foundation.Int", "3:15 SL012", corrected: "id: Int; a: Swift.Int"),
    .init("id: Int; var a: any Codable", "3:19 SL021", corrected: "id: Int; var a: JSON"),
    .init("id: Int; \"a\": String", "3:12 SL004", corrected: "id: Int; a: String"),
    .init("id: Int; - a: String", "3:12 SL004", corrected: "id: Int;  a: String"),
    .init("id:: Int", "3:6 SL004", corrected: "id: Int"),
    .init("id; Int", "3:5 SL004", corrected: "id: Int"),
    .init("id = Int", "3:6 SL004", corrected: "id : Int"),
    .init("id: Int; a: (Int, Int)", "3:15 SL021", corrected: "id: Int; a: JSON"),
    .init("id: Int; a: String String", "3:22 SL004", corrected: "id: Int; a: String"),
    .init("id: Int; a: [Int", "3:19 SL004", corrected: "id: Int; a: [Int]"),
    .init("id: Int; a: Int]", "3:18 SL004"),
    .init("id: Int; @@Index a: Int", "3:13 SL004", corrected: "id: Int; @Index a: Int"),
    .init("id: Int; @Index( a: Int", "3:26 SL004"),
    .init("id: Int; @RemoteKey(\"x\" a: Int", "3:27 SL004", corrected: "id: Int; @RemoteKey(\"x\") a: Int"),
    .init("id: Int; @RemoteKey \"x\" a: Int", "3:23 SL004", corrected: "id: Int; @RemoteKey (\"x\") a: Int"),
    .init("id: Int; @RemoteKey(x) a: Int", "3:23 SL017", corrected: "id: Int; @RemoteKey(\"x\") a: Int"),
    .init("id: Int; @ a: Int", "3:15 SL004"),
    .init("id: Int; static let a: Int", "3:12 SL004", corrected: "id: Int; a: Int"),
    .init("id: Int; a: Int }", "4:3 SL004"),
    .init("id: Int {", "3:11 SL004", corrected: "id: Int"),
    .init("} id: Int", "3:5 SL004"),
    .init("id: Int; a: String = .abc", "3:24 SL050", corrected: "id: Int; a: String"),
    .init("id: Int; init(id: Int) { self.id = id }", "3:12 SL004"),
    .init("id: Int; struct Inner { var a: Int }", "3:12 SL004"),
    .init("id: Int; enum State: String { case a }", "3:12 SL004"),
    .init("id: Int; case a", "3:12 SL004"),
    .init("i\u{200B}d: Int", "3:4 SL001", corrected: "id: Int"),
    .init("id: Task", "3:7 SL032"),
    .init("@PrimaryKey(madeBy: .server) key: Int", "3:3 SL087", corrected: "@PrimaryKey key: Int"),
    .init("id: Int; @Null(false) a: Bool?", "3:18 SL088", corrected: "id: Int;  a: Bool?"),
    .init("id: Int; @Null(\"\", true) a: Bool?", "3:22 SL088", corrected: "id: Int; @Null(\"\") a: Bool?"),
    .init("id: Int; @Null(0) a: Int? = 0", "3:18 SL089"),
    .init("id: Int; @Null(-1) a: Int = -1", "3:18 SL089"),
    .init("id: Int; @Null(nil) a: Int?", "3:18 SL089", corrected: "id: Int; @Null() a: Int?"),
    .init("id: Int; @Null(\"\", nil) a: Int?", "3:22 SL089"),
    .init("id: Int; @Null([1]) a: Int?", "3:18 SL089", corrected: "id: Int; @Null([]) a: Int?"),
    .init("id: Int; @Null([:]) a: Int?", "3:18 SL089", corrected: "id: Int; @Null([]) a: Int?"),
    .init("id: Int; @Null(none) a: String?", "3:18 SL089", corrected: "id: Int; @Null(\"none\") a: String?"),
    .init("id: Int; @Null(.none) a: String?", "3:18 SL089"),
    .init(
      "id: Int; @Null(\"a\", \"a\") a: String?", "3:23 SL089", corrected: "id: Int; @Null(\"a\") a: String?"),
    .init("id: Int; @Null(99999999999999999999) a: String?", "3:18 SL089"),
    .init("id: Int; @Transient @Null(0) a: Int?", "3:23 SL083", corrected: "id: Int; @Transient  a: Int?"),
    .init("id: Int; @Local a: Bool", "3:12 SL095", corrected: "id: Int; @Local a: Bool?"),
    .init("id: Int; @Local a: Sub", "3:12 SL095", corrected: "id: Int; @Local a: Sub?"),
    .init("id: Int; @Local @RemoteKey(\"b\") a: Bool?", "3:19 SL083", corrected: "id: Int; @Local  a: Bool?"),
    .init("id: Int; @Local @NotExport a: Bool?", "3:19 SL083", corrected: "id: Int; @Local  a: Bool?"),
    .init("id: Int; @Local @Position a: Int = 0", "3:12 SL083", corrected: "id: Int;  @Position a: Int = 0"),
    .init("@Local id: Int", "3:3 SL095", corrected: "id: Int"),
    .init(
      "id: Int; @Relationship(inverse: nil, missing: .delete) all: [Sub]", "3:49 SL046",
      corrected: "missing: .keep) all"),
    .init("id: Int; @Local a: [Sub]", "3:12 SL095", corrected: "id: Int;  a: [Sub]"),
    .init("id: Int; @OneOrMany a: [String: Int]", "3:12 SL099", corrected: "id: Int;  a: [String: Int]"),
    .init("id: Int; @OneOrMany a: JSON?", "3:12 SL099", corrected: "id: Int;  a: JSON?"),
    .init("id: Int; @OneOrMany(1) a: [Int]", "3:23 SL017"),
    .init("id: Int; @OneOrMany @Transient a: Int?", "3:12 SL083", corrected: "id: Int;  @Transient a: Int?"),
    .init("id: Int; @Merged a: Int", "3:12 SL096", corrected: "id: Int;  a: Int"),
    .init("id: Int; @Merged a: [String]", "3:12 SL096", corrected: "id: Int;  a: [String]"),
    .init(
      "id: Int; @Merged @Relationship(inverse: \\Sub.task) subs: [Sub]", "3:12 SL096",
      corrected: "subs: [Sub]"),
    .init("id: Int; @Merged(1) a: [String: Int]", "3:20 SL017"),
    .init("id: Int; a: Int? = nil nil", "3:26 SL004", corrected: "id: Int; a: Int? = nil"),
  ]

  /// Whole files.
  @Test(arguments: files)
  func aMistakeInADeclarationIsOneError(mistake: Mistake) throws {
    try check(mistake, in: mistake.text)
  }

  private static let files: [Mistake] = [
    .init(
      "id: Int\n@RemoteKey(\"x\") a: String\n@RemoteKey(\"y\") b: String\n}\nmodel B { id: Int }", "1:1 SL004"
    ),
    .init("model model A {\n  id: Int\n}\nmodel B { id: Int; a: A? }", "1:7 SL004", corrected: "model A {"),
    .init("A model {\n  id: Int\n}\nmodel B { id: Int; a: A? }", "1:1 SL004", corrected: "model A {"),
    .init("enum S S: String { case a }", "1:8 SL004", corrected: "enum S: String { case a }"),
    .init("enum S: { case a }", "1:6 SL004", corrected: "enum S: String { case a }"),
    .init("enum S: : String { case a }", "1:9 SL004", corrected: "enum S:  String { case a }"),
    .init("enum S: String { case case a }", "1:23 SL004", corrected: "enum S: String { case a }"),
    .init("enum S: String { case a case b }", "1:25 SL004", corrected: "enum S: String { case a; case b }"),
    .init("enum S: String { case a, }", "1:24 SL004", corrected: "enum S: String { case a }"),
    .init("data class A {\n  id: Int\n}\nmodel B { id: Int; a: A? }", "1:1 SL004", corrected: "model A {"),
    .init("data class A(\n  val id: Int,\n  val name: String?,\n)\nmodel B { id: Int; a: A? }", "1:1 SL004"),
    .init(
      "Offline\nmodel B {\n  @PrimaryKey(madeBy: .server) id: UUID\n}", "1:1 SL004",
      corrected: "@Offline\nmodel"
    ),
    .init("model A id: Int }\nmodel B { id: Int; a: A? }", "1:8 SL004", corrected: "model A { id: Int }"),
    .init("model A )\n  id: Int\n}\nmodel B { id: Int; a: A? }", "1:9 SL004", corrected: "model A {\n"),
    .init("model A }\n  id: Int\n}\nmodel B { id: Int; a: A? }", "1:9 SL004", corrected: "model A {\n"),
    .init("model A {\n  id: Int\n)\nmodel B { id: Int; a: A? }", "3:1 SL004", corrected: "}\nmodel B"),
    .init("@PrimaryKey(\\.a) model B { a: A }\n@PrimaryKey(\\.b) model A { b: B }", "1:15 SL032"),
    .init("A {\n  name: String\n}\nmodel B { id: Int; a: A? }", "1:1 SL004", corrected: "struct A {"),
    .init(
      "model User: Base {\n  id: Int\n}\nmodel A { id: Int; u: User? }", "1:11 SL004",
      corrected: "model User {"),
    .init("model User: Codable, Sendable {\n  id: Int\n}", "1:11 SL004", corrected: "model User {"),
    .init("public model A {\n  id: Int\n}", "1:1 SL004", corrected: "model A {"),
    .init("class A {\n  id: Int\n}\nmodel B {\n  id: Int\n  a: A?\n}", "1:1 SL004", corrected: "model A {"),
    .init("struct A {\n  @PrimaryKey key: Int\n}\nmodel B {\n  id: Int\n  a: A?\n}", "2:3 SL018"),
    .init("struct A {\n  @Local key: Int?\n}\nmodel B {\n  id: Int\n  a: A?\n}", "2:3 SL018"),
    .init(
      "@UpdatedAt(\\.at) model B {\n  id: Int\n  @Local at: Date?\n}", "3:3 SL095", corrected: "   at: Date?"),
    .init(
      "model A {\n  id: Int\n  @Local b: B?\n}\nmodel B {\n  id: Int\n  @Relationship(inverse: \\A.b) all: [A]\n}",
      "3:3 SL095", corrected: "   b: B?"),
    .init("struct A {\n  @Index key: Int\n}\nmodel B {\n  id: Int\n  a: A?\n}", "2:3 SL018"),
    .init("@Offline struct A {\n  key: Int\n}", "1:1 SL018"),
    .init(
      "model Person {\n  id: Int\n  friends: [Person]\n  spouse: Person?\n}", "3:3 SL041",
      corrected: "@Relationship(inverse: \\Person.spouse) friends: [Person]"),
    .init("model B {\n  id: Int\n  @RemoteKey(\".\") a: Int\n}", "3:14 SL097"),
    .init("model B {\n  id: Int\n  @RemoteKey(\".\") a: [A]\n}\nmodel A { id: Int }", "3:14 SL097"),
    .init("model B {\n  @PrimaryKey(remote: \".\") id: Int\n}", "2:23 SL097"),
    .init("struct A {\n  @RemoteKey(\".\") b: B\n}\nstruct B { c: Int }", "2:14 SL097"),
    .init("model B {\n  id: Int\n  @RemoteKey(\".\") a: B?\n}", "3:14 SL097"),
    .init(
      "model A {\n  id: Int\n  @RemoteKey(\".\") b: B?\n}\nmodel B { id: Int; @RemoteKey(\".\") @Relationship(inverse: nil) a: A? }",
      "3:14 SL097"),
    .init(
      "model B { id: Int; @Relationship(inverse: nil, unknown: .create) t: [T] }\nmodel T { id: Int; n: Int }",
      "1:57 SL098"),
    .init(
      "model B { id: Int; @Relationship(unknown: .create) t: T? }\n@PrimaryKey(\\.a, \\.b) model T { a: Int; b: Int }",
      "1:43 SL098"),
    .init(
      "model B { id: Int; @Relationship(by: \\T.n, unknown: .create) t: T? }\nmodel T { id: Int; @Unique n: Int? }",
      "1:53 SL098"),
    .init("model B { id: Int; @Unique a: [Int] }", "1:20 SL103", corrected: "id: Int;  a: [Int]"),
    .init("model B { id: Int; @Unique a: JSON }", "1:20 SL103", corrected: "id: Int;  a: JSON"),
    .init(
      "model B { id: Int; @Unique @Position a: Int }", "1:20 SL103", corrected: "id: Int;  @Position a: Int"),
    .init(
      "model B { id: Int; @RemoteKey(\".\") @Relationship(by: \\T.n) t: T? }\nmodel T { id: Int; @Unique n: Int? }",
      "1:54 SL104"),
    .init(
      "model A { id: Int; @Relationship(by: \\B.n) bs: [B] }\n@ParentScoped(\\.a) model B { id: Int; a: A; @Unique n: Int? }",
      "1:38 SL104"),
    .init("model B { @Unique id: Int }", "1:11 SL103", corrected: "model B {  id: Int }"),
    .init(
      "@SoftDelete(\\.at) model B { id: Int; @Unique at: Date? }", "1:38 SL103",
      corrected: "id: Int;  at: Date?"
    ),
    .init(
      "model B { id: Int; @Unique @Transient a: Int = 0 }", "1:20 SL083",
      corrected: "id: Int;  @Transient a: Int = 0"),
    .init("model B { id: Int; @Unique t: T? }\nmodel T { id: Int }", "1:20 SL018"),
    .init("struct S { @Unique a: Int }\nmodel B { id: Int; s: S? }", "1:12 SL018"),
    .init(
      "model B { id: Int; @Relationship(by: \\T.n) t: T? }\nmodel T { id: Int; n: Int? }", "1:41 SL104",
      corrected: "model T { id: Int; @Unique n: Int? }"),
    .init(
      "model B { id: Int; @Relationship(by: \\T.id) t: T? }\nmodel T { id: Int; n: Int? }", "1:41 SL104"),
    .init(
      "model B { id: Int; @Relationship(by: \\B.n) t: T? }\nmodel T { id: Int; @Unique n: Int? }",
      "1:39 SL104", corrected: "by: \\T.n"),
    .init(
      "model B { id: Int; @Relationship(by: \\.n) t: T? }\nmodel T { id: Int; @Unique n: Date? }",
      "1:40 SL104"),
    .init(
      "model B { id: Int; @Relationship(by: \\.nam) t: T? }\nmodel T { id: Int; @Unique name: String }",
      "1:40 SL020", corrected: "by: \\.name"),
    .init(
      "model B { id: Int; @Relationship(inverse: nil, by: \\.n) @Ordered t: [T] }\nmodel T { id: Int; @Unique n: Int }",
      "1:52 SL104"),
    .init(
      "@PrimaryKey(\\.t, \\.a) model B { @Relationship(by: \\.n) t: T; a: Int }\nmodel T { id: Int; @Unique n: Int }",
      "1:51 SL104"),
    .init(
      "model B { id: Int; @Relationship(by: \\.n) t: U? }\nunion U on \"type\" { case t: T; case v: V }\nmodel T { id: Int; @Unique n: Int }\nmodel V { id: Int }",
      "1:38 SL104"),
    .init(
      "model B { id: Int; @Relationship(unknown: .make) t: T? }\nmodel T { id: Int; n: Int? }", "1:43 SL017"),
    .init("@Merged struct A {\n  key: Int\n}", "1:1 SL018"),
    .init("struct A {\n  @Merged key: Int\n}", "2:3 SL096", corrected: "struct A {\n   key: Int\n}"),
    .init(
      "model B {\n  id: Int\n  @Merged @Transform(C) a: A\n}\nstruct A { b: Int }", "3:3 SL083",
      corrected: "  @Transform(C) a: A"),
    .init("struct A {\n  b: B\n}\nmodel B {\n  id: Int\n  a: A?\n}", "2:6 SL021"),
    .init("struct A {\n  b: B\n}\nstruct B {\n  a: A?\n  b: B\n}", "6:3 SL025", corrected: "  b: B?"),
    .init(
      "struct A {\n  b: Sting\n}\nmodel B {\n  id: Int\n  a: [A]\n}", "2:6 SL012", corrected: "b: String"),
    .init(
      "@Index(\\.a.c) model B {\n  id: Int\n  a: A\n}\nstruct A { b: Int }", "1:12 SL020",
      corrected: "@Index(\\.a.b)"),
    .init("@Index(\\.id.c) model B {\n  id: Int\n}", "1:13 SL020"),
    .init("@Index(\\.a.b) model B {\n  id: Int\n  a: A\n}\nstruct A { b: [Int] }", "1:10 SL080"),
    .init(
      "@UpdatedAt(\\.at.b) model B {\n  id: Int\n  at: Date\n}", "1:16 SL017", corrected: "@UpdatedAt(\\.at)"),
    .init("struct A {\n  a: Int = 1\n  @RemoteKey(\"a\") b: Int\n}", "3:19 SL061"),
    .init("model A {\n  id: Int\n\nmodel B {\n  id: Int\n}", "1:9 SL004", corrected: "}"),
    .init("model A {\n  id: Int", "1:9 SL004", corrected: "}"),
    .init("enum S: String, Codable {\n  case a\n}", "1:9 SL004", corrected: "enum S: String {"),
    .init("enum S: Codable {\n  case a\n}", "1:9 SL021"),
    .init(
      "enum H { open; closed }\nmodel A { id: Int; h: H = .open }", "1:6 SL004",
      corrected: "enum H: String { case open; case closed }"),
    .init("enum H: String {\n  open\n  closed\n}", "2:3 SL004", corrected: "case open"),
    .init("enum H: String { open, closed }", "1:18 SL004", corrected: "enum H: String { case open, closed }"),
    .init("enum H { case open, closed }", "1:6 SL004", corrected: "enum H: String { case open, closed }"),
    .init(
      "enum H { case open = 1, closed }", "1:6 SL004", corrected: "enum H: Int { case open = 1, closed }"),
    .init(
      "enum H: Int { case open(Int), closed }", "1:24 SL004", corrected: "enum H: Int { case open, closed }"),
    .init(
      "enum H: String { case .open, closed }", "1:23 SL004", corrected: "enum H: String { case open, closed }"
    ),
    .init(
      "enum H: String { case open: \"o\", closed }", "1:27 SL004",
      corrected: "enum H: String { case open = \"o\", closed }"),
    .init(
      "enum H: String { case open closed }", "1:28 SL004", corrected: "enum H: String { case open, closed }"),
    .init("enum H: String { cas open }", "1:18 SL004", corrected: "enum H: String { case open }"),
    .init("modle A {\n  id: Int\n}", "1:1 SL004", corrected: "model A {"),
    .init("Model A {\n  id: Int\n}", "1:1 SL004", corrected: "model A {"),
    .init("A {\n  id: Int\n}", "1:1 SL004", corrected: "model A {"),
    .init("model A\n  id: Int\n}", "1:8 SL004", corrected: "model A {"),
    .init("model {\n  id: Int\n}\nmodel B { id: Int; a: A? }", "1:7 SL004"),
    .init("model A {\n  id: Int\n}}", "3:2 SL004", corrected: "}"),
    .init("model A {{\n  id: Int\n}", "1:10 SL004", corrected: "model A {"),
    .init("model A {\n  id: Int\n}\n}\nmodel B { id: Int; a: A? }", "4:1 SL004", corrected: "}"),
    .init("model A {\n  id: Int\n  model B {\n    id: Int\n    c: String\n  }\n  b: B?\n}", "3:3 SL004"),
    .init("model A {\n  id: Int\n  enum State: String {\n    case a\n  }\n  state: State\n}", "3:3 SL004"),
    .init("# A comment\n# of two lines\nmodel A {\n  id: Int\n}", "1:1 SL001", corrected: "// A comment"),
    .init("/* not closed\nmodel A {\n  id: Int\n}", "1:1 SL003"),
    .init("model B { id: Int; a: A? }\n/* not closed\nmodel A {\n  id: Int\n}", "2:1 SL003"),
    .init("import Base\nmodel B { id: Int; a: User? }", "1:8 SL090"),
    .init("typealias X = Int\nmodel B { id: Int }", "1:1 SL004"),
    .init("extension A { func a() {} }\nmodel B { id: Int }", "1:1 SL004"),
    .init("id: Int\nmodel B { id: Int }", "1:1 SL004"),
    .init("model B { id: Int } }", "1:21 SL004", corrected: "model B { id: Int }"),
    .init("model \"B\" { id: Int }", "1:7 SL004", corrected: "model B { id: Int }"),
    .init("model B<T> { id: Int }", "1:8 SL004", corrected: "model B { id: Int }"),
    .init("final public model B { id: Int }", "1:1 SL004", corrected: "model B { id: Int }"),
    .init("schema { acces: public }", "1:10 SL091"),
    .init("schema { access = public }", "1:17 SL004"),
    .init("schema { access: \"public\" }", "1:18 SL091"),
    .init(
      "@UpdatedAt(updatedAt)\nmodel B { id: Int; updatedAt: Date? }", "1:12 SL017",
      corrected: "@UpdatedAt(\\.updatedAt)"),
    .init(
      "@UpdatedAt(\\.updatedAt)\nmodel B { id: Int; updatedAt Date? }", "2:30 SL004",
      corrected: "model B { id: Int; updatedAt: Date? }"),
    .init("@PrimaryKey(\\.a)\nmodel B { a: Int; b: Int }", "1:15 SL105"),
    .init(
      "@PrimaryKey(\\.a) model B { a: A? }\nmodel A { id: Int }", "1:31 SL105", corrected: "{ a: A }"),
    .init(
      "@PrimaryKey(\\.a) model B { a: A }\nmodel A { id: Int; b: [B] }", "2:23 SL105", corrected: "b: B? }"),
    .init("@Singleton model B { @PrimaryKey a: Int }", "1:22 SL106", corrected: "model B {  a: Int }"),
    .init(
      "@Singleton model B { a: Int }\nmodel A { id: Int; b: [B] }", "2:23 SL106", corrected: "b: B? }"),
    .init("@PrimaryKey\nmodel B { a: Int; b: Int }", "1:1 SL017"),
    .init(
      "@PrimaryKey(\\.a, \\.bb)\nmodel B { a: Int; b: Int }", "1:20 SL020",
      corrected: "@PrimaryKey(\\.a, \\.b)"),
    .init("@PrimaryKey(\\.a, \\.b)\nmodel B { a: Int; b: Int? }", "1:20 SL032"),
    .init("@PrimaryKey(\\.a, \\.b)\nmodel B { a: Int; b: Int; syncID: Int }", "2:27 SL011"),
    .init("model B { @PrimaryKey(\\.b) a: Int; b: Int }", "1:23 SL017"),
    .init("schema { null: \"\" }\nmodel B { id: Int }", "1:16 SL089", corrected: "schema { null: [\"\"] }"),
    .init("schema { null: [0, nil] }\nmodel B { id: Int }", "1:20 SL089"),
    .init("schema { null: explicit }\nmodel B { id: Int }", "1:16 SL089"),
    .init("@Null(0, 0)\nmodel B { id: Int }", "1:10 SL089", corrected: "@Null(0)"),
    .init("@Null(nil)\nstruct C { a: Int? }\nmodel B { id: Int; c: C? }", "1:7 SL089", corrected: "@Null()"),
    .init("@Null(\"\")\nenum C: String { case a }\nmodel B { id: Int; c: C? }", "1:1 SL018"),
    .init(
      "@Offline @PrimaryKey(\\.a, \\.b, madeBy: .server)\nmodel B { a: Int; b: Int }", "1:32 SL087",
      corrected: "@Offline @PrimaryKey(\\.a, \\.b)"),
    .init("@Offline @PrimaryKey(madeBy: .server)\nmodel B { a: Int; b: Int }", "1:10 SL017"),
    .init(
      "@Offline\nmodel B { @PrimaryKey(madeBy: .server) a: Int64 }", "2:43 SL087",
      corrected: "@PrimaryKey a: Int64"),
    .init("@Offline\nmodel B { @PrimaryKey(madeBy: .client) a: Int }", "2:31 SL017"),
    .init("@Below(\"\")\nmodel B { id: Int; a: Int }", "1:8 SL100"),
    .init("@Below(\"a[0]\")\nmodel B { id: Int; a: Int }", "1:8 SL100"),
    .init(
      "@Below(\"[0]\")\nmodel B { @PrimaryKey(remote: \"[0]\") a: Int; @RemoteKey(\"[1]\") b: Int?; c: Int? }",
      "1:8 SL100"),
    .init(
      "@Below(\"[0]\")\nmodel B { id: Int; a: Int?; @Ordered c: [C] }\nmodel C { id: Int; b: B? }",
      "1:8 SL100"),
    .init("model B { @PrimaryKey a: A }\nmodel A { id: Int }", "1:11 SL018"),
    .init(
      "model B { id: Int; @RemoteKey(\".\") a: A? }\nmodel A { @PrimaryKey(remote: \"[0]\") x: Int }",
      "1:31 SL097"),
    .init(
      "@PrimaryKey(\\.b) model A { b: B }\n@PrimaryKey(\\.c) model B { c: C }\n@PrimaryKey(\\.a) model C { a: A }",
      "1:15 SL032"),
    .init("@PrimaryKey(\\.b) model A { b: B }\n@PrimaryKey(\\.a) model B { a: A }", "1:15 SL032"),
    .init("@Below(\".a\")\nmodel B { id: Int; a: Int }", "1:8 SL100", corrected: "@Below(\"a\")"),
    .init("model B { @PrimaryKey(remote: \"[0]\") a: Int; b: Int? }", "1:46 SL101"),
    .init("model B { @PrimaryKey(remote: \"[0]\") a: Int; @RemoteKey(\"b\") b: Int? }", "1:57 SL101"),
    .init(
      "model B { id: Int; @RemoteKey(\"a[c:v].x\") x: Int?; @RemoteKey(\"a[n:v].y\") y: Int? }", "1:75 SL102"),
    .init("model B { id: Int; @RemoteKey(\"a.x\") x: Int?; @RemoteKey(\"a[0]\") y: Int? }", "1:66 SL102"),
    .init(
      "model A { id: Int; @RemoteKey(\"m[0]\") x: Int?; @RemoteKey(\".\") far: B? }\nmodel B { @PrimaryKey(remote: \"k\") id: Int; @RemoteKey(\"m.c\") y: Int? }",
      "1:64 SL102"),
    .init("@Below(a)\nmodel B { id: Int; a: Int }", "1:8 SL017", corrected: "@Below(\"a\")"),
    .init("model B { id: Int; @Below(\"a\") a: Int }", "1:20 SL018"),
    .init(
      "@Offline\nmodel B { @PrimaryKey(madeBy: .serve) a: Int }", "2:31 SL017",
      corrected: "@PrimaryKey(madeBy: .server) a: Int"),
    .init(
      "@Offline\nmodel B { @PrimaryKey(madeBy: server) a: Int }", "2:31 SL017",
      corrected: "@PrimaryKey(madeBy: .server) a: Int"),
    .init(
      "@Offline\nmodel B { @PrimaryKey(madeby: .server) a: Int }", "2:23 SL017",
      corrected: "@PrimaryKey(madeBy: .server) a: Int"),
    .init("@Offline\nmodel B { @PrimaryKey(madeBy: .server) a: Double }", "2:43 SL032"),
    .init("@Deleted(\"\")\nmodel B { id: Int }", "1:10 SL094"),
    .init("@Deleted(\"a..b\")\nmodel B { id: Int }", "1:12 SL094"),
    .init("@Deleted(\"a[]\")\nmodel B { id: Int }", "1:12 SL094"),
    .init("@Deleted(\"id\")\nmodel B { id: Int }", "1:10 SL094"),
    .init(
      "@Deleted(\"a\", is: open)\nmodel B { id: Int }", "1:19 SL094",
      corrected: "@Deleted(\"a\", is: \"open\")"),
    .init(
      "@Deleted(\"a\", is: .open)\nmodel B { id: Int }", "1:19 SL094",
      corrected: "@Deleted(\"a\", is: \"open\")"),
    .init("@Deleted(\"a\", is: [1])\nmodel B { id: Int }", "1:19 SL094"),
    .init("@Deleted(\"a\", is: nil)\nmodel B { id: Int }", "1:19 SL094"),
    .init(
      "@Deleted(\"a\")\n@Deleted(\"a\")\nmodel B { id: Int }", "2:1 SL094", corrected: "@Deleted(\"a\")\n"),
    .init(
      "@Deleted(\"a\", is: true)\n@Deleted(\"a\")\nmodel B { id: Int }", "1:1 SL094",
      corrected: "@Deleted(\"a\")\nmodel B"),
    .init("@Deleted\nmodel B { id: Int }", "1:1 SL017"),
    .init("@Deleted(a)\nmodel B { id: Int }", "1:10 SL017", corrected: "@Deleted(\"a\")"),
    .init("@Deleted(\"a\")\nstruct B { a: Int }", "1:1 SL018"),
    .init("model B { @Deleted(\"a\") id: Int }", "1:11 SL018"),
    .init(
      "@OneOrMany\nmodel B { id: Int; @OneOrMany a: [Int] }", "2:20 SL099",
      corrected: "model B { id: Int;  a: [Int] }"),
    .init(
      "@OneOrMany\nstruct S { a: [String: Int]; b: JSON? }\nmodel B { id: Int; s: S? }", "1:1 SL099",
      corrected: "struct S"),
    .init("@OneOrMany\nenum E: String { case a }\nmodel B { id: Int; e: E? }", "1:1 SL018"),
    .init(
      "model A { id: Int; @Relationship(inverse: B.a) bs: [B] }\nmodel B { id: Int; a: A?; c: A? }",
      "1:43 SL017", corrected: "model A { id: Int; @Relationship(inverse: \\B.a) bs: [B] }"),
    .init(
      "model A { id: Int; a: String = \"\"\"\n  x\n  y\n  \"\"\"\n}", "1:32 SL001",
      corrected: "model A { id: Int; a: String = \"x\\ny\""),
    .init(
      "model Data { id: Int }\nmodel A { id: Int; b: Data?; c: Foundation.Data? }", "2:23 SL024",
      corrected: "model A { id: Int; b: Foundation.Data?; c: Foundation.Data? }"),
    .init("enum E: Int { case a = 1.5 }", "1:24 SL023"),
    .init("enum E: Int { case a = b }", "1:24 SL023"),
    .init(
      "model A {\n  id: Int\n  name: String,\n  other: String,\n}", "3:15 SL004", corrected: "name: String"),
    .init(
      "union X { case a: A }\nmodel A { id: Int; x: X? }", "1:7 SL004",
      corrected: "union X on \"type\" { case a: A }"),
    .init(
      "union X \"t\" { case a: A }\nmodel A { id: Int; x: X? }", "1:9 SL004",
      corrected: "union X on \"t\" { case a: A }"),
    .init(
      "union X on \"t\" { a: A }\nmodel A { id: Int; x: X? }", "1:18 SL004",
      corrected: "union X on \"t\" { case a: A }"),
    .init("union X on t { case a: A }\nmodel A { id: Int; x: X? }", "1:12 SL004"),
    .init("union X on \"t\" { case a }\nmodel A { id: Int; x: X? }", "1:23 SL004"),
    .init("union X on \"t\" { case a(A) }\nmodel A { id: Int; x: X? }", "1:24 SL004"),
    .init(
      "unoin X on \"t\" { case a: A }\nmodel A { id: Int; x: X? }", "1:1 SL004",
      corrected: "union X on \"t\" { case a: A }"),
    .init("union X on \"t\" { case a: A; case b: Nothing }\nmodel A { id: Int; x: X? }", "1:37 SL012"),
    .init(
      "union X on \"t\" { case a: A }\nmodel A { id: Int; x: X }", "2:23 SL021",
      corrected: "x: X?"),
    .init("model A { id : Int", "1:9 SL004", corrected: "}"),
    .init("<<<<<<< HEAD\nmodel A { id: Int }", "1:1 SL004"),
    .init(
      "model A { id: Int, name: String }\n", "1:18 SL004", corrected: "model A { id: Int; name: String }"),
  ]

  @Test func typeParametersAreOneError() {
    let text = """
      model B { id: Int; page: Page<A>?; other: [Page<A>] }
      model Page<T> {
        id: Int
        items: [T]
        first: T?
      }
      model A { id: Int }
      """
    #expect(diagnostics(text).map(\.code) == [.unexpectedToken])
  }

  @Test(arguments: ["?", "!"]) func typeWithManyOptionalMarksIsOneError(mark: String) {
    let marks = String(repeating: mark, count: 20_000)
    for type in ["Int\(marks)", "[Int\(marks)]"] {
      #expect(diagnostics("model A {\n  id: Int\n  a: \(type)\n}\n").map(\.code) == [.tooDeep])
    }
  }

  @Test func undeclaredTypeIsOneErrorWithNotes() {
    let found = diagnostics(
      "model A { id: Int; one: Planet?; all: [Planet] }\nmodel B { id: Int; b: Planet? }\n")
    #expect(found.map(\.code) == [.unknownType])
    #expect(found.first?.notes.count == 2)
  }

  @Test func membersOutsideOfAModelAreOneError() {
    let members = (0..<25).map { "  @RemoteKey(\"k\($0)\") m\($0): String\n" }.joined()
    #expect(diagnostics("  id: Int\n\(members)}\nmodel B { id: Int }\n").count == 1)
    #expect(diagnostics("model A {\n  id: Int }\n\(members)}\nmodel B { id: Int }\n").count == 1)
  }

  @Test func baseOfModelIsOneErrorForAllItsUses() {
    let users = (0..<50).map { "model Task\($0) {\n  id: Int\n  user: User?\n}\n" }.joined()
    #expect(diagnostics("model User: Base {\n  name: String\n}\n\(users)").count == 1)
  }
}
