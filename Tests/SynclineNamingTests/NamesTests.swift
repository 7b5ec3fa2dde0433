import SynclineNaming
import Testing

@Suite struct NamesTests {
  @Test(arguments: [
    ("projectID", "project_id"), ("remoteURL", "remote_url"), ("HTTPServer", "http_server"),
    ("URLString", "url_string"), ("sha256Hash", "sha256_hash"), ("line2", "line2"),
    ("createdAt", "created_at"), ("isHTTP2", "is_http2"), ("apiURLString", "api_url_string"),
    ("userIDs", "user_ids"), ("imageURLs", "image_urls"), ("already_snake", "already_snake"),
    ("userIDsToLoad", "user_ids_to_load"), ("HTTPServers", "http_servers"), ("a", "a"), ("", ""),
    ("Ångström", "ångström"), ("ID", "id"), ("IDs", "ids"), ("aBC", "a_bc"), ("isOK", "is_ok"),
  ])
  func snakeCase(name: String, snake: String) {
    #expect(Names.snake(name) == snake)
  }

  @Test(arguments: [
    ("projectID", "projectId"), ("remoteURL", "remoteUrl"), ("HTTPServer", "httpServer"),
    ("userIDs", "userIds"), ("already_snake", "alreadySnake"), ("createdAt", "createdAt"),
    ("_hidden_name", "_hiddenName"), ("isHTTP2", "isHttp2"),
  ])
  func camelCase(name: String, camel: String) {
    #expect(Names.camel(name) == camel)
  }

  @Test(arguments: [
    ("projectID", "ProjectId", "project-id"), ("remoteURL", "RemoteUrl", "remote-url"),
    ("isHTTP2", "IsHttp2", "is-http2"), ("already_snake", "AlreadySnake", "already-snake"),
    ("name", "Name", "name"), ("_hidden_name", "_HiddenName", "_hidden-name"), ("", "", ""),
  ])
  func pascalAndKebabCase(name: String, pascal: String, kebab: String) {
    #expect(KeyStyle.pascalCase.transform(name) == pascal)
    #expect(KeyStyle.kebabCase.transform(name) == kebab)
  }

  @Test func keysInPascalCaseHaveSeveralSpellings() {
    #expect(
      KeyCandidates.scalar("projectID", style: .pascalCase) == ["ProjectId", "ProjectID", "projectID"])
    #expect(
      KeyCandidates.toOne("apiURL", style: .pascalCase) == [
        "ApiUrlId", "ApiUrlID", "ApiURLId", "ApiURLID", "ApiUrl", "ApiURL", "apiURL",
      ])
    #expect(
      KeyCandidates.toMany("orders", style: .pascalCase) == [
        "OrdersIds", "OrdersIDs", "OrderIds", "OrderIDs", "Orders", "orders",
      ])
    #expect(
      KeyCandidates.scalar("x", explicit: ["stateInfo.itemID"], style: .pascalCase)
        == ["stateInfo.itemID", "StateInfo.ItemId"])
    #expect(KeyCandidates.toOne("leadUser", style: .kebabCase) == ["lead-user-id", "lead-user", "leadUser"])
  }

  /// Generated code lists the keys of two styles; those of the others are inferred from them.
  @Test(arguments: [
    ("details", ["description"]), ("projectID", []), ("tags", ["entities.hashTags", "b"]),
    ("project", ["project_id"]), ("courses", []), ("subject", ["x.y[0].z"]),
  ])
  func pascalAndKebabKeysAreInferred(name: String, explicit: [String]) {
    for style in [KeyStyle.pascalCase, .kebabCase] {
      for form in [KeyCandidates.Form.scalar, .toOne, .toMany] {
        func keys(_ style: KeyStyle) -> [String] {
          switch form {
          case .scalar: KeyCandidates.scalar(name, explicit: explicit, style: style)
          case .toOne: KeyCandidates.toOne(name, explicit: explicit, style: style)
          case .toMany: KeyCandidates.toMany(name, explicit: explicit, style: style)
          }
        }
        let inferred = KeyCandidates.keys(
          of: name, form, snake: keys(.snakeCase), camel: keys(.camelCase), in: style)
        #expect(inferred == keys(style))
      }
    }
  }

  @Test func scalarKeysFollowTheStyleThenTheNameAsWritten() {
    #expect(KeyCandidates.scalar("projectID", style: .snakeCase) == ["project_id", "projectID"])
    #expect(KeyCandidates.scalar("projectID", style: .camelCase) == ["projectId", "projectID"])
    #expect(KeyCandidates.scalar("details", explicit: ["description"], style: .snakeCase) == ["description"])
    #expect(
      KeyCandidates.scalar("x", explicit: ["stateInfo.itemID"], style: .snakeCase)
        == ["stateInfo.itemID", "state_info.item_id"])
  }

  @Test func identityKeysHaveAliases() {
    #expect(KeyCandidates.identity("id", style: .snakeCase) == ["id", "remote_id", "remoteID"])
    #expect(
      KeyCandidates.identity("remoteID", style: .camelCase) == ["remoteId", "remoteID", "id", "remote_id"])
    #expect(KeyCandidates.identity("id", explicit: ["ext_id"], style: .snakeCase) == ["ext_id"])
    #expect(KeyCandidates.identity("id", style: .snakeCase, takenKeys: ["remote_id"]) == ["id", "remoteID"])
    #expect(KeyCandidates.identity("uuid", style: .snakeCase) == ["uuid"])
  }

  @Test func relationshipKeysFollowTheKeyStyle() {
    #expect(KeyCandidates.toOne("project", style: .snakeCase) == ["project_id", "project"])
    #expect(KeyCandidates.toOne("leadUser", style: .camelCase) == ["leadUserId", "leadUser"])
    #expect(
      KeyCandidates.toMany("categories", style: .snakeCase)
        == ["categories_ids", "category_ids", "categorie_ids", "categories"])
    #expect(KeyCandidates.toMany("tags", style: .camelCase) == ["tagsIds", "tagIds", "tags"])
    #expect(
      KeyCandidates.toMany("tags", explicit: ["entities.hashtags"], style: .snakeCase) == [
        "entities.hashtags"
      ])
    #expect(KeyCandidates.toManyKey("grandChildren", style: .camelCase) == "grandChildIds")
    #expect(KeyCandidates.toOneKey("project", style: .snakeCase) == "project_id")
  }
}
