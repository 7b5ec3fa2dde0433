import Syncline
import SynclineCompiler
import SynclineTooling
import Testing

/// The unions that are proposed where a key distinguishes the objects of a list.
@Suite struct InferredUnionsTests {
  /// Rows of two kinds, each with keys of its own.
  private static func feed(_ key: String = "type") -> [String] {
    (1...3).flatMap { number in
      [
        #"{"\#(key)":"post","id":\#(number),"text":"t"}"#,
        #"{"\#(key)":"image","id":"i\#(number)","url":"https://example.com/\#(number)","width":\#(number)}"#,
      ]
    }
  }

  @Test func rowsOfSeveralModelsAreAUnion() throws {
    let text = try proposal("[\(InferredUnionsTests.feed().joined(separator: ","))]")
    #expect(
      text.hasPrefix(
        """
        // “type” distinguishes 6 rows: 3 post, 3 image.
        // A sync skips and reports rows with another “type”.
        union Row on "type" {
          case post: Post
          case image: Image
        }

        """), "\(text)")
    #expect(text.contains("model Post {\n  id: Int\n  text: String?\n}"), "\(text)")
    #expect(text.contains("model Image {\n  id: String\n  url: URL?\n  width: Int?\n}"), "\(text)")
  }

  @Test func aListOfSeveralModelsIsAUnion() async throws {
    let items = InferredUnionsTests.feed("kind").joined(separator: ",")
    let schema = try await InferredSchema(of: #"[{"id":1,"box":{"items":[\#(items)]}}]"#)
    #expect(schema.text.contains(#"@RemoteKey("box.items") items: [Item]"#), "\(schema.text)")
    #expect(schema.text.contains(#"union Item on "kind" {"#), "\(schema.text)")
    #expect(schema.isClean)
    #expect(schema.rows(of: "Post") == 3 && schema.rows(of: "Image") == 3)
  }

  @Test func objectsWithoutIdentityAreAUnionOfStructs() async throws {
    let blocks = (1...3).map { number in
      #"{"type":"text","text":"\#(number)"},{"type":"rich-image","url":"u","size":{"w":1}},"#
        + #"{"type":"line","dashed":true}"#
    }.joined(separator: ",")
    let schema = try await InferredSchema(of: #"[{"id":1,"blocks":[\#(blocks)]}]"#)
    #expect(schema.text.contains("  blocks: [Block]?\n"), "\(schema.text)")
    #expect(
      schema.text.contains(
        """
        // “type” distinguishes 9 objects: 3 text, 3 rich-image, 3 line.
        // A sync keeps objects with another “type” as they are, and reports them.
        union Block on "type" {
          case text: TextBlock
          case richImage: RichImageBlock = "rich-image"
          case line: LineBlock
        }

        """), "\(schema.text)")
    #expect(
      schema.text.contains("struct RichImageBlock {\n  url: String?\n  size: Size?\n}"), "\(schema.text)")
    #expect(schema.isClean)
  }

  /// A model of an endpoint may be a case.
  @Test func unionCaseUsesTheModelOfItsEndpoint() throws {
    let items = InferredUnionsTests.feed().joined(separator: ",")
    let posts = #"[{"id":1,"text":"t","likes":4},{"id":2,"text":"u","likes":5}]"#
    let text = try proposal(#"[{"id":1,"items":[\#(items)]}]"#, beside: ("Post", posts))
    #expect(text.contains("  case post: Post\n") && !text.contains("Post2"), "\(text)")
    #expect(text.contains("  likes: Int?\n"), "\(text)")
  }

  @Test func twoListsOfTheSameModelsAreOneUnion() throws {
    let items = InferredUnionsTests.feed().joined(separator: ",")
    let text = try proposal(#"[{"id":1,"items":[\#(items)],"others":[\#(items)]}]"#)
    #expect(text.components(separatedBy: "union ").count == 2, "\(text)")
    #expect(text.contains("items: [Item]") && text.contains("others: [Item]"), "\(text)")
  }

  @Test func listInUnionCaseBecomesUnionToo() throws {
    let blocks = (1...3).map { #"{"t":1,"type":"a","x":\#($0)},{"type":"b","y":1}"# }.joined(separator: ",")
    let rows = (1...3).map {
      #"{"type":"page","id":\#($0),"blocks":[\#(blocks)]},{"type":"link","id":\#($0),"url":"u"}"#
    }
    let text = try proposal("[\(rows.joined(separator: ","))]")
    #expect(text.contains(#"union Row on "type""#) && text.contains(#"union Block on "type""#), "\(text)")
    #expect(text.contains("  blocks: [Block]?\n"), "\(text)")
  }

  // MARK: None

  /// One kind has all keys of the other, and some more: it is one model with optional properties.
  @Test func kindsWithoutKeysOfTheirOwnAreOneModel() throws {
    let rows = (1...6).map {
      $0 % 2 == 0 ? #"{"id":\#($0),"type":"free"}"# : #"{"id":\#($0),"type":"paid","plan":"x"}"#
    }
    #expect(!(try proposal("[\(rows.joined(separator: ","))]")).contains("union"))
  }

  /// A value that was seen once suggests that others were not seen yet, whose rows a union would skip.
  @Test func typeValueSeenOncePreventsUnion() throws {
    let rows = InferredUnionsTests.feed() + [#"{"type":"poll","id":9,"options":2}"#]
    #expect(!(try proposal("[\(rows.joined(separator: ","))]")).contains("union"))
  }

  @Test func rowWithoutTypeKeyPreventsUnion() throws {
    let rows = InferredUnionsTests.feed() + [#"{"id":9,"options":2}"#]
    #expect(!(try proposal("[\(rows.joined(separator: ","))]")).contains("union"))
  }

  @Test func rowsOfKnownModelAreNotSplitIntoUnion() throws {
    let file = SourceFile(path: "Row.syncline", text: "model Row {\n  id: String\n}\n")
    let input = CompilerInput(target: "Schema", files: [file])
    var rows = SampleRows()
    try rows.add(Array("[\(InferredUnionsTests.feed().joined(separator: ","))]".utf8))
    let addition = try SchemaAddition(
      of: [SampleEndpoint(rows, named: "Row")], to: input, CompilerPipeline.analyse(input))
    let text = try #require(addition.texts["Row.syncline"])
    #expect(text.contains("  url: URL?\n") && !text.contains("union"), "\(text)")
  }

  // MARK: -

  private func proposal(_ payload: String, beside other: (String, String)? = nil) throws -> String {
    var endpoints: [SampleEndpoint] = []
    for (name, payload) in [("Row", payload)] + (other.map { [$0] } ?? []) {
      var rows = SampleRows()
      try rows.add(Array(payload.utf8))
      endpoints.append(SampleEndpoint(rows, named: name))
    }
    let text = SchemaInference(of: endpoints).text
    analysisWithoutErrors(of: text)
    return text
  }

  @Test func referencesToSeveralTypesOfADocumentBecomeUnion() throws {
    let document = try SyncJSON(
      parsing: Array(
        #"""
        {"data":[{"type":"articles","id":"1","attributes":{"title":"A"},"relationships":{
            "related":{"data":[{"type":"people","id":"9"},{"type":"comments","id":"5"}]},
            "subject":{"data":{"type":"people","id":"9"}}}},
          {"type":"articles","id":"2","relationships":{"subject":{"data":{"type":"comments","id":"5"}}}}],
         "included":[{"type":"people","id":"9","attributes":{"name":"Ann"}}]}
        """#.utf8))
    let text = SchemaInference(of: try #require(SampleEndpoint.resources(of: [document]))).text
    analysisWithoutErrors(of: text)
    #expect(text.contains("  related: [Related]\n  subject: Related?\n"), "\(text)")
    #expect(
      text.contains(
        "union Related on \"type\" {\n  case person: Person = \"people\"\n  case comment: Comment = \"comments\"\n}"
      ),
      "\(text)")
    #expect(text.contains("model Person {\n  id: String\n  name: String?\n}"), "\(text)")
  }
}
