import Syncline
import Testing

@testable import SynclineTooling

/// What is proposed for objects whose keys are data.
@Suite struct InferredMapsTests {
  /// As a small store of Firebase, and CoinGecko's prices. Without the keys there would be no identity.
  @Test func twoMembersOfAPayloadWithEqualKeysAreRows() throws {
    var sample = SampleRows()
    try sample.add(Array(#"{"bitcoin":{"usd":3.5,"change":1},"ethereum":{"usd":2.5,"change":2}}"#.utf8))
    #expect(sample.count == 2)
    let text = SchemaInference(of: sample, named: "Price").text
    #expect(text.contains(#"at: "{}""#) && text.contains("model Price {\n"), "\(text)")
    var other = SampleRows()
    try other.add(Array(#"{"user":{"id":1,"name":"A"},"team":{"id":2,"name":"B"}}"#.utf8))
    #expect(other.count == 1)
    // Two lists in envelopes are not two rows.
    var lists = SampleRows()
    let envelopes = #"{"posts":{"nodes":[{"id":1}],"total":1},"users":{"nodes":[{"id":2}],"total":1}}"#
    try lists.add(Array(envelopes.utf8))
    #expect(lists.count == 1)
  }

  /// As in a gist of GitHub, and in a room of Matrix.
  @Test func objectsThatNameThemselvesOrAccountsBecomeMaps() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"files":{"a.rb":{"filename":"a.rb","size":3}},
          "joined":{"@a:x.org":{"name":"A","age":1},"@b:x.org":{"name":"B","age":2}}},
         {"id":2,"files":{"b.md":{"filename":"b.md","size":4},"c.md":{"filename":"c.md","size":null}},
          "joined":{"@a:x.org":{"name":"A","age":1}}}]
        """#)
    #expect(schema.text.contains("  files: [String: File]?\n"), "\(schema.text)")
    #expect(schema.text.contains("  joined: [String: Joined]?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  /// As the formats of a book in Gutendex.
  @Test func objectsWithPathsAsKeysBecomeMaps() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"formats":{"text/html":"https://a/1","image/jpeg":"https://a/2"}}]"#)
    #expect(schema.text.contains("  formats: [String: URL]?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func objectsWithDataKeysBecomeMaps() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"sums":{"2024":1,"2025":2},"lists":{"2024":[1,2],"2025":[3]},"boxes":{"1":{"w":1},"2":{"w":2}}}]"#
    )
    for line in ["sums: [String: Int]?", "lists: [String: [Int]]?", "boxes: [String: Box]?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.isClean)
  }

  /// As npm's registry and PyPI list the versions of a package.
  @Test func objectsKeyedByVersionBecomeMapsOrLists() async throws {
    let schema = try await InferredSchema(
      of: """
        [{"id": 1, "releases": {"1.0": [{"size": 1}], "2.0rc1": [{"size": 2}]},
          "versions": {"1.0.0": {"_id": "a@1.0.0", "main": "a"}, "1.1.0-beta.1": {"_id": "a@1.1.0-beta.1"}},
          "time": {"created": "2024-01-01T00:00:00Z", "1.0.0": "2024-01-01T00:00:00Z"}}]
        """)
    let versions = #"@RemoteKey("versions{}") versions: [Version]"#
    for line in ["releases: [String: [Release]]?", versions, "time: [String: Date]?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.isClean && schema.rows(of: "Version") == 2)
  }

  @Test func rowsInKeyedObjectBecomeList() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"members":{"7":{"id":7,"name":"a"},"8":{"id":8,"name":"b"}}}]"#)
    #expect(schema.text.contains(#"  @RemoteKey("members{}") members: [Member]"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Member") == 2)
  }

  /// The pages of a MediaWiki answer: an identity in one word, and often a single page.
  @Test(arguments: [["11"], ["11", "12", "13"]])
  func keyedRowsUseTheirOwnIdentity(keys: [String]) async throws {
    let pages = keys.map { #""\#($0)":{"pageid":\#($0),"ns":0,"title":"T"}"# }.joined(separator: ",")
    let nested = try await InferredSchema(of: #"[{"id":1,"query":{"pages":{\#(pages)}}}]"#)
    #expect(nested.text.contains(#"@RemoteKey("query.pages{}") pages: [Page]"#), "\(nested.text)")
    #expect(nested.text.contains("model Page {\n  @PrimaryKey pageid: Int\n"), "\(nested.text)")
    #expect(nested.isClean && nested.rows(of: "Page") == keys.count)
    let root = try await InferredSchema(
      of: #"{"query":{"pages":{\#(pages)}}}"#, at: "query.pages", syncedAt: "query.pages{}")
    #expect(root.text.contains("@PrimaryKey pageid: Int\n"), "\(root.text)")
    #expect(root.isClean && root.rows() == keys.count)
  }

  @Test func nestedDataKeysBecomeMapOfMaps() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"days":{"2024":{"01":{"n":1},"02":{"n":2}},"2025":{"01":{"n":1},"03":{"n":2}}}}]"#)
    #expect(schema.text.contains("  days: [String: [String: Day]]?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func membersOfRootObjectBecomeRows() async throws {
    let members = ["ab", "cd", "ef", "gh", "ij"].map { #""\#($0)":{"name":"n","size":1}"# }
    let schema = try await InferredSchema(of: "{\(members.joined(separator: ","))}", syncedAt: "{}")
    #expect(
      schema.text.hasPrefix("// The rows are the members of an object: sync them with at: \"{}\"\n"),
      "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 5)
  }

  /// As in Firebase, Wikidata, and MediaWiki, whose missing pages have negative keys.
  @Test(arguments: [
    #"{"-JRHTHaIs-jNPLXOQivY":{"a":1},"-JRHTHaKuITFIhnj02kE":{"a":2},"-JRHTHaKuITFIhnj02kF":{"b":3}}"#,
    #"{"Q64":{"id":"Q64","a":[{"id":1}]},"Q90":{"id":"Q90"},"Q84":{"id":"Q84","b":1}}"#,
    #"{"3354":{"pageid":3354},"11867":{"pageid":11867,"a":[{"b":1}]},"-1":{"missing":""}}"#,
  ])
  func membersOfAFewKeysBecomeRows(payload: String) async throws {
    let schema = try await InferredSchema(of: payload, syncedAt: "{}")
    #expect(schema.isClean && schema.rows() == 3, "\(schema.text)")
    let sample = try SampleRows(payloads: [Array(#"{"ok":true,"query":\#(payload)}"#.utf8)], at: nil)
    #expect(sample.listPath == "query{}")
  }

  @Test func oneMemberWithItsKeyAsIdentityIsARow() async throws {
    let schema = try await InferredSchema(of: #"{"Q64":{"id":"Q64","label":"Berlin"}}"#, syncedAt: "{}")
    #expect(schema.isClean && schema.values() == [["'Q64'", "'Berlin'"]], "\(schema.text)")
    let other = try await InferredSchema(of: #"[{"id":1,"owner":{"id":"Q64","label":"Berlin"}}]"#)
    #expect(other.text.contains("  owner: Owner?\n"), "\(other.text)")
  }

  @Test func membersOfObjectAtPathBecomeRows() async throws {
    let schema = try await InferredSchema(
      of: #"{"data":{"1":{"size":1},"2":{"size":1}}}"#, at: "data", syncedAt: "data{}")
    #expect(
      schema.text.hasPrefix("// The rows are the members of an object: sync them with at: \"data{}\"\n"))
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func anObjectWithDifferentMembersIsOneRow() async throws {
    let schema = try await InferredSchema(
      of: #"{"id":1,"owner":{"login":"a","size":1},"parent":{"login":"b","size":2}}"#)
    #expect(!schema.text.contains("members of an object"), "\(schema.text)")
    #expect(schema.text.contains("model Row {\n  id: Int\n"), "\(schema.text)")
  }

  private static func manyKeys(_ count: Int) -> String {
    let members = (0..<count).map { #""k\#($0)":{"id":\#($0),"name":"n\#($0)","tags":{"a":\#($0)}}"# }
    return "{\(members.joined(separator: ","))}"
  }

  /// So no keys are compared with each other, however many there are.
  @Test func entriesOfLargeObjectShareOneShape() throws {
    let shape = SampleShape()
    shape.add(try SyncJSON(parsing: #"{"id":1,"all":\#(Self.manyKeys(3_000))}"#))
    let all = try #require(shape.members["all"])
    #expect(all.keys.isEmpty && all.members.isEmpty)
    #expect(all.entries?.count == 3_000)
    #expect(all.entries?.keys == ["id", "name", "tags"])
  }

  @Test(.enabled(if: TestKind.long.runs)) func entriesOfLargeObjectBecomeRows() async throws {
    let object = Self.manyKeys(3_000)
    let root = try await InferredSchema(of: object, syncedAt: "{}")
    #expect(root.text.hasPrefix("// The rows are the members of an object"))
    #expect(root.rows() == 3_000)
    let nested = try await InferredSchema(of: #"[{"id":1,"all":\#(object)}]"#)
    #expect(nested.text.contains(#"@RemoteKey("all{}") all: [All]"#), "\(nested.text.prefix(2_000))")
    #expect(nested.rows(of: "All") == 3_000)
  }
}
