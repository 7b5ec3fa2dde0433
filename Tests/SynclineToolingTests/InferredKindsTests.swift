import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineTooling
import Testing

/// Which rows of a sample are of one model, where they or their positions say so.
@Suite struct InferredKindsTests {
  /// Asana's compact objects have the same keys, whatever they are.
  @Test func resourceTypeNamesTheModel() async throws {
    let rows = (1...4).map { number in
      let user = #"{"gid":"9\#(number)","name":"U\#(number)","resource_type":"user"}"#
      let parent = number > 1 ? #"{"gid":"11","name":"T1","resource_type":"task","subtype":"x"}"# : "null"
      return """
        {"gid":"1\(number)","name":"T\(number)","resource_type":"task","assignee":\(user),"completed":false,
         "followers":[{"gid":"97","name":"U7","resource_type":"user"}],"parent":\(parent),
         "project":{"gid":"9\(number)","name":"U\(number)","resource_type":"project"}}
        """
    }
    let schema = try await InferredSchema(of: "[\(rows.joined(separator: ","))]")
    for line in ["assignee: User?", "followers: [User]", "project: Project?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.text.contains("Merged into one model, because their keys match: Assignee, Follower."))
    #expect(schema.isClean && schema.rows(of: "User") == 5 && schema.rows(of: "Project") == 4)
  }

  /// As departments and offices in Greenhouse: rows of both are in trees.
  @Test func keysOfATreeDoNotMakeOneModel() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"departments":[{"id":7,"name":"D","child_ids":[8],"parent_id":9}],
          "offices":[{"id":7,"name":"O","child_ids":[],"parent_id":9,"city":"x"}]}]
        """#)
    #expect(schema.text.contains("  offices: [Office]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  /// As the linked issues of Jira, whose keys occur in rows of many kinds.
  @Test func likeRowsWithTheNameOfARoleAreOneModel() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"10","key":"A-1","self":"https://a/1","fields":{"summary":"x","size":3},
          "blocked_row":{"id":"12","key":"A-3","self":"https://a/3","fields":{"summary":"z"}},
          "kind":{"id":"4","key":"bug","self":"https://a/k","fields":{"summary":"y"}}}]
        """#)
    #expect(schema.text.contains("  blockedRow: Row?\n"), "\(schema.text)")
    #expect(schema.text.contains("  kind: Kind?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func typeWithTheNameOfATableNamesTheModelInSingular() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"__typename":"todos","owner":{"id":"u7","name":"A","__typename":"app_users"}}]"#)
    #expect(schema.text.contains("  owner: AppUser?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func nestedRowWithEndpointResourceTypeUsesItsModel() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"gid":"11","name":"a","resource_type":"row","size":1,"color":"red","parent":null},
         {"gid":"12","name":"b","resource_type":"row","size":1,"color":"red",
          "parent":{"gid":"11","name":"a","resource_type":"row"}}]
        """#)
    #expect(schema.text.contains("  parent: Row?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// The node has the properties that the row has elsewhere.
  @Test func nodesOfEdgesAreRowsOfAModelThatIsElsewhereToo() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"a","author":{"id":"u1","login":"x"},
          "assignees":{"edges":[{"node":{"id":"u1","login":"x"}},{"node":{"id":"u2","login":"y"}}]}}]
        """#)
    #expect(schema.text.contains(#"@RemoteKey("assignees.edges[].node") assignees: ["#), "\(schema.text)")
    #expect(schema.isClean && !schema.text.contains("struct"))
  }

  /// The number is of another system than the identities of the nested teams.
  /// As OpenWeather answers.
  @Test func nestedRowsWithTheNameButNoValueOfTheRowAreAModel() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":3163858,"name":"Zocca","main":{"temp":298.4},"row":[{"id":501,"main":"Rain","icon":"10d"}]}]
        """#)
    for type in ["Main", "String"] {
      #expect(schema.text.contains("  main: \(type)?\n"), "\(schema.text)")
    }
    #expect(schema.isClean && schema.rows() == 1, "\(schema.text)")
  }

  @Test func keyOfAnotherTypeThanTheNestedRowIsAPropertyOfItsOwn() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"team_id":5,"team":{"id":"b7f","name":"x"}},{"id":2,"team_id":6}]"#)
    for line in ["teamID: Int?", #"@RemoteKey("team") team: Team?"#] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test(arguments: ["username", "userName", "user_name", "UserName"])
  func userNameIdentifiesARow(key: String) async throws {
    let schema = try await InferredSchema(
      of: #"[{"\#(key)":"a","first":"R"},{"\#(key)":"b","first":"R"}]"#)
    #expect(schema.text.contains("@PrimaryKey"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func keysOfDigitsInObjectsAreQuoted() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"fields":{"1":"Ann","2":5,"Name":"x"}}]"#)
    #expect(schema.text.contains(##"@RemoteKey(#"fields."1""#)"##), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func numberBeyondDoubleIsJSON() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"x":1e400},{"id":2,"x":1}]"#)
    #expect(schema.text.contains("  x: JSON?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func modelHasTheNameOfMostRows() async throws {
    let photos = (1...4).map { #"{"id":50\#($0),"src":"s\#($0)","width":1,"height":2}"# }
    let schema = try await InferredSchema(
      of: #"[{"id":1,"cover":\#(photos[0]),"photos":[\#(photos[1...].joined(separator: ","))]}]"#)
    #expect(schema.text.contains("  cover: Photo?\n  photos: [Photo]\n"), "\(schema.text)")
    #expect(schema.text.contains("because their keys match: Photo, Cover."), "\(schema.text)")
  }

  @Test func modelOfSeveralRolesHasTheNameInCommon() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"home_team":{"id":64,"name":"L","tla":"LIV"},"away_team":{"id":67,"name":"N","tla":"NEW"}}]
        """#)
    #expect(schema.text.contains("  homeTeam: Team?\n  awayTeam: Team?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Team") == 2)
  }

  /// Spotify's objects have most keys in common.
  @Test func rowsWithDifferentTypesStaySeparateModels() async throws {
    func object(_ type: String, _ more: String) -> String {
      #"{"href":"https://a.b/\#(type)","id":"\#(type)1","name":"N","type":"\#(type)","uri":"spotify:\#(type):1"\#(more)}"#
    }
    let artist = object("artist", #","external_urls":{"spotify":"https://a.b"}"#)
    let album = object(
      "album", #","external_urls":{"spotify":"https://a.b"},"artists":[\#(artist)],"total_tracks":9"#)
    let schema = try await InferredSchema(of: #"[{"id":"t","album":\#(album),"artists":[\#(artist)]}]"#)
    #expect(schema.text.contains("  album: Album?\n  artists: [Artist]\n"), "\(schema.text)")
    // Both have the same struct.
    #expect(schema.text.components(separatedBy: "struct ").count == 2, "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Artist") == 1 && schema.rows(of: "Album") == 1)
  }

  /// GitHub's users and organizations are accounts, with the same keys.
  @Test func accountsOfTwoTypesAreOneModel() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"owner":{"id":5,"login":"a","type":"Organization"},"sender":{"id":6,"login":"b","type":"User"}}]"#
    )
    #expect(schema.text.contains("  owner: Account?\n  sender: Account?\n"), "\(schema.text)")
  }

  /// `type` may be any property of a row.
  @Test func ordinaryTypeValueDoesNotDetermineTheModel() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"status":{"id":3,"name":"Open","type":"system"},"priority":{"id":3,"name":"High","type":"system"}}]"#
    )
    #expect(schema.text.contains("  priority: Priority?\n"), "\(schema.text)")
    let albums = try await InferredSchema(
      of: #"[{"id":1,"album":{"id":3,"title":"a","album_type":"single"}}]"#)
    #expect(albums.text.contains("model Album {"), "\(albums.text)")
  }

  // MARK: Connections

  @Test func graphQLConnectionNodesBecomeRows() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"R","issues":{"totalCount":2,"edges":[
           {"cursor":"a","node":{"id":"I1","title":"x","labels":{"edges":[{"node":{"id":"L1","name":"bug"}}]}}},
           {"cursor":"b","node":{"id":"I2","title":"y","labels":{"edges":[]}}}]},
          "assignees":{"nodes":[{"id":"U1","login":"a"}]}}]
        """#)
    for line in [
      #"@RemoteKey("issues.edges[].node") issues: [Issue]"#,
      #"@RemoteKey("labels.edges[].node") labels: [Label]"#,
      #"@RemoteKey("assignees.nodes") assignees: [Assignee]"#,
    ] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.isClean && schema.rows(of: "Issue") == 2 && schema.rows(of: "Label") == 1)
  }

  /// The role of a member is a value of the edge.
  @Test func connectionEdgesWithValuesAreKept() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":"T","members":{"edges":[{"role":"admin","node":{"id":"U1","login":"a"}}]}}]"#)
    #expect(schema.text.contains("  role: String?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  // MARK: JSON:API

  private static let document = #"""
    {"data":[
       {"type":"news-items","id":"1","attributes":{"title":"A","word-count":3},"links":{"self":"https://a.b"},
        "relationships":{"author":{"links":{"self":"https://a.b"},"data":{"type":"people","id":"9"}},
          "comments":{"data":[{"type":"comments","id":"5"}]},"tags":{"data":[{"type":"tags","id":"7"}]}}}],
     "included":[
       {"type":"people","id":"9","attributes":{"first-name":"Dan"}},
       {"type":"comments","id":"5","attributes":{"body":"B"},
        "relationships":{"writer":{"data":{"type":"people","id":"9"}},"editor":{"data":null}}}]}
    """#

  @Test func jsonAPIResourceIsIdentifiedByItsIDAndNotByAnAttribute() async throws {
    let text = #"""
      {"data":[{"type":"news-items","id":"1","attributes":{"id":71},
                "relationships":{"author":{"data":{"type":"people","id":"9"}}}}],
       "included":[{"type":"people","id":"9","attributes":{"id":20550,"name":"Dan"}}]}
      """#
    let endpoints = try #require(SampleEndpoint.resources(of: [try SyncJSON(parsing: Array(text.utf8))]))
    let schema = SchemaInference(of: endpoints).text
    #expect(schema.contains("model Person {\n  id: String\n  name: String?\n}"), "\(schema)")
    #expect(!schema.contains("id: Int"), "\(schema)")
  }

  @Test func jsonAPIRelationshipsOfOneNameHaveTheModelsOfTheirTypes() throws {
    let text = #"""
      {"data":[{"type":"posts","id":"1","attributes":{"title":"A"},
                "relationships":{"owner":{"data":{"type":"people","id":"9"}}}},
               {"type":"files","id":"2","attributes":{"size":3},
                "relationships":{"owner":{"data":{"type":"teams","id":"8"}}}}]}
      """#
    let endpoints = try #require(SampleEndpoint.resources(of: [try SyncJSON(parsing: Array(text.utf8))]))
    let schema = SchemaInference(of: endpoints).text
    #expect(schema.contains("  owner: Person?\n") && schema.contains("  owner: Team?\n"), "\(schema)")
  }

  @Test func jsonAPIResourcesBecomeRowsOfTheirTypes() async throws {
    let json = try SyncJSON(parsing: Array(Self.document.utf8))
    let endpoints = try #require(SampleEndpoint.resources(of: [json, json]))
    #expect(endpoints.map(\.name) == ["NewsItem", "Person", "Comment"])
    let text = SchemaInference(of: endpoints).text
    #expect(text.hasPrefix("// The payload is a JSON:API document: sync it with “sync(jsonAPI:)”"), "\(text)")
    #expect(
      text.contains(
        """
        model NewsItem {
          id: String
          title: String?
          wordCount: Int?
          author: Person?
          comments: [Comment]
          tags: [Tag]
        }
        """), "\(text)")
    #expect(text.contains("  writer: Person?\n") && text.contains("model Tag {\n  id: String\n}"), "\(text)")
    let schema = InterpretedSchema(try #require(analysisWithoutErrors(of: text).schema))
    let trial = try await Trial(
      of: Array(Self.document.utf8), .jsonAPI, as: .model(try #require(schema.model("NewsItem"))), in: schema,
      SyncConfiguration())
    #expect(trial.isClean, "\(trial.report.problems)")
    #expect(trial.report.unreadKeys?.keys == [])
  }

  @Test(arguments: [#"{"data":[],"links":{}}"#, #"{"data":null}"#, #"{"data":[{"type":"people","id":"9"}]}"#])
  func emptyPageDoesNotHideJSONAPIDocuments(page: String) throws {
    for texts in [[Self.document, page], [page, Self.document]] {
      let documents = try texts.map { try SyncJSON(parsing: Array($0.utf8)) }
      let endpoints = try #require(SampleEndpoint.resources(of: documents))
      #expect(Set(endpoints.map(\.name)) == ["NewsItem", "Person", "Comment"])
      #expect(SchemaInference(of: endpoints).text.contains("  wordCount: Int?\n"))
    }
  }

  @Test(arguments: [
    #"{"data":[{"id":1,"type":"x","attributes":{}}]}"#, #"{"data":[{"id":"1","type":"x"}]}"#,
    #"{"data":[]}"#, #"[{"type":"x","id":"1","attributes":{}}]"#, #"{"data":null}"#,
  ])
  func otherPayloadsAreNotJSONAPIDocuments(payload: String) throws {
    #expect(SampleEndpoint.resources(of: [try SyncJSON(parsing: Array(payload.utf8))]) == nil)
  }
}
