import Syncline
import SynclineCompiler
import SynclineTooling
import Testing

/// What is proposed for the payloads of several endpoints.
@Suite struct InferredEndpointsTests {
  private static let users = #"[{"id":1,"name":"Ann","age":30},{"id":2,"name":"Ben","age":31}]"#

  @Test func eachEndpointHasAModel() throws {
    let text = try proposal([
      ("User", InferredEndpointsTests.users), ("Post", #"[{"id":1,"title":"x"},{"id":2,"title":"y"}]"#),
    ])
    #expect(text.contains("model User {\n  id: Int\n  name: String?\n  age: Int?\n}"), "\(text)")
    #expect(text.contains("model Post {\n  id: Int\n  title: String?\n}"), "\(text)")
  }

  /// A nested row is of the model that has its name, even if it is more like another one.
  @Test func nestedRowUsesTheEndpointModelOfItsName() throws {
    let text = try proposal([
      ("Admin", #"[{"id":1,"name":"Ann","age":30,"mail":"a"},{"id":2,"name":"Ben","age":31,"mail":"b"}]"#),
      ("User", InferredEndpointsTests.users),
      ("Post", #"[{"id":5,"user":{"id":1,"name":"Ann","age":30,"mail":"a"}}]"#),
    ])
    #expect(text.contains("  user: User?\n"), "\(text)")
    #expect(text.contains("model Admin {") && !text.contains("User2"), "\(text)")
  }

  /// `customer_id` identifies a customer under any key.
  @Test func nestedRowsWithTheEndpointsOwnIdentityAreItsRows() throws {
    let text = try proposal([
      ("Customer", #"[{"customer_id":"a","name":"A","age":3,"children":[{"customer_id":"b","name":"B"}]}]"#),
      ("Deal", #"[{"id":1,"owner":{"customer_id":"c","name":"C"},"bill":{"customer_id":"c","iban":"d"}}]"#),
    ])
    #expect(text.contains("children: [Customer]\n") && text.contains("  owner: Customer?\n"), "\(text)")
    #expect(text.contains("struct Bill {"), "\(text)")
    let order = try proposal([
      ("Order", #"[{"order_id":1,"name":"A","state":"x","shipping":{"order_id":1,"state":"y"}}]"#)
    ])
    #expect(order.contains("struct Shipping {"), "\(order)")
  }

  /// Integers are identities of many models, but their rows have other names.
  @Test func nestedRowsWithTheNamesOfAnEndpointsRowsAreItsRows() throws {
    let teams = #"[{"id":1,"name":"Red","size":3,"city":"x"},{"id":2,"name":"Blue","size":4,"city":"y"}]"#
    func text(_ key: String, _ nested: String...) throws -> String {
      let rows = nested.enumerated().map { #"{"id":\#($0.offset),"\#(key)":\#($0.element)}"# }
      return try proposal([("Team", teams), ("Game", "[\(rows.joined(separator: ","))]")])
    }
    let primary = try text("primary_team", #"{"id":1,"name":"Red"}"#)
    #expect(primary.contains("  primaryTeam: Team?\n"), "\(primary)")
    let winners = try text("winner", #"{"id":1,"name":"Red"}"#, #"{"id":2,"name":"Blue"}"#)
    #expect(winners.contains("  winner: Team?\n"), "\(winners)")
    let single = try text("winner", #"{"id":1,"name":"Red"}"#)
    #expect(single.contains("model Winner {"), "\(single)")
    let kits = try text("kit", #"{"id":1,"name":"Red"}"#, #"{"id":2,"name":"Green"}"#)
    #expect(kits.contains("model Kit {"), "\(kits)")
  }

  @Test(arguments: [#"{"id":7}"#, #"{"id":7,"type":"game_to_team"}"#])
  func referencesWithTheNameOfAnEndpointAreItsRows(reference: String) throws {
    let text = try proposal([
      ("Team", #"[{"id":1,"name":"Red"},{"id":2,"name":"Blue"}]"#),
      ("Game", #"[{"id":4,"team":\#(reference),"winner":{"id":7}}]"#),
    ])
    #expect(text.contains("  team: Team?\n") && text.contains("  winner: Winner?\n"), "\(text)")
  }

  /// As in HubSpot and Notion.
  @Test func propertiesInAnObjectAreReadDespiteReferencesWithoutIt() throws {
    let text = try proposal([
      ("Company", #"[{"id":"551","properties":{"name":"A","size":"b"}}]"#),
      ("Contact", #"[{"id":"9","company":{"id":"552"}}]"#),
    ])
    #expect(text.contains(#"  @RemoteKey("properties.name") name: String?"# + "\n"), "\(text)")
    #expect(text.contains("  company: Company?\n") && !text.contains("struct"), "\(text)")
  }

  /// The caller says that they are two.
  @Test func endpointsWithEqualKeysStayTwoModels() throws {
    let text = try proposal([
      ("User", InferredEndpointsTests.users), ("Customer", InferredEndpointsTests.users),
    ])
    #expect(text.contains("model User {") && text.contains("model Customer {"), "\(text)")
  }

  // MARK: Keys

  @Test func keyNamedLikeAModelBecomesRelationship() throws {
    let text = try proposal([
      ("User", InferredEndpointsTests.users), ("Tag", #"[{"id":7,"label":"a"},{"id":8,"label":"b"}]"#),
      ("Post", #"[{"id":5,"user_id":1,"last_editor_user_id":9,"tag_ids":[7,8],"category_id":1}]"#),
    ])
    #expect(
      text.contains("// The only value that was seen is an identity of User.\n  user: User?\n"), "\(text)")
    #expect(
      text.contains(
        "// The key is named like an identity of User; the sample has no row for its only value.\n  lastEditorUser: User?\n"
      ), "\(text)")
    #expect(
      text.contains("// Each of the 2 values that were seen is an identity of Tag.\n  tags: [Tag]\n"),
      "\(text)"
    )
    // Small integers are identities of many models.
    #expect(text.contains("  categoryID: Int?\n"), "\(text)")
  }

  /// As WordPress answers with “_embed”.
  @Test func keyNamedLikeAMergedModelBecomesRelationship() throws {
    let author = #"{"id":1,"name":"Ann","slug":"ann","bio":"b"}"#
    let post = #"{"id":5,"author":1,"_embedded":{"author":[\#(author)]}}"#
    for endpoints in [[("Post", "[\(post)]")], [("Post", "[\(post)]"), ("User", "[\(author)]")]] {
      let text = try proposal(endpoints)
      #expect(text.contains("  author: \(endpoints.count == 1 ? "Author" : "User")?\n"), "\(text)")
    }
  }

  /// As Airtable and Elasticsearch answer.
  @Test func keysInTheObjectOfThePropertiesBecomeRelationships() throws {
    let text = try proposal([
      ("User", InferredEndpointsTests.users), ("Project", #"[{"id":"p7","label":"a"}]"#),
      (
        "Post",
        #"[{"id":5,"fields":{"user_id":1,"Project":["p7"],"last":{"box":{"id":3},"user_id":2}}}]"#
      ),
    ])
    for (model, line) in [
      ("User", #"@RemoteKey("fields.user_id") user: User?"#),
      ("User", #"@RemoteKey("fields.last.user_id") lastUser: User?"#),
      ("Project", #"@RemoteKey("fields.Project") project: [Project]"#),
    ] {
      #expect(text.contains("identity of \(model).\n  \(line)\n"), "\(text)")
    }
  }

  @Test func relationshipFromKeyListGetsPluralName() throws {
    let text = try proposal([
      ("Survey", #"[{"id":7,"label":"a"},{"id":8,"label":"b"}]"#),
      ("Post", #"[{"id":5,"survey_ids":[7,8]}]"#),
    ])
    #expect(text.contains("  surveys: [Survey]\n"), "\(text)")
  }

  @Test func valuesMatchingOnlyOneModelBecomeRelationship() throws {
    let text = try proposal([
      ("Country", #"[{"code":"de"},{"code":"ch"},{"code":"at"},{"code":"fr"}]"#),
      ("Person", #"[{"id":1,"home":"ch","mood":"ok"},{"id":2,"home":"de"},{"id":3,"home":"fr"}]"#),
    ])
    #expect(text.contains("identity of Country.\n  home: Country?\n"), "\(text)")
    #expect(text.contains("  mood: String?\n"), "\(text)")
  }

  /// Some APIs write all numbers as strings.
  @Test func smallNumbersInStringsAreNotKeys() throws {
    let text = try proposal([
      (
        "Product",
        #"[{"id":"1","stock":"3"},{"id":"2","stock":"1"},{"id":"3","stock":"2"},{"id":"4","stock":"3"}]"#
      )
    ])
    #expect(text.contains("  stock: String?\n"), "\(text)")
  }

  @Test func modelCanReferenceItself() throws {
    let text = try proposal([
      ("Category", #"[{"id":1},{"id":2,"parent_category_id":1},{"id":3,"parent_category_id":1}]"#),
      ("File", #"[{"id":"a","file_id":"a"},{"id":"b","file_id":"b"},{"id":"c","file_id":"c"}]"#),
    ])
    #expect(text.contains("  parentCategory: Category?\n"), "\(text)")
    // Each of them is the identity of its own row.
    #expect(text.contains("  fileID: String?\n"), "\(text)")
  }

  /// As WordPress and Todoist answer.
  @Test func keysWithTheNamesOfRolesBecomeRelationships() throws {
    let text = try proposal([
      ("User", InferredEndpointsTests.users),
      (
        "Post",
        #"[{"id":"a7","author":1,"created_by":2,"watcher_ids":[1,2],"owner":3},{"id":"a8","parent_id":"a7"}]"#
      ),
      ("Comment", #"[{"id":1,"parent":2},{"id":2}]"#),
    ])
    for line in ["author: User?", "createdBy: User?", "watchers: [User]", "owner: Int?", "parent: Post?"] {
      #expect(text.contains("  \(line)\n"), "\(text)")
    }
    // Small integers may be those of another model.
    #expect(text.contains("  parent: Int?\n"), "\(text)")
  }

  /// Identities of another type, or names that only look like a model's.
  @Test func keysOfOtherTypeOrNameStayValues() throws {
    let text = try proposal([
      ("User", InferredEndpointsTests.users),
      (
        "Post",
        #"[{"id":5,"user_id":"x1","superuser_id":1,"user":"Ann"},{"id":6,"user_id":"x2","user":"Ben"}]"#
      ),
    ])
    #expect(text.contains("  userID: String?\n") && text.contains("  superuserID: Int?\n"), "\(text)")
    #expect(text.contains("  user: String?\n"), "\(text)")
  }

  @Test func keyInChildBecomesInverseOfParentList() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"comments":[{"id":4,"row_id":1,"text":"a"},{"id":5,"row_id":1,"text":"b"}]}]"#)
    #expect(
      schema.text.contains(#"@Relationship(inverse: \Comment.row) comments: [Comment]"#), "\(schema.text)")
    #expect(schema.text.contains(#"@Relationship(inverse: \Row.comments) row: Row?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Comment") == 2)
  }

  @Test func relationshipKeyBecomesNoEnum() throws {
    let teams = (1...12).map { #"{"id":\#($0),"team_id":"\#($0 % 2 == 0 ? "red" : "blue")"}"# }
    let text = try proposal([
      ("Team", #"[{"id":"red"},{"id":"blue"}]"#), ("Player", "[\(teams.joined(separator: ","))]"),
    ])
    #expect(text.contains("  team: Team?\n") && !text.contains("enum"), "\(text)")
  }

  // MARK: Adding

  private static let schema = """
    model User {
      id: Int
      name: String
    }

    """

  @Test func newModelIsWrittenToItsOwnFileInFolder() throws {
    let addition = try addition(
      of: [("Post", #"[{"id":5,"title":"x","box":{"w":1}}]"#)], folder: "Schemas")
    #expect(addition.additions == ["Post", "Box"])
    #expect(addition.texts.keys.sorted() == ["Schemas/Post.syncline"])
    let text = try #require(addition.texts["Schemas/Post.syncline"])
    #expect(text.hasPrefix("// One row") && text.contains("\n  title: String?\n"), "\(text)")
  }

  @Test func newModelReferencesModelsOfTheSchema() throws {
    let addition = try addition(
      of: [("Post", #"[{"id":5,"user_id":1,"editor":{"id":2,"mail":"a"},"owner":{"id":2}}]"#)])
    let text = try #require(addition.texts["User.syncline"])
    #expect(text.hasPrefix("model User {\n  id: Int\n  name: String\n}\n"), "\(text)")
    #expect(text.contains("// The key is named like an identity of User.\n  user: User?\n"), "\(text)")
    #expect(text.contains("  editor: Editor?\n"), "\(text)")
  }

  @Test func nestedRowsOfAKnownModelExtendIt() throws {
    let addition = try addition(
      of: [("Post", #"[{"id":5,"user":{"id":2,"name":"Ann","mail":"a"}}]"#)], folder: "Schemas")
    #expect(addition.additions.contains("User.mail") && addition.additions.contains("Post"))
    let user = try #require(addition.texts["User.syncline"])
    #expect(user.contains("  mail: String?\n}"), "\(user)")
    let post = try #require(addition.texts["Schemas/Post.syncline"])
    #expect(post.contains("  user: User?\n") && !post.contains("model User"), "\(post)")
  }

  /// The rows that are already stored have no value for it.
  @Test func propertiesAddedToKnownModelAreOptional() throws {
    let users = (1...200).map {
      #"{"id":\#($0),"name":"n","age":3,"tags":["a"],"box":{"w":1,"h":2},"teams":[{"id":7,"size":1}]}"#
    }
    let addition = try addition(of: [("User", "[\(users.joined(separator: ","))]")])
    let text = try #require(addition.texts["User.syncline"])
    for line in ["age: Int?", "tags: [String]?", "box: Box?", "teams: [Team]"] {
      #expect(text.contains("  \(line)\n"), "\(text)")
    }
    // What is new altogether has all of its values.
    #expect(text.contains("struct Box {\n  w: Int\n  h: Int\n}"), "\(text)")
  }

  @Test func endpointNamedLikeAStructIsRefused() throws {
    let files = [SourceFile(path: "Post.syncline", text: "struct Post {\n  w: Int\n}\n")]
    let input = CompilerInput(target: "Schema", files: files)
    #expect(throws: Mistake.self) {
      try SchemaAddition(of: [endpoint("Post", #"[{"id":5}]"#)], to: input, CompilerPipeline.analyse(input))
    }
  }

  /// A key is left out if the schema reads it, a path that contains it, or a path inside it.
  @Test func keysOfPathsThatTheSchemaReadsAreNotAdded() throws {
    let text = """
      model User {
        id: Int
        @RemoteKey("place.city") city: String?
        @RemoteKey("tags[].name") tagNames: [String]
        @RemoteKey(#""a.b""#) both: Int?
      }

      """
    let input = CompilerInput(target: "Schema", files: [SourceFile(path: "User.syncline", text: text)])
    let payload =
      #"[{"id":1,"place":{"city":"x"},"tags":[{"name":"y"}],"a.b":1,"pla":2,"placement":3,"city":"z"}]"#
    let addition = try SchemaAddition(
      of: [endpoint("User", payload)], to: input, CompilerPipeline.analyse(input))
    #expect(addition.additions == ["User.pla", "User.placement", "User.city2"])
  }

  // MARK: Unions

  private static let feed = """
    model Post {
      id: Int
    }

    union FeedItem on "type" {
      case post: Post
    }

    """

  @Test func rowsOfAUnionExtendItsModelsAndTheUnion() throws {
    let text = try #require(
      try extended(
        InferredEndpointsTests.feed,
        by: ("FeedItem", #"[{"type":"post","id":1,"title":"a"},{"type":"photo","id":2,"width":3}]"#)))
    #expect(text.contains("model Post {\n  id: Int\n  title: String?\n}"), "\(text)")
    #expect(text.contains("  case post: Post\n  case photo: Photo = \"photo\"\n}"), "\(text)")
    #expect(text.contains("model Photo {\n  id: Int\n  width: Int?\n}"), "\(text)")
  }

  @Test func rowsWithoutATypeAddNoCase() throws {
    let rows =
      #"[{"type":"post","id":1,"title":"a"},{"type":null,"id":2,"x":1},{"type":["post"],"id":3,"y":1}]"#
    let text = try #require(try extended(InferredEndpointsTests.feed, by: ("FeedItem", rows)))
    #expect(text.contains("model Post {\n  id: Int\n  title: String?\n}"), "\(text)")
    #expect(text.contains("  case post: Post\n}") && !text.contains("Null"), "\(text)")
  }

  @Test func rowsThatNoUnionCanHaveAreExplained() throws {
    let values =
      "struct A {\n  w: Int\n}\nunion Block on \"type\" {\n  case a: A\n}\nmodel Page {\n  id: Int\n  blocks: [Block]\n}\n"
    let structs = #expect(throws: Mistake.self) {
      try extended(values, by: ("Block", #"[{"type":"a","w":1}]"#))
    }
    #expect(structs?.description.contains("a union of structs, which have no rows") ?? false)
    let keyless = #expect(throws: Mistake.self) {
      try extended(InferredEndpointsTests.feed, by: ("FeedItem", #"[{"id":1}]"#))
    }
    #expect(keyless?.description.contains("a union on “type”, which no row has") ?? false)
  }

  private func extended(_ schema: String, by rows: (String, String)) throws -> String? {
    let input = CompilerInput(target: "Schema", files: [SourceFile(path: "A.syncline", text: schema)])
    let addition = try SchemaAddition(
      of: [endpoint(rows.0, rows.1)], to: input, CompilerPipeline.analyse(input))
    let text = addition.texts["A.syncline"]
    text.map { _ = analysisWithoutErrors(of: $0) }
    return text
  }

  // MARK: Arguments

  @Test func argumentsAssignFilesAndPathsToModels() throws {
    let arguments = try EndpointArguments(
      ["users.json=User", "more.json=User", "open-posts.json", "a=b.json"], named: nil,
      at: ["user=data.users", "items"]
    ) { $0 == "a=b.json" }
    let found = arguments.endpoints.map { "\($0.name) \($0.files) \($0.path ?? "-")" }
    #expect(
      found == [
        #"User ["users.json", "more.json"] data.users"#, #"OpenPost ["open-posts.json", "a=b.json"] items"#,
      ]
    )
  }

  @Test func contradictoryArgumentsAreRefused() {
    #expect(throws: Mistake.self) {
      try EndpointArguments(["users.json=User"], named: "Person", at: []) { _ in false }
    }
    #expect(throws: Mistake.self) {
      try EndpointArguments(["users.json=User"], named: nil, at: ["a", "b"]) { _ in false }
    }
  }

  // MARK: Envelopes

  @Test(arguments: [
    (#"{"count":2,"results":[{"id":1},{"id":2}],"links":[{"rel":"x"}]}"#, "results 2"),
    (#"{"data":{"page":{"items":[{"id":1}]}}}"#, "data.page.items 1"),
    (#"{"users":{"1":{"a":1},"2":{"a":2}}}"#, "users{} 2"),
    (#"{"data":{"posts":{"edges":[{"node":{"id":1}}]}}}"#, "data.posts.edges[].node 1"),
    // A list in a row has not the rows.
    (#"{"action":"opened","issue":{"id":1,"labels":[{"id":2},{"id":3}]},"sender":{"id":4}}"#, "issue 1"),
    (#"{"meta":{"id":1},"data":[{"id":1}]}"#, "data 1"),
  ])
  func anEnvelopeSuggestsThePathOfItsRows(_ payload: String, _ expected: String) throws {
    var sample = SampleRows()
    try sample.add(Array(payload.utf8))
    #expect(sample.envelope.map { "\($0.path) \($0.count)" } == expected)
  }

  @Test(arguments: [#"{"id":1,"items":[{"id":1}]}"#, #"[{"items":[{"id":1}]}]"#, #"{"tags":["a"]}"#])
  func rowIsNotTakenForAnEnvelope(_ payload: String) throws {
    var sample = SampleRows()
    try sample.add(Array(payload.utf8))
    #expect(sample.envelope == nil)
  }

  @Test(arguments: [
    (#"{"jsonrpc": "2.0", "id": 1, "result": [{"id": 7}]}"#, "result"),
    (#"{"error": null, "result": [{"id": 7}], "id": null}"#, "result"),
    (#"{"count":2,"results":[{"id":1},{"id":2}],"links":[{"rel":"x"}]}"#, "results"),
    (#"{"data":{"page":{"items":[{"id":1}]}}}"#, "data.page.items"),
    (#"{"meta":{"id":1},"data":[{"id":1}]}"#, "data"),
    (#"{"name":"quakes","features":[{"id":1}]}"#, "features"),
    (#"{"content":[{"id":1}],"pageable":{"page_number":0},"number":0,"size":20}"#, "content"),
    (#"{"code":200,"message":"ok","result":{"users":[{"id":1}]}}"#, "result.users"),
  ])
  func theOnlyListInAnEnvelopeHasTheRows(_ payload: String, _ path: String) throws {
    let sample = try SampleRows(payloads: [Array(payload.utf8)], at: nil)
    #expect(sample.readEnvelope?.path == path && sample.envelope == nil)
    let text = SchemaInference(of: [SampleEndpoint(sample, named: "Row")]).text
    #expect(text.contains(#"sync them with at: "\#(path)""#), "\(text)")
  }

  /// The response of a single row often has more keys than the rows in a list.
  @Test func rowsWithoutTheEnvelopeOfTheOthersAreRead() throws {
    let list = Array(#"{"total":1,"issues":[{"id":"1","key":"A-1"}]}"#.utf8)
    for other in [#"{"id":"1","key":"A-1","size":3}"#, #"[{"id":"1","key":"A-1","size":3}]"#] {
      for payloads in [[list, Array(other.utf8)], [Array(other.utf8), list]] {
        let sample = try SampleRows(payloads: payloads, at: nil)
        #expect(sample.count == 2 && sample.readEnvelope?.path == "issues")
      }
    }
    let failure = Array(#"{"message":"Not found"}"#.utf8)
    let mistake = #expect(throws: Mistake.self) {
      try SampleRows(payloads: [list, failure], at: nil)
    }
    #expect(mistake?.description == "There is no key “issues”; the keys are message.")
  }

  /// Otherwise the description of a property would be proposed as a row.
  @Test(arguments: [
    #"{"openapi":"3.1.0","paths":{},"components":{"schemas":{"A":{"properties":{"id":{"type":"integer"}}}}}}"#,
    #"{"swagger":"2.0","paths":{},"definitions":{"A":{"properties":{"id":{"type":"integer"}}}}}"#,
    #"{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"id":{"type":"integer"}}}"#,
  ])
  func descriptionOfPayloadsIsNotAPayload(_ document: String) throws {
    let mistake = #expect(throws: Mistake.self) {
      try SampleRows(payloads: [Array(document.utf8)], at: nil)
    }
    #expect(mistake?.description.hasSuffix("Pass it with “--openapi”.") ?? false)
  }

  /// A list in the response of one row is not the list of the rows.
  @Test(arguments: [
    (#"{"total":1,"plans":[{"plan_id":1,"size":3,"cost":5}]}"#, "plans"),
    (#"[{"plan_id":1,"size":3,"cost":5}]"#, ""),
  ])
  func rowWithAListIsReadBesideAList(_ list: String, _ path: String) throws {
    let row = #"{"plan_id":2,"size":4,"cost":6,"owners":[{"id":7,"name":"Ann"}]}"#
    for payloads in [[list, row], [row, list]] {
      let sample = try SampleRows(payloads: payloads.map { Array($0.utf8) }, at: nil)
      #expect(sample.count == 2 && (sample.listPath ?? "") == path && sample.envelope == nil)
      let text = SchemaInference(of: [SampleEndpoint(sample, named: "Plan")]).text
      #expect(text.contains("  @PrimaryKey planID: Int\n") && text.contains("  owners: [Owner]\n"), "\(text)")
    }
  }

  /// As in Open Library.
  @Test func rowOfAListIsReadWithItDespiteOtherKeys() throws {
    let list = #"{"total":2,"docs":[{"key":"/a","size":1,"w":2},{"key":"/b","size":1,"w":2}]}"#
    let payloads = [list, #"{"key":"/b","title":"B","color":"c"}"#].map { Array($0.utf8) }
    #expect(try SampleRows(payloads: payloads, at: nil).count == 3)
    let others = [list, #"{"key":"/c","title":"C"}"#].map { Array($0.utf8) }
    #expect(throws: Mistake.self) { try SampleRows(payloads: others, at: nil) }
  }

  @Test func rowInAnEnvelopeOfItsOwnIsReadBesideAList() throws {
    let list = #"{"users":[{"id":1,"name":"A"}],"total":1}"#
    let payloads = [list, #"{"user":{"id":2,"name":"B","age":3}}"#].map { Array($0.utf8) }
    let sample = try SampleRows(payloads: payloads, at: nil)
    #expect(sample.count == 2 && sample.listPath == "users")
    let text = SchemaInference(of: [SampleEndpoint(sample, named: "User")]).text
    #expect(text.contains(#"contain a single row: use sync(item:) with at: "user""#), "\(text)")
    let others = [list, #"{"posts":[{"id":2,"name":"B"}]}"#].map { Array($0.utf8) }
    #expect(throws: Mistake.self) { try SampleRows(payloads: others, at: nil) }
  }

  @Test func objectInAnEnvelopeIsAnItem() throws {
    let sample = try SampleRows(payloads: [Array(#"{"data":{"id":"1","name":"x"}}"#.utf8)], at: nil)
    let text = SchemaInference(of: [SampleEndpoint(sample, named: "Row")]).text
    #expect(
      text.contains(
        #"// The rows are one object in each payload: use sync(item:) with at: "data", or “syncline try --item”"#
      ),
      "\(text)")
  }

  @Test func severalListsInAnEnvelopeAreSuggested() throws {
    let payload = Array(#"{"users":[{"id":1},{"id":2}],"data":{"posts":[{"id":1}]}}"#.utf8)
    let mistake = #expect(throws: Mistake.self) { try SampleRows(payloads: [payload], at: nil) }
    let question = "Several members of the payload can be the rows. Pass the path of one:\n"
    #expect(
      mistake?.description == question + "  --at users  (2 objects)\n  --at data.posts  (1 object)",
      "\(mistake?.description ?? "")")
  }

  /// Otherwise a value that differs in each row would occur twice, and look like a key of another row.
  @Test func repeatedPayloadCountsOnce() throws {
    let payload = Array(#"[{"id":"x7"},{"id":"y8","near":"x7"}]"#.utf8)
    let sample = try SampleRows(payloads: [payload, payload], at: nil)
    #expect(sample.count == 2)
  }

  /// As Zendesk, Todoist and crates.io answer.
  @Test(arguments: [
    (#"{"users":[{"id":1},{"id":2}],"data":{"posts":[{"id":1}]}}"#, "User", "users"),
    (#"{"users":[{"id":1},{"id":2}],"data":{"posts":[{"id":1}]}}"#, "post", "data.posts"),
    (#"{"items":[{"id":1}],"projects":[{"id":2}]}"#, "Project", "projects"),
    (#"{"data":{"me":{"id":7},"tags":{"nodes":[{"id":1}]},"teams":[{"id":1}]}}"#, "Tag", "data.tags.nodes"),
    (#"{"user":{"id":7},"comments":[{"id":1}]}"#, "User", "user"),
    (#"{"user":{"id":7},"data":[{"id":1}]}"#, "User", "data"),
    (#"{"items":[{"id":1}],"includes":{"Entry":[{"id":2}]}}"#, "Entry", "items"),
  ])
  func listWithTheNameOfTheModelHasTheRows(_ payload: String, _ name: String, _ path: String) throws {
    let sample = try SampleRows(payloads: [Array(payload.utf8)], at: nil, named: name)
    #expect(sample.listPath == path)
  }

  /// As in the responses of monday.com and EC2.
  @Test(arguments: [
    (
      #"{"data":{"boards":[{"id":1,"tags":[{"id":2}],"page":{"items":[{"id":7},{"id":8}]}}]}}"#,
      "data.boards[].page.items[]"
    ),
    (#"{"groups":[{"size":2,"items":[{"id":7}]},{"size":0,"items":[{"id":8}]}]}"#, "groups[].items[]"),
    (#"{"data":[{"id":7,"items":[{"id":1}]},{"id":8}]}"#, "data"),
  ])
  func listInTheElementsOfAListHasTheRows(_ payload: String, _ path: String) async throws {
    let sample = try SampleRows(payloads: [Array(payload.utf8)], at: nil, named: "Item")
    #expect(sample.listPath == path && sample.count == 2)
    let schema = try await InferredSchema(of: payload, at: path)
    #expect(schema.isClean && schema.rows() == 2, "\(schema.text)")
  }

  /// As in the responses of Google Cloud, ActivityPub and FHIR.
  @Test(arguments: [
    (#"{"kind":"compute#hostList","id":"a","items":[{"kind":"compute#host","id":1}]}"#, "Host", "items"),
    (#"{"id":"a","type":"OrderedCollectionPage","orderedItems":[{"id":"b"}]}"#, "Note", "orderedItems"),
    (#"{"id":"a","object":"list","items":[{"id":"b"}]}"#, "Task", "items"),
    (#"{"id":"a","object":"list","items":[{"id":"b"}]}"#, "List", ""),
    (#"{"id":"a","type":"bundle","items":[{"id":"b"}]}"#, "Product", ""),
    (#"{"id":"a","__typename":"WishList","products":[{"id":"b"}]}"#, "Wishlist", ""),
    (
      #"""
      {"resourceType":"Bundle","id":"b","link":[{"url":"x"}],
       "entry":[{"search":{"mode":"m"},"resource":{"resourceType":"Patient","id":"1"}}]}
      """#, "Patient", "entry[].resource"
    ),
  ])
  func collectionWithAnIdentityIsAnEnvelope(_ payload: String, _ name: String, _ path: String) throws {
    let sample = try SampleRows(payloads: [Array(payload.utf8)], at: nil, named: name)
    #expect((sample.listPath ?? "") == path && sample.count == 1)
  }

  @Test func singleRowAndListAreReadTogether() throws {
    let list = #"{"crates":[{"id":"a","name":"A","versions":null,"size":1}]}"#
    for row in [
      #"{"crate":{"id":"b","name":"B"},"versions":[{"id":1}],"size":[{"id":3}]}"#,
      #"{"id":"b","name":"B","crates":[{"id":"a"}]}"#, #"{"id":"b","name":"B","crates":{"edges":[]}}"#,
    ] {
      for texts in [[list, row], [row, list]] {
        let sample = try SampleRows(payloads: texts.map { Array($0.utf8) }, at: nil, named: "Crate")
        let text = SchemaInference(of: [SampleEndpoint(sample, named: "Crate")]).text
        #expect(sample.count == 2 && text.contains("model Crate {\n  id: String\n"), "\(text)")
      }
    }
  }

  @Test(arguments: [
    (#"{"ward_id":"a","rooms":[{"id":1}]}"#, ""), (#"{"ward_id":"a","items":[{"id":1}]}"#, ""),
    (#"{"ward_id":"a","results":[{"id":1}]}"#, "results"), (#"{"ward_id":"a","wards":[{"id":1}]}"#, "wards"),
    (#"{"ward_code":0,"data":[{"id":1}]}"#, "data"),
  ])
  func objectWithTheOwnIdentityOfTheModelIsARow(_ payload: String, _ path: String) throws {
    let sample = try SampleRows(payloads: [Array(payload.utf8)], at: nil, named: "Ward")
    #expect(sample.count == 1 && (sample.listPath ?? "") == path)
  }

  /// GitHub's deliveries about pull requests repeat the number of the pull request.
  @Test func copyOfANestedKeyDoesNotMakeARow() throws {
    let payload = Array(
      #"{"action":"opened","number":2,"pull_request":{"id":9,"number":2},"repository":{"id":4}}"#.utf8)
    let mistake = #expect(throws: Mistake.self) { try SampleRows(payloads: [payload], at: nil) }
    #expect(mistake?.description.contains("  --at pull_request  (1 object)") ?? false)
  }

  /// As the World Bank answers.
  @Test func listInAListHasTheRows() throws {
    let payload = Array(#"[{"page":1,"total":2},[{"id":"ABW","name":"Aruba"},{"id":"AFG","name":"A"}]]"#.utf8)
    let sample = try SampleRows(payloads: [payload], at: nil)
    #expect(sample.count == 2 && sample.others == 0 && sample.listPath == "[1]")
    let text = SchemaInference(of: [SampleEndpoint(sample, named: "Row")]).text
    let comment = #"// The rows are the elements of a list in a list: sync them with at: "[1]""#
    #expect(text.hasPrefix(comment), "\(text)")
    // An object with an identity may be the row.
    let other = try SampleRows(payloads: [Array(#"[{"id":1},[{"id":2}]]"#.utf8)], at: nil)
    #expect(other.count == 1 && other.others == 1 && other.listPath == nil)
  }

  @Test(arguments: [
    (#"[{"user":{"id":1,"name":"A"}},{"user":{"id":2,"name":"B"}}]"#, "[].user"),
    (#"{"data":[{"user":{"id":1,"name":"A"}},{"user":{"id":2,"name":"B"}}]}"#, "data[].user"),
  ])
  func onlyMembersOfTheElementsAreTheRows(_ payload: String, _ path: String) async throws {
    let sample = try SampleRows(payloads: [Array(payload.utf8)], at: nil)
    #expect(sample.count == 2 && sample.listPath == path)
    let text = SchemaInference(of: [SampleEndpoint(sample, named: "User")]).text
    #expect(text.contains("at: \"\(path)\"\n\n") && !text.contains("User2"), "\(text)")
    let schema = try await InferredSchema(of: payload, at: path)
    #expect(schema.isClean && schema.rows() == 2)
    // The score is a property of the element, unless another payload shows what a row is.
    let scored = #"[{"score":0.5,"user":{"id":1,"name":"A"}},{"score":0.4,"user":{"id":2,"name":"B"}}]"#
    #expect(try SampleRows(payloads: [Array(scored.utf8)], at: nil).listPath == nil)
    let others: [(String, String?)] = [
      (#"{"id":1,"name":"A"}"#, "[].user"), (#"{"id":1,"size":3,"w":4}"#, nil),
    ]
    for (other, path) in others {
      for payloads in [[scored, other], [other, scored]] {
        let sample = try SampleRows(payloads: payloads.map { Array($0.utf8) }, at: nil)
        #expect(sample.listPath == path && sample.count == 3)
      }
    }
  }

  @Test func objectWithANameIsARow() throws {
    let payload = Array(#"{"login":"ann","pets":[{"id":1}]}"#.utf8)
    let sample = try SampleRows(payloads: [payload], at: nil)
    #expect(sample.count == 1 && sample.readEnvelope == nil && sample.envelope?.path == "pets")
  }

  @Test func envelopePathContinuesTheGivenPath() throws {
    var sample = SampleRows()
    try sample.add(Array(#"{"data":{"items":[{"id":1}]}}"#.utf8), at: "data")
    #expect(sample.envelope?.path == "data.items")
  }

  // MARK: -

  private func endpoint(_ name: String, _ payload: String) throws -> SampleEndpoint {
    var rows = SampleRows()
    try rows.add(Array(payload.utf8))
    return SampleEndpoint(rows, named: name)
  }

  private func proposal(_ endpoints: [(String, String)]) throws -> String {
    let text = SchemaInference(of: try endpoints.map { try endpoint($0.0, $0.1) }).text
    analysisWithoutErrors(of: text)
    return text
  }

  private func addition(of endpoints: [(String, String)], folder: String? = nil) throws -> SchemaAddition {
    let file = SourceFile(path: "User.syncline", text: InferredEndpointsTests.schema)
    let input = CompilerInput(target: "Schema", files: [file])
    let addition = try SchemaAddition(
      of: try endpoints.map { try endpoint($0.0, $0.1) }, to: input, CompilerPipeline.analyse(input),
      folder: folder)
    var texts = ["User.syncline": InferredEndpointsTests.schema]
    texts.merge(addition.texts) { $1 }
    analysisWithoutErrors(
      of: texts.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) })
    return addition
  }
}
