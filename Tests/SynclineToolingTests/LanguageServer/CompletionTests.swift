import Syncline
import TestSupport
import Testing

@Suite struct CompletionTests {
  /// The labels that are offered at the mark of a text.
  private func labels(_ text: String, _ stored: [String: String] = [:]) throws -> [String] {
    let editor = try Editor(stored)
    editor.open("Schema.syncline", text.replacing("‸", with: ""))
    return try editor.ask("completion", in: text).array?.compactMap { $0["label"]?.string } ?? []
  }

  private static let tail = """

    enum State { case open, done }
    struct Address { city: String; street: String? }
    model Tag { id: Int; tasks: [Task] }
    union Item on "type" { case tag: Tag }

    """

  private static let scalars = [
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    "Double",
    "Float", "Bool", "Date", "UUID", "URL", "Decimal", "Data", "JSON",
  ]

  @Test(arguments: [
    ("‸", ["model", "struct", "enum", "union", "import", "schema", "@PrimaryKey"]),
    ("mod‸", ["model", "struct"]), ("@Up‸\nmodel A { id: Int }", ["PrimaryKey", "Null"]),
    ("model A { id: Int }\n‸", ["model", "struct"]),
    ("@Index(\\.id)\n‸", ["model", "struct"]),
    ("enum A: ‸", ["String", "Int"]), ("enum A { ‸", ["case"]), ("enum A {\n  case a\n  ‸\n}", ["case"]),
    ("schema { ‸", ["access", "imports", "keyStyle", "null"]), ("schema { null: ‸", ["[\"\"]"]),
    ("schema { imports: ‸", ["explicit", "implicit"]),
    ("schema { access: ‸", ["public", "package", "internal"]),
    ("schema { keyStyle: ‸", ["snakeCase", "camelCase", "pascalCase", "kebabCase"]), ("union A ‸", ["on"]),
  ])
  func completionOffersDeclarationKeywords(text: String, first: [String]) throws {
    let labels = try labels(text)
    #expect(Array(labels.prefix(first.count)) == first)
  }

  @Test(arguments: [
    "model Task {\n  id: Int\n  @‸", "model Task {\n  id: Int\n  @Prim‸ name: String\n}",
    "model Task {\n  @Index @‸\n  name: String\n}",
  ])
  func completionAfterAtSignOffersPropertyAttributes(text: String) throws {
    let labels = try labels(text + CompletionTests.tail)
    #expect(labels.first == "PrimaryKey")
    #expect(labels.contains("Relationship"))
    #expect(labels.contains("Local"))
    #expect(labels.contains("Unique"))
    #expect(!labels.contains("UpdatedAt"), "it is of models")
  }

  @Test func completionOffersAttributesOfTheContext() throws {
    #expect(try labels("@‸\nmodel A { id: Int }").contains("UpdatedAt"))
    #expect(try labels("@‸\nmodel A { id: Int }").contains("Deleted"))
    #expect(try labels("@Deleted(‸)\nmodel A { id: Int }") == ["\"\"", "is:"])
    #expect(try labels("@Deleted(\"a\", is: ‸)\nmodel A { id: Int }") == [])
    #expect(try labels("@‸\nmodel A { id: Int }").contains("Below"))
    #expect(try labels("@‸\nmodel A { id: Int }").contains("Singleton"))
    #expect(try !labels("@‸\nmodel A { id: Int }").contains("RemoteKey"))
    let members = try labels("struct A {\n  ‸\n}")
    #expect(members.contains("@RemoteKey"))
    #expect(!members.contains("@Relationship"))
    #expect(!members.contains("@Local"))
    #expect(members.contains("@OneOrMany"))
    #expect(try labels("@‸\nmodel A { id: Int }").contains("OneOrMany"))
    #expect(try labels("@‸\nstruct A { a: Int }").contains("OneOrMany"))
    #expect(try labels("model A {\n  id: Int\n  ‸\n}").contains("@Relationship"))
    #expect(try labels("union A on \"type\" {\n  ‸\n}") == ["case"])
  }

  @Test(arguments: [
    "model Task {\n  id: ‸\n}", "model Task {\n  id: Str‸ing\n}", "model Task {\n  id: [‸\n}",
    "model Task {\n  id: [String: ‸]\n}",
    "model Task { id: Int; name: ‸ }", "model Task { @NotExport @RemoteKey(\"a\") name: ‸ }",
    "model Task {\n  id: ‸",
    "model Task {\n  id:\n    ‸\n}",
  ])
  func completionAfterColonOffersTypes(text: String) throws {
    let labels = try labels(text + CompletionTests.tail)
    #expect(Array(labels.prefix(20)) == CompletionTests.scalars)
    #expect(Set(["State", "Address", "Tag", "Item"]).isSubset(of: labels))
  }

  @Test func completionInStructOffersNoModels() throws {
    let labels = try labels("struct Home {\n  at: ‸\n}" + CompletionTests.tail)
    #expect(labels.dropFirst(20) == ["Address", "Home", "Item", "State"])
    #expect(
      try self.labels("union A on \"type\" {\n  case a: ‸\n}" + CompletionTests.tail) == ["Address", "Tag"])
  }

  @Test(arguments: [
    ("state: State = ‸", [".open", ".done"]), ("state: State = .‸", ["open", "done"]),
    ("state: State? = .do‸", ["open", "done"]),
    ("state: State = State.‸", ["open", "done"]), ("flag: Bool = ‸", ["true", "false"]),
    ("list: [Int] = ‸", ["[]"]), ("map: [String: Int] = ‸", ["[:]"]),
    ("map: [String: [Int]] = ‸", ["[:]"]), ("maps: [[String: Int]] = ‸", ["[]"]),
    ("text: String = ‸", []), ("text: String ‸", []), ("na‸me", ["@PrimaryKey"]), ("name ‸", []),
  ])
  func completionOffersDefaultValuesOfTheType(property: String, first: [String]) throws {
    let labels = try labels("model Task {\n  id: Int\n  \(property)\n}" + CompletionTests.tail)
    #expect(Array(labels.prefix(max(1, first.count))) == first)
  }

  @Test(arguments: [
    ("@Relationship(‸) tags: [Tag]", ["inverse:", "deleteRule:", "missing:", "unknown:", "by:"]),
    ("@Relationship(‸", ["inverse:", "deleteRule:", "missing:", "unknown:", "by:"]),
    ("@Relationship(inverse: nil, ‸) tags: [Tag]", ["deleteRule:", "missing:", "unknown:", "by:"]),
    ("@Relationship(inverse: nil, del‸) tags: [Tag]", ["deleteRule:", "missing:", "unknown:", "by:"]),
    ("@Relationship(unknown: ‸) tags: [Tag]", [".create"]),
    ("@Relationship(deleteRule: ‸) tags: [Tag]", [".nullify", ".cascade", ".deny"]),
    ("@Relationship(deleteRule: .‸) tags: [Tag]", ["nullify", "cascade", "deny"]),
    ("@Relationship(missing: .ke‸ep, deleteRule: .deny) tags: [Tag]", ["delete", "softDelete", "keep"]),
    ("@PrimaryKey(madeBy: ‸) key: Int", [".server"]), ("@PrimaryKey(madeBy: .‸) key: Int", ["server"]),
    ("@Export(‸) tags: [Tag]", [".objects", ".identities"]),
    ("@Export(.‸) tags: [Tag]", ["objects", "identities"]),
    ("@Relationship(inverse: ‸) tags: [Tag]", ["\\.id", "\\.tasks", "nil"]),
    ("@Relationship(inverse: \\‸) tags: [Tag]", ["Tag", "Task"]),
    ("@Relationship(inverse: \\.‸) tags: [Tag]", ["id", "tasks"]),
    ("@Relationship(by: \\.‸) tags: [Tag]", ["id", "tasks"]),
    ("@Relationship(inverse: \\.‸\n  tags: [Tag]", ["id", "tasks"]),
    ("@Relationship(inverse: \\Tag.‸) tags: [Tag]", ["id", "tasks"]),
    ("@NotExport @Relationship(inverse: \\Tag.ta‸sks) @Ordered tags: [Tag]", ["id", "tasks"]),
    ("@RemoteKey(‸) name: String", ["\"\""]), ("@RemoteKey(\"a‸\") name: String", []), ("// @‸", []),
    ("/* @‸ */", []),
    ("@Null(‸) name: String", ["\"\"", "0", "false", "[]"]), ("@Unheard(‸) name: String", []),
    ("@Transform(‸) name: String", []),
  ])
  func completionOffersArgumentsOfTheAttribute(member: String, labels: [String]) throws {
    #expect(try self.labels("model Task {\n  id: Int\n  \(member)\n}" + CompletionTests.tail) == labels)
  }

  @Test(arguments: [
    ("\\.‸", ["id", "home", "updatedAt"]), ("‸", ["\\.id", "\\.home", "\\.updatedAt"]),
    ("\\Task.‸", ["id", "home", "updatedAt"]),
    ("\\.home.‸", ["city", "street"]), ("\\.id, \\.‸", ["id", "home", "updatedAt"]), ("\\.id.‸", []),
  ])
  func completionOffersMembersForKeyPaths(path: String, labels: [String]) throws {
    let text =
      "@Index(\(path))\nmodel Task {\n  id: Int\n  home: Address\n  updatedAt: Date?\n}"
      + CompletionTests.tail
    #expect(try self.labels(text) == labels)
    #expect(try self.labels("model Other { id: Int }\n" + text) == labels)
  }

  @Test func completionOffersImportsAndTheirModels() throws {
    let stored = [
      "Package.swift": "", "Sources/Base/B.syncline": "schema { access: public }\nmodel Folder { id: Int }",
      "Sources/Plain/main.swift": "",
    ]
    let editor = try Editor(stored)
    func labels(_ text: String) throws -> [String] {
      editor.open("Sources/App/A.syncline", text.replacing("‸", with: ""))
      return try editor.ask("completion", in: text, of: "Sources/App/A.syncline").array?.compactMap {
        $0["label"]?.string
      } ?? []
    }
    #expect(try labels("import ‸") == ["Base"])
    #expect(try labels("model A { id: Int; f: Foundation.‸ }") == ["Date", "UUID", "URL", "Decimal", "Data"])
    #expect(
      try labels("import Base\nmodel A { id: Int; f: Base.‸ }") == [], "a type stands without its module")
    #expect(try labels("import Base\nmodel A { id: Int; f: ‸ }").suffix(2) == ["A", "Folder"])
  }

  @Test func completionReplacesTheTypedWord() throws {
    let text = "model Task {\n  id: Int\n  state: Sta‸te = .open\n}" + CompletionTests.tail
    let editor = try Editor(marked: text)
    let items = try #require(try editor.ask("completion", in: text).array)
    let item = try #require(items.first { $0["label"] == "Date" })
    let plain = text.replacing("‸", with: "")
    let result = try editor.applying([try #require(item["textEdit"])], to: plain)
    #expect(result == plain.replacing("State = ", with: "Date = "))
    let sorted = items.map { $0["sortText"]?.string ?? "" }
    #expect(sorted == sorted.sorted())
  }

  /// What is offered at any place of any text is found without harm.
  @Test func requestsAtEachFixturePositionAreAnswered() throws {
    let editor = try Editor()
    editor.open("Schema.syncline", "")
    var count = 0
    for text in try Fixture.texts(every: 7) {
      editor.change("Schema.syncline", [["text": .string(text)]])
      let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
      for (line, content) in lines.enumerated() {
        for column in stride(from: 0, through: content.utf16.count, by: 3) {
          let position: SyncJSON = [
            "line": .number(SyncNumber(line)), "character": .number(SyncNumber(column)),
          ]
          let parameters: SyncJSON = [
            "textDocument": ["uri": .string(editor.uri("Schema.syncline"))], "position": position,
          ]
          for method in ["completion", "hover", "references", "prepareRename"]
          where editor.answer("textDocument/\(method)", parameters) != nil {
            count += 1
          }
        }
      }
    }
    #expect(count > 1000)
  }
}
