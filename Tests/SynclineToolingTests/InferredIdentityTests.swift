import SynclineTooling
import Testing

/// What is proposed as the identity of a sample's rows.
@Suite struct InferredIdentityTests {
  /// As the commits of Bitbucket.
  @Test func hashIdentifiesARow() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"type":"commit","hash":"d3022fc0ca3d","date":"2018-06-29T10:23:00+00:00","message":"m"},
         {"type":"commit","hash":"ce5965ddd289","date":"2018-06-28T10:23:00+00:00","message":"n"}]
        """#)
    #expect(schema.text.contains("  @PrimaryKey hash: String\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// As deleted files in Dropbox.
  @Test func usualIdentityThatFewRowsLackComesBeforeAName() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":"a","name":"A","w":1},{"id":"b","name":"B","w":2},{"name":"C","w":3}]"#)
    let comment = "  // One row has no value for this key, so a sync would skip it.\n"
    #expect(schema.text.contains(comment + "  id: String\n"), "\(schema.text)")
    let code = try await InferredSchema(
      of: #"[{"id":"a","code":"A"},{"id":"b","code":"B"},{"code":"C"}]"#)
    #expect(code.text.contains("  @PrimaryKey code: String\n"), "\(code.text)")
  }

  @Test func identityThatFewRowsLackMayBeInSeveralPayloads() throws {
    let list = #"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"name":"c"},{"id":4,"name":"d"}]"#
    let payloads = [list, #"{"id":1,"name":"a","more":1}"#].map { Array($0.utf8) }
    let text = SchemaInference(of: try SampleRows(payloads: payloads, at: nil), named: "Row").text
    #expect(text.contains("  id: Int\n"), "\(text)")
  }

  /// As records of OAI-PMH.
  @Test func identifierInAnObjectOfEachRowIdentifiesIt() async throws {
    let schema = try await InferredSchema(
      of: #"[{"header":{"identifier":"oai:1","w":1}},{"header":{"identifier":"oai:2","w":2}}]"#)
    #expect(
      schema.text.contains(#"@PrimaryKey(remote: "header.identifier") headerIdentifier: String"#),
      "\(schema.text)")
    #expect(schema.text.contains(#"@RemoteKey("header.w")"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func repeatedKeyIsNotIdentity() async throws {
    let schema = try await InferredSchema(of: #"[{"species":"Adelie","w":1},{"species":"Adelie","w":2}]"#)
    #expect(!schema.text.contains("Taken for the identity"), "\(schema.text)")
    #expect(
      schema.text.contains(
        "// “species” does not identify a row, because two rows have the same value: "
          + #"{"species":"Adelie","w":1} and {"species":"Adelie","w":2}."#),
      "\(schema.text)")
    #expect(
      schema.text.contains("// No key was found that identifies a row: “id” is a placeholder to replace."))
  }

  @Test func repeatedIDIsNotIdentity() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"w":1.5},{"id":1,"w":2.5}]"#)
    #expect(schema.text.contains("// “id” does not identify a row, because two rows"), "\(schema.text)")
    #expect(schema.text.contains("  @PrimaryKey key: String\n"), "\(schema.text)")
    #expect(schema.text.contains("  id: Int?\n"), "\(schema.text)")
  }

  @Test func duplicateRowsCountAsOneRow() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"w":1.5},{"id":1,"w":1.5},{"id":2,"w":3}]"#)
    #expect(schema.text.contains("  id: Int\n"), "\(schema.text)")
    #expect(schema.rows() == 2)
  }

  @Test func timesDecimalsCountsAndFlagsAreNotIdentities() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"at":"2024-01-01T00:00:00Z","price":"1.50","number_count":1,"on":true,"w":1.5},
         {"at":"2024-01-02T00:00:00Z","price":"2.50","number_count":2,"on":false,"w":2.5}]
        """#)
    #expect(schema.text.contains("No key was found that identifies a row"), "\(schema.text)")
    #expect(
      schema.text.contains("// No key with the name of an identity, such as “id”, has a string"))
  }

  @Test func longTextsAreNotIdentities() async throws {
    let text = String(repeating: "word ", count: 60)
    let schema = try await InferredSchema(of: #"[{"title":"\#(text)a"},{"title":"\#(text)b"}]"#)
    #expect(schema.text.contains("No key was found that identifies a row"), "\(schema.text)")
  }

  @Test func aNameIsTheIdentityOnlyWithoutACode() async throws {
    let code = try await InferredSchema(of: #"[{"name":"A","bar_code":"x"},{"name":"B","bar_code":"y"}]"#)
    #expect(code.text.contains("  @PrimaryKey barCode: String\n"), "\(code.text)")
    let name = try await InferredSchema(of: #"[{"size":3,"name":"A"},{"size":4,"name":"B"}]"#)
    #expect(
      name.text.contains(
        "  // Chosen as the identity: its values are unique in the sample.\n  @PrimaryKey name: String\n"),
      "\(name.text)")
    #expect(name.isClean && name.rows() == 2)
  }

  @Test func identityOfSingleNestedRowBecomesIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"added_at":"2024-01-01T00:00:00Z","track":{"id":7,"name":"a"}},
         {"added_at":"2024-01-01T00:00:00Z","track":{"id":8,"name":"b"}}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(remote: "track.id") trackID: Int"#), "\(schema.text)")
    #expect(schema.text.contains("  track: Track?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2 && schema.rows(of: "Track") == 2)
  }

  /// `milestone_id` is also a key of a relationship `milestone`.
  @Test func ownIdentityIsNotTheKeyOfANestedRow() async throws {
    let schema = try await InferredSchema(
      of: #"[{"row_id":1,"title":"a","row":{"row_id":2,"title":"b"}},{"row_id":3,"title":"c","row":null}]"#)
    #expect(schema.text.contains(#"@RemoteKey("row") row: Row?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 3)
  }

  @Test func titleIsPreferredToAuthorAsIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"[{"title":"A","author":{"id":7}},{"title":"B","author":{"id":8}}]"#)
    #expect(schema.text.contains("  @PrimaryKey title: String\n"), "\(schema.text)")
  }

  @Test func mongoDBObjectIDBecomesIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"[{"_id":{"$oid":"55a0f4"},"name":"a"},{"_id":{"$oid":"55a0f5"},"name":"a"}]"#)
    #expect(schema.text.contains(#"@PrimaryKey(remote: "_id.$oid")"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func jointlyUniqueKeysBecomeCompositeIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"group":"a","w":1.5},{"id":1,"group":"b","w":1.5},{"id":2,"group":"a","w":2.5}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(\.id, \.group)"#), "\(schema.text)")
    #expect(schema.text.contains("// “id” and “group” together are unique in the sample."), "\(schema.text)")
    #expect(schema.text.contains("  id: Int\n") && schema.text.contains("  group: String\n"))
    #expect(schema.isClean && schema.rows() == 3)
  }

  /// The time of a figure, and what it is a figure of, also where the first rows are all of one subject.
  @Test(arguments: [
    (
      #"[{"date":"2009-06-01","open":28.7,"ret":-4.9},{"date":"2009-06-02","open":30.0,"ret":-0.3}]"#,
      "  @PrimaryKey date: String\n"
    ),
    (
      #"[{"side":"left","year":1956,"gas":2.4},{"side":"right","year":1957,"gas":2.3},{"side":"left","year":1958,"gas":1}]"#,
      "  @PrimaryKey year: Int\n"
    ),
    (
      #"[{"trade":"Baker","sex":"men","year":1850,"count":7},{"trade":"Baker","sex":"men","year":1860,"count":7}]"#,
      #"@PrimaryKey(\.trade, \.sex, \.year)"#
    ),
    (
      #"[{"trade":"a","sex":"men","year":1850,"n":7},{"trade":"b","sex":"men","year":1850,"n":7},{"trade":"b","sex":"women","year":1850,"n":7}]"#,
      "// “trade”, “sex” and “year” together are unique in the sample."
    ),
  ])
  func timeOfMeasurementBecomesPartOfIdentity(rows: String, identity: String) async throws {
    let schema = try await InferredSchema(of: rows)
    #expect(schema.text.contains(identity), "\(schema.text)")
    #expect(schema.isClean)
  }

  /// Of a value at no time, no key is taken that merely has other values in the rows seen.
  @Test func measurementsWithoutTimeHaveNoIdentity() async throws {
    let schema = try await InferredSchema(of: #"[{"u":-0.2,"v":0.3},{"u":0.1,"v":0.4}]"#)
    #expect(schema.text.contains("No key was found that identifies a row"), "\(schema.text)")
  }

  /// The keys of both rows, even if one of them does not repeat in so few rows.
  @Test func keysOfJoinRowsBecomeCompositeIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"[{"playlist_id":1,"track_id":3},{"playlist_id":1,"track_id":4}]"#)
    #expect(schema.text.contains(#"@PrimaryKey(\.playlistID, \.trackID)"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func keysOfSingleJoinRowBecomeCompositeIdentity() async throws {
    let schema = try await InferredSchema(of: #"[{"user_id":1,"repo_id":3,"count":4}]"#)
    #expect(schema.text.contains(#"@PrimaryKey(\.userID, \.repoID)"#), "\(schema.text)")
    #expect(schema.text.contains("because of their names: one row was seen."), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 1)
  }

  @Test func nestedRowsOfJoinRowBecomeCompositeIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"user":{"id":1,"login":"a"},"team":{"id":3,"size":1},"count":4},
         {"user":{"id":1,"login":"a"},"team":{"id":4,"size":2},"count":4}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(\.user, \.team)"#), "\(schema.text)")
    #expect(schema.text.contains("  user: User\n  team: Team\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2 && schema.rows(of: "User") == 1)
  }

  /// A thing with a name is more than the link of its author and its editor.
  @Test func rowWithALabelIsNotAJoinRow() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"label":"A","author":{"id":7},"editor":{"id":8}},{"label":"A","author":{"id":7},"editor":{"id":9}}]"#
    )
    #expect(!schema.text.contains(#"@PrimaryKey(\.author"#), "\(schema.text)")
  }

  @Test func titledRowWithTwoKeysIsNotAJoinRow() async throws {
    let schema = try await InferredSchema(
      of: #"[{"album_id":1,"track_id":3,"title":"A"},{"album_id":1,"track_id":4,"title":"B"}]"#)
    #expect(schema.text.contains("  @PrimaryKey trackID: Int\n"), "\(schema.text)")
  }

  /// As the measurements of Withings.
  @Test func identityInOneWordIsPreferredToADate() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"grpid":12,"date":1594245600,"deviceid":"a","timezone":"Europe/Paris"},
         {"grpid":13,"date":1594332000,"deviceid":"a","timezone":"Europe/Paris"}]
        """#)
    #expect(schema.text.contains("  @PrimaryKey grpid: Int\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// As the transactions of PayPal, whose payers have an identity, too.
  @Test func keyNamedAfterTheModelInAnObjectOfTheRowIsTheIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"row_info":{"row_id":"5TY05","total":1},"payer_info":{"account_id":"6STWC","email":"a@b.c"}},
         {"row_info":{"row_id":"5TY06","total":2},"payer_info":{"account_id":"7STWC","email":"b@b.c"}}]
        """#)
    let identity = #"@PrimaryKey(remote: "row_info.row_id") rowIDValue: String"#
    #expect(schema.text.contains(identity), "\(schema.text)")
    #expect(schema.text.contains(#"@RemoteKey("row_info.total") total: Int?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func subjectAndDateBecomeCompositeIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"date":"2024-01-01","home_team":"A","goals":1},{"date":"2024-01-02","home_team":"A","goals":1},
         {"date":"2024-01-01","home_team":"B","goals":2}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(\.homeTeam, \.date)"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 3)
    let city = try await InferredSchema(of: #"[{"city":"A","kind":"x"},{"city":"A","kind":"y"}]"#)
    #expect(city.text.contains("No key was found that identifies a row"), "\(city.text)")
  }

  @Test func keysOfMapBecomeRowIdentities() async throws {
    let schema = try await InferredSchema(of: #"{"x":{"a":{"n":1},"b":{"n":1}}}"#, at: "x{}")
    #expect(schema.text.contains("  id: String\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
    let other = try await InferredSchema(of: #"{"x":{"a":{"id":null},"b":{"id":1.5}}}"#, at: "x{}")
    #expect(other.text.contains("  @PrimaryKey key: String\n"), "\(other.text)")
    #expect(other.rows() == 2)
  }

  @Test func ownIDIsPreferredToMapKeyAsIdentity() async throws {
    let schema = try await InferredSchema(of: #"{"x":{"a":{"id":1},"b":{"id":2}}}"#, at: "x{}")
    #expect(schema.text.contains("  id: Int\n"), "\(schema.text)")
  }

  /// Rows in another row, which only some rows have.
  @Test(arguments: [#""owner":null,"#, ""])
  func nestedRowPresentInSomeRowsBecomesModel(absent: String) async throws {
    let schema = try await InferredSchema(
      of: #"[{\#(absent)"id":1,"name":"a"},{"id":2,"name":"b","owner":{"id":7,"login":"x"}}]"#)
    #expect(schema.text.contains("model Owner {"), "\(schema.text)")
    #expect(schema.isClean && schema.rows(of: "Owner") == 1)
  }

  /// As a row it could not be stored.
  @Test func objectLackingIdentityInSomeRowsBecomesStruct() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"owner":{"login":"y"}},{"id":2,"owner":{"id":7,"login":"x"}}]"#)
    #expect(schema.text.contains("struct Owner {"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func identityFromSingleRowIsCommentedAsGuess() async throws {
    let schema = try await InferredSchema(of: #"[{"slug":"a","w":1.5}]"#)
    #expect(
      schema.text.contains("// Chosen as the identity because of its name: one row was seen."),
      "\(schema.text)")
  }
}
