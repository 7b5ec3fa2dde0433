import Syncline
import SynclineTooling
import Testing

/// What is proposed for payloads with the habits of issue trackers.
@Suite struct InferredTrackersTests {
  @Test(arguments: [
    // GitLab
    #"""
    [{"id":1,"closed_by":{"id":7,"username":"a","web_url":"https://a.b"},
      "author":{"id":8,"username":"b","web_url":"https://a.b"}}]
    """#,
    // Bugzilla
    #"""
    [{"id":1,"assigned_to_detail":{"id":7,"email":"a@x.org","nick":"a"},
      "author":{"id":8,"email":"b@x.org","nick":"b"},"cc_detail":[{"id":7,"email":"a@x.org","nick":"a"}]}]
    """#,
    // Redmine, where the keys of users are those of many rows
    #"[{"id":1,"assigned_to":{"id":7,"name":"A"},"author":{"id":8,"name":"B"},"watchers":[{"id":9,"name":"C"}]}]"#,
    // MantisBT, where one user has more keys
    #"""
    [{"id":1,"handler":{"id":7,"name":"a"},"author":{"id":8,"name":"b","real_name":"B","email":"b@x.org"}}]
    """#,
  ])
  func usersUnderDifferentRolesAreOneModel(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(schema.text.contains("  author: User?\n"), "\(schema.text)")
    #expect(schema.text.components(separatedBy: "\nmodel ").count == 3, "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  @Test func userUnderAVerbIsNamedUser() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"added_by":{"id":"gabi","uri":"x:gabi"},"reporter":{"key":7,"id":7}}]"#)
    #expect(schema.text.contains("  addedBy: User?\n  reporter: Reporter?\n"), "\(schema.text)")
  }

  /// Sentry: an issue is assigned to a user or a team, and users have seen it.
  @Test func secondModelOfUsersKeepsTheNameOfItsRole() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"1","assigned_to":{"type":"user","id":"2","name":"A"},
          "seen_by":[{"id":"2","name":"A","is_active":true,"last_login":null,"joined":null,"zone":"x"}]}]
        """#)
    #expect(schema.text.contains("  assignedTo: User?\n  seenBy: [SeenBy]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  /// Discord's discriminators distinguish users of the same name.
  @Test func numbersInAKeyOfKindsDoNotSeparateModels() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"1","author":{"id":"5","username":"a","discriminator":"9999","avatar":"x"},
          "mentions":[{"id":"8","username":"b","discriminator":"1337","avatar":"y","public_flags":64}]}]
        """#)
    #expect(schema.text.contains("  author: User?\n  mentions: [User]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "User") == 2)
  }

  /// Salesforce's rows contain an object whose keys have another style.
  @Test func styleOfMostKeysIsThatOfTheSchema() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"attributes":{"type":"Row","url":"/r/1"},"Id":"1","FirstName":"A","LastName":"B","Birthdate":null,
          "Phone":"1"}]
        """#)
    #expect(schema.text.contains("keyStyle: pascalCase"), "\(schema.text)")
    #expect(schema.text.contains("  firstName: String?\n"), "\(schema.text)")
    #expect(
      schema.values() == [["'1'", "'Row'", "'/r/1'", "'A'", "'B'", "NULL", "'1'"]], "\(schema.values())")
    #expect(schema.isClean)
  }

  /// An owner may be an organization.
  @Test(arguments: [
    #"[{"id":1,"creator":{"id":7,"name":"A"},"reporter":{"id":7,"name":"B"}}]"#,
    #"[{"id":1,"owner":{"id":6,"name":"A"},"reporter":{"id":7,"name":"B"}}]"#,
  ])
  func usersWithGeneralKeysMayBeSeparateModels(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(schema.text.contains("  reporter: Reporter?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  /// GitLab's iterations have most keys of a milestone, and another set of identities.
  @Test func rowsWithNumbersInPlaceOfWordsAreOfAnotherModel() async throws {
    func payload(state: String) -> String {
      #"""
      [{"id":1,"milestone":{"id":5,"iid":1,"title":"v1","state":"closed","due_date":"2024-05-02"},
        "iteration":{"id":7,"iid":2,"title":"I2","state":\#(state),"due_date":"2024-05-03"}},
       {"id":2,"milestone":null,"iteration":{"id":6,"iid":3,"title":"I3","state":\#(state),"due_date":null}}]
      """#
    }
    let schema = try await InferredSchema(of: payload(state: "2"))
    #expect(schema.text.contains("  milestone: Milestone?\n  iteration: Iteration?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Iteration") == 2)
    let same = try await InferredSchema(of: payload(state: #""active""#))
    #expect(!same.text.contains("model Milestone {"), "\(same.text)")
  }

  @Test func childrenWithKeysOfTheRowAreRows() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"subject":"a","done_ratio":0,"tracker":{"id":3,"name":"Bug"},
          "children":[{"id":2,"subject":"b","tracker":{"id":3,"name":"Bug"}}]}]
        """#)
    #expect(schema.text.contains(" children: [Row]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
    let others = try await InferredSchema(
      of: #"[{"id":1,"name":"a","size":3,"parent":{"id":2,"name":"b"}}]"#)
    #expect(others.text.contains("  parent: Parent?\n"), "\(others.text)")
  }

  /// Trello's keys of other rows begin with `id`.
  @Test func keysThatBeginWithIDAreRelationships() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"5abbe4b7a1","name":"Board","cards":[
           {"id":"5abbe4b7c1","idRow":"5abbe4b7a1","idMembers":["5abbe4b7f1"],"members":[{"id":"5abbe4b7f1","initials":"A"}]},
           {"id":"5abbe4b7c2","idRow":"5abbe4b7a1","idMembers":["5abbe4b7f2"],"members":[{"id":"5abbe4b7f2","initials":"B"}]},
           {"id":"5abbe4b7c3","idRow":"5abbe4b7a1","idMembers":["5abbe4b7f3"],"members":[{"id":"5abbe4b7f3","initials":"C"}]}]}]
        """#)
    #expect(schema.text.contains(#"@RemoteKey("idRow") "#), "\(schema.text)")
    #expect(schema.text.contains(" row: Row?\n"), "\(schema.text)")
    #expect(schema.text.contains("  idMembers: [String]?\n  members: [Member]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  /// The next list may have two events of one user.
  @Test func singleEventWithATimeIsNotIdentifiedByItsUser() async throws {
    let events = try await InferredSchema(
      of: #"""
        [{"id":1,"history":[{"created_at":"2017-04-23T13:12:28Z","user":{"id":1,"name":"a"},
                             "type":{"id":1,"name":"new"},"message":"New"}]}]
        """#)
    #expect(events.text.contains("  history: [History]?\n"), "\(events.text)")
    #expect(events.isClean && events.keepsAllRows)
  }

  /// A mention of Twitter has the identity of the user, and the position in one text.
  @Test(arguments: [
    #"""
    [{"id":1,"mentions":[{"id":70000,"screen_name":"a","name":"A","indices":[0,2]}]},
     {"id":2,"mentions":[{"id":70000,"screen_name":"a","name":"A","indices":[5,7]}]}]
    """#,
    #"""
    [{"id":1,"mentions":[{"id":70000,"screen_name":"a","name":"A","indices":[0,2]}],
      "quote":{"id":2,"mentions":[{"id":70000,"screen_name":"a","name":"A","indices":[5,7]}]}}]
    """#,
  ])
  func mentionsInTextsAreStructs(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(schema.text.contains("struct Mention {"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  /// `URL` encodes braces.
  @Test func templatesOfAddressesAreStrings() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"url":"https://a.b/1","gists_url":"https://a.b/gists{/gist_id}"}]"#)
    #expect(schema.text.contains("  url: URL?\n  gistsURL: String?\n"), "\(schema.text)")
    #expect(schema.values() == [["1", "'https://a.b/1'", "'https://a.b/gists{/gist_id}'"]])
  }

  @Test func singleUnixTimesAreDates() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"resolved":1565000000000,"votes":1565000000}]"#)
    #expect(schema.text.contains("  resolved: Date?\n  votes: Int?\n"), "\(schema.text)")
    for key in ["dateUnix", "updatedEpoch", "sunset"] {
      let other = try await InferredSchema(of: #"[{"id":1,"\#(key)":1565000000}]"#)
      #expect(other.text.contains("  \(key): Date?\n"), "\(other.text)")
    }
  }

  @Test func valuesOfMongoDBAreReadFromTheirObjects() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"_id":{"$oid":"a1"},"publishedDate":{"$date":"2009-04-01T00:00:00.000-0700"},"owner":{"$oid":"b1"},
          "cover":{"seen":{"$date":"2009-04-01T00:00:00Z"}}},
         {"_id":{"$oid":"a2"}}]
        """#)
    #expect(
      schema.text.contains(#"  @RemoteKey("publishedDate.$date") publishedDate: Date?"#), "\(schema.text)")
    #expect(schema.text.contains(#"  @RemoteKey("owner.$oid") owner: String?"#), "\(schema.text)")
    #expect(schema.text.contains(#"  @RemoteKey("seen.$date") seen: Date?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// ServiceNow writes `""` for a time that is missing.
  @Test func sysIDIsTheIdentityAndBlankTimesAreDates() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"number":"INC1","sys_id":"9d3850","closed_at":"","notes":""},{"number":"INC2","sys_id":"9d3851","closed_at":"","notes":""}]"#
    )
    #expect(schema.text.contains("  @PrimaryKey sysID: String\n"), "\(schema.text)")
    #expect(schema.text.contains(#"  @Null("") closedAt: Date?"# + "\n  notes: String?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  /// Reddit writes times as numbers with a fraction of zero.
  @Test func unixTimesWithFractionsAreDates() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":"a","created_utc":1700000000.0,"edited":1700000500.5,"ratio":1700000000.0}]"#)
    #expect(schema.text.contains("  ratio: Double?\n"), "\(schema.text)")
    #expect(schema.text.components(separatedBy: ": Date?").count == 3, "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func unionOfNodesIsNamedAfterTheConnection() async throws {
    let nodes = (1...3).map { number in
      #"{"__typename":"LabeledEvent","id":"L\#(number)","label":"a"},{"__typename":"ClosedEvent","id":"C\#(number)","reason":"b"}"#
    }
    let schema = try await InferredSchema(
      of: #"[{"id":"I1","timelineItems":{"nodes":[\#(nodes.joined(separator: ","))]}}]"#)
    #expect(schema.text.contains("union TimelineItem on "), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "ClosedEvent") == 3)
  }

  /// In Notion the identity of a property is the same in each page.
  @Test func valuesOfNotionPropertiesAreNotRows() async throws {
    let page = #""properties":{"Food":{"id":"A%40","type":"select","select":{"id":"5e8e","name":"Veg"}}}"#
    let schema = try await InferredSchema(of: #"[{"id":"1",\#(page)},{"id":"2",\#(page)}]"#)
    #expect(!schema.text.contains("model Food"), "\(schema.text)")
    #expect(schema.text.contains(#"  @RemoteKey("properties.Food.select") food: Select?"#), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
    let stripe = try await InferredSchema(
      of: #"[{"id":"1","method":{"id":"pm_1","type":"card","card":{"brand":"visa"}}}]"#)
    #expect(stripe.text.contains("model Method {"), "\(stripe.text)")
  }
}
