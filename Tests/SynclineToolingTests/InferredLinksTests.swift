import Testing

/// What is proposed for nested objects whose identity is not named `id`, and for objects that link others.
@Suite struct InferredLinksTests {
  @Test(arguments: [
    (
      #"[{"id":1,"assignee":{"accountId":"5b1","displayName":"M"},"reporter":{"accountId":"5b2","displayName":"E"}}]"#,
      "@PrimaryKey accountID: String"
    ),
    (
      #"[{"id":1,"author":{"did":"did:plc:a","handle":"a.b"}},{"id":2,"author":{"did":"did:plc:b","handle":"b.b"}}]"#,
      "@PrimaryKey did: String"
    ),
    (
      #"[{"id":1,"post":{"uri":"at://did:plc:a/post/1","likes":2}},{"id":2,"post":{"uri":"at://did:plc:a/post/2","likes":2}}]"#,
      "@PrimaryKey uri: String"
    ),
    (#"[{"id":1,"artists":[{"artistID":7,"w":1},{"artistID":8,"w":2}]}]"#, "@PrimaryKey artistID: Int"),
    (#"[{"id":1,"owner":{"account_id":5,"user_id":7,"user_name":"A"}}]"#, "@PrimaryKey userID: Int"),
  ])
  func keysOfRowsAccountsAndURIsIdentifyNestedRows(payload: String, line: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(schema.text.contains("  \(line)\n") && !schema.text.contains("struct"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  /// Objects that only refer to an account, addresses, and objects with equal keys and other values.
  @Test(arguments: [
    #"[{"id":1,"vote":{"userId":7,"value":3}}]"#,
    #"[{"id":1,"image":{"uri":"https://a/1","width":2}}]"#,
    #"[{"id":1,"reactions":[{"user_id":7,"emoji_name":"tada"},{"user_id":8,"emoji_name":"tada"}]}]"#,
    #"[{"id":1,"vote":{"userId":7,"name":"a","points":3}},{"id":2,"vote":{"userId":7,"name":"b","points":4}}]"#,
  ])
  func otherObjectsWithSuchKeysAreStructs(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(schema.text.contains("struct "), "\(schema.text)")
    #expect(schema.isClean)
  }

  /// TMDB's lists have keys where the response of a single row has objects.
  @Test func listOfKeysNextToNestedRowsIsRead() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"genre_ids":[7,8]},{"id":2,"genres":[{"id":7,"name":"A"},{"id":8,"name":"B"}]}]"#)
    #expect(schema.text.contains("  genres: [Genre]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Genre") == 2)
  }

  /// As the rows of a join table in Hasura.
  @Test func rowsInElementsWithoutOtherKeysAreRead() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"row_tags":[{"tag":{"id":7,"name":"A"}},{"tag":{"id":8,"name":"B"}}]}]"#)
    #expect(schema.text.contains(#"@RemoteKey("row_tags[].tag") rowTags: [Tag]"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Tag") == 2)
    let others = try await InferredSchema(
      of: #"""
        [{"id":1,"row_tags":[{"tag":{"id":7},"note":"x"}],"mails":[{"box":{"name":"A"}}],
          "lines":[{"item":{"id":9}},{"item":{"id":9}}]}]
        """#)
    for name in ["RowTag", "Mail", "Line"] {
      #expect(others.text.contains("struct \(name) {"), "\(others.text)")
    }
  }

  @Test func elementsThatLinkRowsAreIdentifiedByThem() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"gid":"1","memberships":[{"project":{"gid":"p1","name":"A"},"section":{"gid":"s1","name":"S"}}]},
         {"gid":"2","memberships":[{"project":{"gid":"p1","name":"A"},"section":{"gid":"s2","name":"T"}},
                                   {"project":{"gid":"p2","name":"B"},"section":{"gid":"s3","name":"S"}}]}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(\.row, \.project) model Membership {"#), "\(schema.text)")
    #expect(
      schema.text.contains(
        #"  @Relationship(inverse: \Row.memberships) row: Row"# + "\n  project: Project\n"),
      "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
    #expect(schema.rows(of: "Membership") == 3 && schema.rows(of: "Project") == 2)
    let roles = try await InferredSchema(
      of:
        #"[{"id":1,"members":[{"user":{"id":7,"login":"a"},"role":"admin"},{"user":{"id":8,"login":"b"},"role":"x"}]}]"#
    )
    #expect(roles.text.contains(#"@PrimaryKey(\.row, \.user) model Member {"#), "\(roles.text)")
    #expect(roles.isClean && roles.rows(of: "User") == 2)
  }

  /// Asana has the projects of a task in a list of their own, too.
  @Test func linkedRowsMayBeElsewhereToo() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"gid":"1","memberships":[{"project":{"gid":"p1","name":"A"},"section":{"gid":"s1","name":"S"}}],
          "projects":[{"gid":"p1","name":"A"}]},
         {"gid":"2","memberships":[],"projects":[]}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(\.row, \.project) model Membership {"#), "\(schema.text)")
    #expect(schema.text.contains("  projects: [Project]\n"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows && schema.rows(of: "Membership") == 1)
  }

  /// Elements with values of their own, or with the same row twice, are no links.
  @Test(arguments: [
    #"[{"id":1,"lines":[{"product":{"id":7},"quantity":2,"price":1.5}]}]"#,
    #"[{"id":1,"lines":[{"product":{"id":7},"role":"a"},{"product":{"id":7},"role":"b"}]}]"#,
  ])
  func elementsWithValuesAreStructs(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(
      schema.text.contains("  lines: [Line]?\n") && schema.text.contains("struct Line {"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  @Test func objectThatHoldsTheIdentityIsPartOfTheRow() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"metadata":{"uid":"u-a","name":"x","labels":{"app":"n"}},"status":{"phase":"Running"}},
         {"metadata":{"uid":"u-b","name":"y","labels":{"app":"n"}},"status":{"phase":"Running"}}]
        """#)
    #expect(schema.text.contains(#"  @PrimaryKey(remote: "metadata.uid") uid: String"#), "\(schema.text)")
    #expect(schema.text.contains(#"  @RemoteKey("metadata.name") name: String?"#), "\(schema.text)")
    #expect(schema.text.contains(#"labels: [String: String]?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
    let odata = try await InferredSchema(
      of: #"[{"__metadata":{"id":"A1","kind":"a"},"name":"x"},{"__metadata":{"id":"A2"},"name":"y"}]"#)
    #expect(odata.text.contains(#"  @PrimaryKey(remote: "__metadata.id") id: String"#), "\(odata.text)")
    #expect(odata.isClean && odata.rows() == 2 && !odata.text.contains("model Metadata"), "\(odata.text)")
    let video = try await InferredSchema(
      of: #"[{"id":{"kind":"v","videoId":"v1"},"size":1},{"id":{"kind":"v","videoId":"v2"},"size":1}]"#)
    #expect(video.text.contains(#"  @PrimaryKey(remote: "id.videoId") videoID: String"#), "\(video.text)")
    #expect(video.text.contains(#"@RemoteKey("id.kind") idKind: String?"#), "\(video.text)")
    #expect(video.isClean && video.rows() == 2)
  }

  /// As the replies of Bluesky, whose posts are identified by URIs.
  @Test func referenceByAURIHasTheModelOfItsRow() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"post":{"uri":"at://d/post/1","cid":"b1","text":"a",
          "record":{"reply":{"parent":{"uri":"at://d/post/2","cid":"b2"}}}}},
         {"id":2,"post":{"uri":"at://d/post/2","cid":"b2","text":"b","record":{}}}]
        """#)
    #expect(schema.text.contains(#"@RemoteKey("record.reply.parent") parent: Post?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Post") == 2)
  }

  @Test func accountThatActedIsNotPartOfTheIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"[{"added_by":{"id":"u"},"track":{"id":"t1"}},{"added_by":{"id":"u"},"track":{"id":"t2"}}]"#)
    #expect(schema.text.contains(#"  @PrimaryKey(remote: "track.id") trackID: String"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func underscoresAtTheStartOfKeysAreNotPartOfNames() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"_id":"a","_score":1.5,"_links":{"next":{"href":"/x"}}},{"_id":"b","_score":2.5,"_links":{"next":{"href":"/y"}}}]"#
    )
    #expect(schema.text.contains(#"  @PrimaryKey(remote: "_id") id: String"#), "\(schema.text)")
    #expect(schema.text.contains(#"  @RemoteKey("_score") score: Double?"#), "\(schema.text)")
    #expect(schema.text.contains(#"  @RemoteKey("_links") links: Links?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
    let both = try await InferredSchema(of: #"[{"id":1,"_type":"a","type":"b"}]"#)
    #expect(
      both.text.contains("  _type: String?\n") && both.text.contains("  type: String?\n"), "\(both.text)")
  }

  @Test func amountsInCentsAreIntegers() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"amount":1099,"fee":0,"currency":"usd","balance_note":"x"},{"id":2,"amount":50,"fee":3,"currency":"eur"}]"#
    )
    #expect(
      schema.text.contains("  amount: Int?\n") && schema.text.contains("  fee: Int?\n"), "\(schema.text)")
    for payload in [
      #"[{"id":1,"amount":12,"currency":"usd"}]"#, #"[{"id":1,"amount":1200}]"#,
      #"[{"id":1,"amount":1200,"tax":1.5,"currency":"usd"}]"#,
    ] {
      let other = try await InferredSchema(of: payload)
      #expect(other.text.contains("  amount: Double?\n"), "\(other.text)")
    }
  }

  @Test func keysThatUsersChooseBecomeMaps() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"metadata":{"order_id":"6735"}},{"id":2,"metadata":{}},{"id":3,"metadata":{"a":"x","b":"2024-01-01"}}]"#
    )
    #expect(schema.text.contains("  metadata: [String: String]?\n"), "\(schema.text)")
    let mixed = try await InferredSchema(
      of: #"[{"id":1,"metadata":{"order_id":6735}},{"id":2,"metadata":{"a":"x"}}]"#)
    #expect(mixed.text.contains("  metadata: JSON?\n"), "\(mixed.text)")
    let rows = (1...6).map { #"{"id":\#($0),"metadata":{"width":"1","height":"2"}}"# }
    let fixed = try await InferredSchema(of: "[\(rows.joined(separator: ","))]")
    #expect(fixed.text.contains("struct Metadata {"), "\(fixed.text)")
    #expect(schema.isClean && mixed.isClean && fixed.isClean)
  }

  @Test func listsOfStringsAndNumbersAreKeptAsJSON() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"l":[0,"x"]}]"#)
    #expect(schema.text.contains("  l: JSON?\n"), "\(schema.text)")
    #expect(schema.values() == [["1", #"'[0,"x"]'"#]])
    let digits = try await InferredSchema(of: #"[{"id":1,"l":[0,"17"]}]"#)
    #expect(digits.text.contains("  l: [String]?\n"), "\(digits.text)")
  }
}
