import Syncline
import TestSupport
import Testing

/// Definition, references, highlights, symbols, hover and renaming.
@Suite struct NameTests {
  private static let task = """
    /// A task.
    @Index(\\.title, \\.home.city)
    model Task {
      id: Int
      /// The title.
      @RemoteKey("name", "a`b") title: String
      state: State = .open
      home: Address
      @Relationship(inverse: \\Tag.tasks) tags: [Tag]
      dueOn: Date?
      @Transient note: String?
      item: Item?
    }

    """
  private static let rest = """
    model Tag { id: Int; tasks: [Task] }
    enum State: String { case open; /// Done.
    case done = "d" }
    struct Address { city: String }
    union Item on "type" { case tag: Tag; case task: Task = "t" }

    """

  private func editor() throws -> Editor {
    let editor = try Editor(["Rest.syncline": NameTests.rest])
    editor.open("Schema.syncline", NameTests.task)
    #expect(editor.problems("Schema.syncline") == [])
    return editor
  }

  /// The places of an answer, as the texts on their lines.
  private func places(_ answer: SyncJSON) -> [String] {
    (answer.array ?? []).map { place in
      let file = place["uri"]?.string?.hasSuffix("Rest.syncline") == true ? "Rest" : "Schema"
      return
        "\(file) \(place["range"]?["start"]?["line"]?.int ?? -1):\(place["range"]?["start"]?["character"]?.int ?? -1)"
    }
  }

  @Test(arguments: [
    ("Tag.tasks", ["Rest 0:6"]), ("tasks) tags", ["Rest 0:21"]), ("State =", ["Rest 1:5"]),
    ("open", ["Rest 1:26"]),
    ("city", ["Rest 3:17"]), ("title, ", ["Schema 5:28"]), ("Item?", ["Rest 4:6"]), ("Int", []),
    ("Index", []),
  ])
  func definitionOfNameIsFound(word: String, place: [String]) throws {
    #expect(try places(editor().ask("definition", at: word, in: NameTests.task)) == place)
  }

  @Test func referencesAreFoundInAllFiles() throws {
    let editor = try editor()
    #expect(
      try places(editor.ask("references", at: "Task {", in: NameTests.task)) == [
        "Rest 0:29", "Rest 4:49", "Schema 2:6",
      ])
    let uses = try editor.ask(
      "references", at: "Task {", in: NameTests.task, with: ["context": ["includeDeclaration": false]])
    #expect(places(uses) == ["Rest 0:29", "Rest 4:49"])
    #expect(try editor.ask("documentHighlight", at: "title:", in: NameTests.task).array?.count == 2)
    #expect(try editor.ask("references", at: "Int", in: NameTests.task) == [])
  }

  @Test func workspaceSymbolsAreFoundByFuzzyQuery() throws {
    let editor = try editor()
    func names(_ query: String) throws -> [String] {
      try editor.ask("workspace/symbol", ["query": .string(query)]).array?.map { $0["name"]?.string ?? "" }
        ?? []
    }
    #expect(try names("tgs") == ["tags"])
    #expect(try names("Addr") == ["Address"])
    #expect(try names("").count == 20)
    #expect(try editor.ask("workspace/symbol", ["query": "city"])[0]?["containerName"] == "Address")
  }

  @Test func theOutlineHasAllDeclarations() throws {
    let editor = try Editor()
    let text = NameTests.task + NameTests.rest + "import Base\n"
    editor.open("Schema.syncline", text)
    let outline = try #require(try editor.ask("documentSymbol", at: "id", in: text).array)
    #expect(outline.map { $0["name"] } == ["Task", "Tag", "State", "Address", "Item", "Base"])
    #expect(outline.map { $0["kind"]?.int } == [5, 5, 10, 23, 11, 2])
    #expect(
      outline[0]["children"]?.array?.map { $0["name"] } == [
        "id", "title", "state", "home", "tags", "dueOn", "note", "item",
      ])
    #expect(outline[0]["children"]?[1]?["detail"] == "String")
    for symbol in outline.flatMap({ [$0] + ($0["children"]?.array ?? []) }) {
      let name = try editor.range(of: symbol["selectionRange"], in: text)
      let whole = try editor.range(of: symbol["range"], in: text)
      #expect(text[name] == symbol["name"]?.string ?? "")
      #expect(whole.lowerBound <= name.lowerBound && name.upperBound <= whole.upperBound)
    }
  }

  // MARK: Hover

  private func hover(_ word: String) throws -> String? {
    try editor().ask("hover", at: word, in: NameTests.task)["contents"]?["value"]?.string
  }

  @Test func hoverDescribesTheName() throws {
    #expect(
      try hover("title:") == """
        ```syncline
        title: String
        ```

        The title.

        JSON: `name`, `` a`b ``

        Column: `Task.title`

        A string, a number or a boolean.
        """)
    #expect(try hover("dueOn")?.contains("JSON: `due_on`, `dueOn`, in camelCase `dueOn`") == true)
    #expect(try hover("note")?.contains("Without a column.") == true)
    #expect(try hover("tags")?.contains("The other end is Tag.tasks.") == true)
    #expect(try hover("item:")?.hasPrefix("```syncline\nitem: Item?\n```") == true)
    #expect(
      try hover("Task {")
        == "```syncline\nmodel Task\n```\n\nA task.\n\nThe table `Task`, with the primary key `id`.")
    #expect(try hover("State =") == "```syncline\nenum State: String\n```\n\nCases: `open`, `done`.")
    #expect(try hover("open") == "```syncline\ncase open\n```\n\nJSON: `open`")
    #expect(try hover("Item?")?.hasSuffix("`tag`: `Tag`, `t`: `Task`") == true)
    #expect(try hover("Address") == "```syncline\nstruct Address\n```")
    #expect(try hover("city")?.contains("JSON: `city`") == true)
    #expect(try hover("Date?") == "`Date`\n\nAn ISO 8601 string, or Unix time.")
    #expect(try hover("RemoteKey")?.hasSuffix("Example: `@RemoteKey(\"state.id\")`") == true)
    #expect(try hover("model Task") == nil)
    #expect(try hover("A task") == nil)
  }

  @Test func hoverOfPropertyThatIsNotReadDescribesNoPayload() throws {
    let text = """
      model Task { id: Int; @Local isPinned: Bool = false; @Position place: Int?; @Transient draft: String = "" }
      """
    let editor = try Editor(marked: text)
    func hover(_ word: String) throws -> String {
      try editor.ask("hover", at: word, in: text)["contents"]?["value"]?.string ?? ""
    }
    #expect(
      try hover("isPinned").hasSuffix(
        "`Task.isPinned`\n\nHas a default. Stored on this device only. Not exported."))
    #expect(
      try hover("place").contains("`Task.place`\n\nThe index of the row in the synced list, counted from 0."))
    #expect(try hover("draft").contains("Without a column.\n\nHas a default. Not stored."))
  }

  // MARK: Renaming

  /// The texts of both files once a name is another one.
  private func renamed(_ word: String, to name: String) throws -> (schema: String, rest: String) {
    let editor = try editor()
    let changes = try editor.ask("rename", at: word, in: NameTests.task, with: ["newName": .string(name)])[
      "changes"]
    let texts = try [("Schema.syncline", NameTests.task), ("Rest.syncline", NameTests.rest)].map {
      file, text in
      try editor.applying(changes?[editor.uri(file)] ?? [], to: text)
    }
    return (texts[0], texts[1])
  }

  @Test(arguments: ["Task {", "Tag.tasks", "title, ", "tasks)", "State =", "open", "city", "home.", "Item?"])
  func renameChangesAllUsesAndIsReversible(word: String) throws {
    let (schema, rest) = try renamed(word, to: "Other")
    let editor = try Editor(["Rest.syncline": rest])
    editor.open("Schema.syncline", schema)
    #expect(editor.problems("Schema.syncline") == [])
    #expect(editor.problems("Rest.syncline") ?? [] == [])
    // Back again, all is as before.
    let position = try #require(schema.range(of: "Other")).lowerBound
    let place: SyncJSON = [
      "textDocument": ["uri": .string(editor.uri("Schema.syncline"))],
      "position": editor.position(position, in: schema),
    ]
    let old = String(word.prefix { $0.isLetter })
    let changes = try editor.ask(
      "textDocument/rename",
      .object(
        SyncJSONObject(
          Array(try #require(place.object)).map { ($0.key, $0.value) } + [("newName", .string(old))])))[
        "changes"]
    #expect(try editor.applying(changes?[editor.uri("Schema.syncline")] ?? [], to: schema) == NameTests.task)
    #expect(try editor.applying(changes?[editor.uri("Rest.syncline")] ?? [], to: rest) == NameTests.rest)
  }

  /// Rows and payloads have the JSON value of a case, whatever its name is.
  @Test func renamedCaseKeepsItsJSONValue() throws {
    let text = """
      enum State: String { case open, done = "d"; /// Closed.
        case shut  = "closed" }
      enum Level: Int { case low, high }
      union Item on "type" { case tag: Tag; case task: Job = "t" }
      struct Tag { x: Int }
      struct Job { x: Int }
      model Task { id: Int; state: State = .open; level: Level; item: Item? }

      """
    for (old, new, declared) in [
      ("open", "opened", "opened = \"open\""), ("done", "finished", "finished = \"d\""),
      ("done", "d", "d;"), ("shut", "closed", "closed }"), ("low", "lowest", "lowest, high"),
      ("tag:", "label", "label: Tag = \"tag\";"), ("task:", "t", "t: Job }"),
      ("task:", "job", "job: Job = \"t\" }"),
    ] {
      let editor = try Editor()
      editor.open("Schema.syncline", text)
      #expect(editor.problems("Schema.syncline") == [])
      let changes = try editor.ask("rename", at: old, in: text, with: ["newName": .string(new)])["changes"]
      let renamed = try editor.applying(changes?[editor.uri("Schema.syncline")], to: text)
      #expect(renamed.contains(declared), "\(renamed)")
      if old == "open" { #expect(renamed.contains("state: State = .opened;")) }
      editor.change("Schema.syncline", [["text": .string(renamed)]])
      #expect(editor.problems("Schema.syncline") == [])
    }
  }

  /// The columns of a property are named after its cases.
  @Test func caseOfAUnionOfModelsIsNotRenamed() throws {
    let text = """
      union Item on "type" { case tag: Tag; case other: Other }
      model Tag { id: Int }
      model Other { id: Int; item: Item? }

      """
    let editor = try Editor()
    editor.open("Schema.syncline", text)
    let answer = editor.answer(
      "textDocument/rename", try editor.parameters(at: "tag:", in: text, with: ["newName": "label"]))
    #expect(answer?["error"]?["message"]?.string?.contains("stores would lose their values") == true)
  }

  @Test(arguments: [
    ("Address", "Tag", "is declared twice"), ("Task {", "a b", "that is not a valid name"),
    ("Task {", "", "that is not a valid name"),
    ("title:", "id: Int; x", "that is not a valid name"),
    ("title:", "dueOn", "has the property “dueOn” twice"),
    ("open", "done", "twice"), ("id: Int", "number", "identi"), ("Address", "Date", "means something else"),
    ("title:", "title // x", "that is not a valid name"),
    ("Int", "Number", "no name of a declaration"),
  ])
  func invalidRenameIsRefused(word: String, name: String, reason: String) throws {
    let editor = try editor()
    let answer = editor.answer(
      "textDocument/rename",
      try editor.parameters(at: word, in: NameTests.task, with: ["newName": .string(name)]))
    #expect(answer?["error"]?["code"] == -32803)
    #expect(answer?["error"]?["message"]?.string?.contains(reason) == true, "\(answer ?? .null)")
  }

  @Test func prepareRenameReturnsTheNameRange() throws {
    let editor = try editor()
    let range = try editor.ask("prepareRename", at: "itle, ", in: NameTests.task)
    #expect(NameTests.task[try editor.range(of: range, in: NameTests.task)] == "title")
    #expect(
      try editor.ask("rename", at: "title,", in: NameTests.task, with: ["newName": "title"]) == [
        "changes": [:]
      ])
    let answer = editor.answer(
      "textDocument/prepareRename", try editor.parameters(at: "Int", in: NameTests.task))
    #expect(answer?["error"]?["code"] == -32803)
  }

  @Test func renameChangesImportingTargets() throws {
    let base = "schema { access: public }\nmodel Folder { id: Int }\n"
    let app = "import Base\nmodel File { id: Int; holder: Folder?; folders: [Folder] }\n"
    let editor = try Editor([
      "Package.swift": "", "Sources/Base/B.syncline": base, "Sources/App/A.syncline": app,
    ])
    editor.open("Sources/Base/B.syncline", base)
    let changes = try editor.ask(
      "rename", at: "Folder", in: base, of: "Sources/Base/B.syncline", with: ["newName": "Box"])["changes"]
    #expect(
      try editor.applying(changes?[editor.uri("Sources/App/A.syncline")], to: app)
        == app.replacing("Folder", with: "Box"))
    #expect(
      try editor.applying(changes?[editor.uri("Sources/Base/B.syncline")], to: base)
        == base.replacing("Folder", with: "Box"))
    let answer = editor.answer(
      "textDocument/prepareRename",
      try editor.parameters(at: "access", in: base, of: "Sources/Base/B.syncline"))
    #expect(answer?["error"] != nil)
    editor.open("Sources/App/A.syncline", app)
    let target = editor.answer(
      "textDocument/prepareRename", try editor.parameters(at: "Base", in: app, of: "Sources/App/A.syncline"))
    #expect(target?["error"]?["message"] == "“Base” is a target: its manifest names it.")
  }

  @Test func declarationOfFetchedPackageIsNotRenamed() throws {
    let lent = "schema { access: public }\nmodel Folder { id: Int }\n"
    let app = "import Lent\nmodel File { id: Int; folder: Folder? }\n"
    let editor = try Editor([
      "Package.swift": "", ".build/checkouts/Lent/Sources/Lent/L.syncline": lent,
      "Sources/App/A.syncline": app,
    ])
    editor.open("Sources/App/A.syncline", app)
    #expect(editor.problems("Sources/App/A.syncline") == [])
    let answer = editor.answer(
      "textDocument/rename",
      try editor.parameters(at: "Folder", in: app, of: "Sources/App/A.syncline", with: ["newName": "Box"]))
    #expect(
      answer?["error"]?["message"]?.string?.contains("is declared by a package that is not open") == true)
  }
}
