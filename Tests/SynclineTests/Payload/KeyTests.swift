import Syncline
import SynclineTesting
import Testing

@Suite struct KeyTests {
  /// The value of a property after a row with the given members is synced.
  private func value(
    _ property: String, _ members: String, _ style: KeyStyle = .snakeCase
  ) async throws -> SyncJSON? {
    let container = try SyncContainer(for: Keyed.self, configuration: SyncConfiguration(keyStyle: style))
    let item = "{\"id\": 1, \(members)}"
    try await container.sync(item: item, as: Keyed.self)
    #expect(try await container.sync(item: item, as: Keyed.self).isUnchanged)
    let inserted = try container.rows(of: Keyed.self)[0][property]
    let other = try SyncContainer(for: Keyed.self, configuration: SyncConfiguration(keyStyle: style))
    try await other.sync(item: #"{"id": 1}"#, as: Keyed.self)
    try await other.sync(item: item, as: Keyed.self)
    #expect(try other.rows(of: Keyed.self)[0][property] == inserted)
    return inserted
  }

  @Test func propertyNameIsReadInTheKeyStyleThenAsWritten() async throws {
    #expect(try await value("projectID", #""project_id": 1, "projectID": 2"#) == 1)
    #expect(try await value("projectID", #""projectID": 2"#) == 2)
    #expect(try await value("projectID", #""projectId": 1, "projectID": 2"#, .camelCase) == 1)
    #expect(try await value("projectID", #""projectID": 2"#, .camelCase) == 2)
    #expect(try await value("remoteURL", #""remote_url": "/a""#) == "/a")
    #expect(try await value("remoteURL", #""remoteUrl": "/a""#, .camelCase) == "/a")
    #expect(try await value("isHTTP2", #""is_http2": true"#) == true)
    #expect(try await value("isHTTP2", #""isHttp2": true"#, .camelCase) == true)
    #expect(try await value("userIDs", #""user_ids": [1]"#) == [1])
    #expect(try await value("userIDs", #""userIds": [1]"#, .camelCase) == [1])
    #expect(try await value("snake_name", #""snake_name": "a""#) == "a")
    #expect(try await value("snake_name", #""snakeName": "a", "snake_name": "b""#, .camelCase) == "a")
    #expect(try await value("snake_name", #""snake_name": "b""#, .camelCase) == "b")
  }

  @Test func keysOfAnotherStyleAreIgnored() async throws {
    #expect(try await value("projectID", #""projectId": 1"#) == .null)
    #expect(try await value("projectID", #""project_id": 1"#, .camelCase) == .null)
    #expect(try await value("snake_name", #""snakeName": "a""#) == .null)
    #expect(try await value("userIDs", #""user_ids": [1]"#, .camelCase) == .null)
    #expect(try await value("projectID", #""PROJECT_ID": 1, "ProjectID": 2, "projectid": 3"#) == .null)
  }

  @Test func explicitKeyIsReadAsWrittenThenInTheKeyStyle() async throws {
    #expect(try await value("title", #""fullName": "a", "full_name": "b""#) == "a")
    #expect(try await value("title", #""full_name": "b""#) == "b")
    #expect(try await value("title", #""fullName": "a""#, .camelCase) == "a")
    #expect(try await value("title", #""full_name": "b""#, .camelCase) == .null)
    #expect(try await value("details", #""description": "a""#) == "a")
  }

  @Test func anExplicitKeyReplacesTheName() async throws {
    #expect(try await value("details", #""details": "a""#) == .null)
    #expect(try await value("title", #""title": "a""#) == .null)
    #expect(try await value("email", #""email": "a""#) == .null)
  }

  @Test func keyPathIsReadAsWrittenThenInTheKeyStyle() async throws {
    #expect(
      try await value("phone", #""userInfo": {"homePhone": "a"}, "user_info": {"home_phone": "b"}"#) == "a")
    #expect(try await value("phone", #""user_info": {"home_phone": "b"}"#) == "b")
    #expect(try await value("phone", #""user_info": {"homePhone": "c"}"#) == .null)
    #expect(try await value("phone", #""userInfo": {"home_phone": "c"}"#) == .null)
    #expect(try await value("phone", #""userInfo": {"homePhone": "a"}"#, .camelCase) == "a")
    #expect(try await value("phone", #""user_info": {"home_phone": "b"}"#, .camelCase) == .null)
    #expect(try await value("deep", #""a": {"b": {"c": {"d": {"e": 7}}}}"#) == 7)
  }

  @Test func aLiteralKeyWithTheDotWinsOverThePath() async throws {
    #expect(
      try await value("email", #""profile": {"email": "path"}, "profile.email": "literal""#) == "literal")
    #expect(try await value("email", #""profile": {"email": "path"}, "profile.email": null"#) == .null)
    #expect(try await value("email", #""profile": {"email": "path"}, "profile.email": {}"#) == "path")
    #expect(try await value("deep", #""a.b": {"c": {"d": {"e": 7}}}"#) == 7)
    #expect(try await value("phone", #""user_info.home_phone": "b""#) == "b")
  }

  @Test func unreadableKeyFallsBackToTheNextCandidate() async throws {
    #expect(try await value("projectID", #""project_id": "x", "projectID": 2"#) == 2)
    #expect(try await value("title", #""fullName": {}, "full_name": "b""#) == "b")
    #expect(try await value("phone", #""userInfo": 5, "user_info": {"home_phone": "b"}"#) == "b")
    #expect(
      try await value("phone", #""userInfo": {"homePhone": []}, "user_info": {"home_phone": "b"}"#) == "b")
    #expect(try await value("projectID", #""project_id": [], "projectID": "y""#) == .null)
  }

  @Test func nullIsUsedInsteadOfTheNextCandidate() async throws {
    #expect(try await value("projectID", #""project_id": null, "projectID": 2"#) == .null)
    #expect(try await value("phone", #""userInfo": null, "user_info": {"home_phone": "b"}"#) == .null)
    #expect(try await value("projectID", #""project_id": "x", "projectID": null"#) == .null)
  }

  @Test func theProblemNamesTheFirstUnreadableKey() async throws {
    let container = try SyncContainer(for: Keyed.self)
    let report = try await container.sync(
      payload: #"{"rows": [{"id": 1, "project_id": [], "projectID": "y", "profile": {"email": {}}}]}"#,
      at: "rows",
      as: Keyed.self)
    #expect(report.problems.map(\.path) == ["rows[0].project_id", "rows[0].profile.email"])
  }

  @Test func exportWritesTheFirstCandidateKey() async throws {
    let item = #"""
      {"id": 1, "project_id": 2, "full_name": "t", "projectId": 2, "fullName": "t", "profile": {"email": "e"},
       "userInfo": {"homePhone": "p"}, "a": {"b": {"c": {"d": {"e": 7}}}}, "description": "d"}
      """#
    let expected: [(KeyStyle, String)] = [
      (.snakeCase, "project_id is_http2 remote_url user_ids snake_name"),
      (.camelCase, "projectId isHttp2 remoteUrl userIds snakeName"),
    ]
    for (style, names) in expected {
      let container = try SyncContainer(for: Keyed.self, configuration: SyncConfiguration(keyStyle: style))
      try await container.sync(item: item, as: Keyed.self)
      let body = try await container.export(as: Keyed.self)[0]
      let keys = Set(body.object?.keys ?? [])
      let fixed = ["id", "description", "fullName", "profile", "userInfo", "a", "settings"]
      #expect(keys == Set(fixed + names.split(separator: " ").map(String.init)))
      #expect(body["profile"] == ["email": "e"])
      #expect(body["userInfo"] == ["homePhone": "p"])
      #expect(body["a"] == ["b": ["c": ["d": ["e": 7]]]])
      #expect(body["settings"] == ["theme": ["name": "light"]])
      #expect(try await container.sync(payload: SyncJSON.array([body]), as: Keyed.self).isUnchanged)
    }
  }
}
