import Syncline
import Testing

/// Which schema files belong to one target.
@Suite struct TargetTests {
  @Test func packageTargetsAreAnalysedSeparately() throws {
    let editor = try Editor([
      "Package.swift": "// Base is below path: \"Elsewhere/Base\", and .package(path: \"Other\")",
      "Sources/App/A.syncline": "import Base\nimport Lent\nmodel A { id: Int; b: B?; l: L? }\n",
      "Elsewhere/Base/B.syncline": "schema { access: public }\nmodel B { id: Int }\n",
      "Sources/Third/C.syncline": "model A { id: Int }\n",
      "Other/Package.swift": "",
      "Other/Sources/Lent/L.syncline": "schema { access: public }\nmodel L { id: Int }\n",
    ])
    let text = "import Base\nimport Lent\nmodel A { id: Int; b: B?; l: L? }\n"
    editor.open("Sources/App/A.syncline", text)
    #expect(editor.problems("Sources/App/A.syncline") == [])
    #expect(editor.problems("Sources/Third/C.syncline") == nil)
    let place = try editor.ask("definition", at: "B?", in: text, of: "Sources/App/A.syncline")
    #expect(place[0]?["uri"]?.string == editor.uri("Elsewhere/Base/B.syncline"))
    editor.open("Elsewhere/Base/B.syncline", "schema { access: public }\nmodel B { id: Int }\n")
    try editor.change("Elsewhere/Base/B.syncline", "model B", to: "model D")
    #expect(editor.problems("Sources/App/A.syncline") == ["unknown type “B”; did you mean “A”?"])
  }

  @Test func foldersInSchemasAreTargets() throws {
    let text = "import Base\nmodel A { id: Int; b: B? }\n"
    let files = ["Schemas/App/A.syncline", "Sources/Other/A.syncline"]
    let editor = try Editor([
      "Package.swift": "", files[0]: text, files[1]: text, "Sources/App/main.swift": "",
      "Sources/Base/Base.swift": "",
      "Schemas/Base/B.syncline": "schema { access: public }\nmodel B { id: Int }\n",
    ])
    for file in files {
      editor.open(file, text)
      #expect(editor.problems(file) == [])
    }
  }

  @Test func singleTargetPackageTreatsSourcesAsOneTarget() throws {
    let editor = try Editor([
      "Package.swift": "", "Sources/main.swift": "",
      "Sources/Models/A.syncline": "model A { id: Int; b: B? }\n",
      "Sources/More/B.syncline": "model B { id: Int }\n",
    ])
    editor.open("Sources/Models/A.syncline", "model A { id: Int; b: B? }\n")
    #expect(editor.problems("Sources/Models/A.syncline") == [])
  }

  @Test func theOutermostOpenFolderWithSchemasIsOneTarget() throws {
    let files = ["A.syncline": "model A { id: Int; b: B? }\n", "In/B.syncline": "model B { id: Int }\n"]
    let editor = try Editor(files)
    editor.open("In/B.syncline", "model B { id: Int }\n")
    try editor.change("In/B.syncline", "Int", to: "Ints")
    #expect(editor.problems("In/B.syncline")?.count == 1)
    #expect(editor.problems("A.syncline") ?? [] == [])
    // Where another folder is open, what is above it is no part.
    let other = try Editor(files)
    let (outer, inner): (SyncJSON, SyncJSON) = (.string(other.uri("")), .string(other.uri("In")))
    other.tell(
      "workspace/didChangeWorkspaceFolders",
      ["event": ["removed": [["uri": outer]], "added": [["uri": inner]]]])
    other.open("In/B.syncline", "model B { id: Int; a: A? }\n")
    #expect(other.problems("In/B.syncline") == ["unknown type “A”; did you mean “B”?"])
    other.tell(
      "workspace/didChangeWorkspaceFolders",
      ["event": ["removed": [["uri": inner]], "added": [["uri": outer]]]])
    #expect(other.problems("In/B.syncline") == [])
  }

  @Test func aPathInTheManifestIsATargetBelowSourcesToo() throws {
    let editor = try Editor([
      "Package.swift": """
      .target(name: "Login", path: "Sources/Features/Login"),
      .target(name: "Home", path: "Sources/Features/Home"),
      """,
      "Sources/Features/Login/U.syncline": "model User { id: Int }\n",
      "Sources/Features/Home/U.syncline": "model User { id: Int }\n",
    ])
    editor.open("Sources/Features/Login/U.syncline", "model User { id: Int }\n")
    #expect(editor.problems("Sources/Features/Login/U.syncline") == [])
    #expect(editor.problems("Sources/Features/Home/U.syncline") == nil)
    let whole = try Editor([
      "Package.swift": ".target(name: \"App\", path: \"Sources\")",
      "Sources/Models/A.syncline": "model A { id: Int; b: B? }\n",
      "Sources/More/B.syncline": "model B { id: Int }\n",
    ])
    whole.open("Sources/Models/A.syncline", "model A { id: Int; b: B? }\n")
    #expect(whole.problems("Sources/Models/A.syncline") == [])
  }

  @Test func theInnermostPathInTheManifestCounts() throws {
    let editor = try Editor([
      "Package.swift": "path: \"Lib/Core\", path: \"Lib\"",
      "Lib/Core/A.syncline": "model A { id: Int; b: B? }\n", "Lib/B.syncline": "model B { id: Int }\n",
    ])
    editor.open("Lib/Core/A.syncline", "model A { id: Int; b: B? }\n")
    #expect(editor.problems("Lib/Core/A.syncline") == ["unknown type “B”; did you mean “A”?"])
  }

  @Test func anImportIsFoundOnceItsTargetAppears() throws {
    let text = "import Base\nmodel A { id: Int; b: B? }\n"
    let editor = try Editor(["Package.swift": "", "Sources/App/A.syncline": text])
    editor.open("Sources/App/A.syncline", text)
    #expect(editor.problems("Sources/App/A.syncline")?.isEmpty == false)
    try editor.store("schema { access: public }\nmodel B { id: Int }\n", at: "Sources/Base/B.syncline")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("Sources/App/A.syncline") == [])
    try editor.remove("Sources/Base")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("Sources/App/A.syncline")?.isEmpty == false)
  }

  /// The target of B is its own folder until there is a schema file above it.
  @Test(arguments: [true, false]) func filesMoveToATargetThatAppearsAboveThem(isOpen: Bool) throws {
    let (inner, outer) = ("model B { id: Int; a: A? }\n", "model A { id: Int }\nmodel C { id: Int; b: B? }\n")
    let editor = try Editor(["Sub/B.syncline": inner])
    editor.open("Sub/B.syncline", inner)
    if !isOpen { editor.close("Sub/B.syncline") }
    #expect(editor.problems("Sub/B.syncline") == ["unknown type “A”; did you mean “B”?"])
    try editor.store(outer, at: "A.syncline")
    editor.open("A.syncline", outer)
    #expect(editor.problems("A.syncline") == [])
    #expect(editor.problems("Sub/B.syncline") == [])
  }

  @Test func openFilesMoveWhenTheirTargetChangesOnDisk() throws {
    let text = "model A { id: Int; b: B? }\n"
    let editor = try Editor([
      "Package.swift": "", "Sources/Models/A.syncline": text,
      "Sources/More/B.syncline": "model B { id: Int }\n",
    ])
    editor.open("Sources/Models/A.syncline", text)
    #expect(editor.problems("Sources/Models/A.syncline") == ["unknown type “B”; did you mean “A”?"])
    try editor.store("", at: "Sources/main.swift")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("Sources/Models/A.syncline") == [])
    #expect(editor.problems("Sources/More/B.syncline") ?? [] == [])
    try editor.change("Sources/Models/A.syncline", "b: B?", to: "b: C?")
    #expect(editor.problems("Sources/Models/A.syncline")?.count == 1)
  }
}
