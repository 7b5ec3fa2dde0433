import Testing

/// What is proposed for payloads with the habits of well-known services.
@Suite struct InferredServicesTests {
  @Test func referencesHaveTheModelOfTheirRows() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"a1b2c3d4-0000-4000-8000-000000000001","title":"A","text":"a","parent":null,
          "children":[{"id":"a1b2c3d4-0000-4000-8000-000000000002"}]},
         {"id":"a1b2c3d4-0000-4000-8000-000000000002","title":"B","text":"b","children":[],
          "parent":{"id":"a1b2c3d4-0000-4000-8000-000000000001"}}]
        """#)
    #expect(
      schema.text.contains(" parent: Row?\n"), "\(schema.text)")
    #expect(schema.text.contains(#"@Relationship(inverse: \Row.parent) children"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// Small integers are identities of rows of many kinds.
  @Test(arguments: [("1", "2"), (#""1""#, #""2""#)])
  func smallIntegersAreNotTakenForReferences(first: String, second: String) async throws {
    let schema = try await InferredSchema(
      of: """
        [{"id":\(first),"title":"A","place":{"id":\(second)}},
         {"id":\(second),"title":"B","place":{"id":\(first)}}]
        """)
    #expect(schema.text.contains("  place: Place?\n"), "\(schema.text)")
  }

  /// Among languages, `id` is Indonesian.
  @Test func textsInSeveralLanguagesAreNotRows() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"a","texts":{"en":"A","de":"A","id":"","zh-TW":"A"}},
         {"id":"b","texts":{"en":"B","de":"B","id":"","zh-TW":"B"}}]
        """#)
    #expect(schema.text.contains("struct Texts {"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
    let words = try await InferredSchema(of: #"[{"id":"a","word":{"id":7,"en":"A","de":"A"}}]"#)
    #expect(words.text.contains("model Word {"), "\(words.text)")
  }

  @Test func nestedPartOfARowHasTheModelOfTheRow() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"31","account":{"id":"14715","username":"t","url":"https://a/t","followers":3,"bot":false,"note":"n",
          "avatar":"https://a/x"},"mentions":[{"id":"14715","username":"t","url":"https://a/t"}]}]
        """#)
    #expect(schema.text.contains("  mentions: [Account]\n"), "\(schema.text)")
  }

  @Test(arguments: [
    #"""
    [{"id":1,"fields":[{"id":2,"name":"State","kind":"a","value":"x"},{"id":3,"name":"B","kind":"a","value":"b"}]},
     {"id":2,"fields":[{"id":2,"name":"State","kind":"a","value":"y"},{"id":3,"name":"B","kind":"a","value":"b"}]}]
    """#,
    #"""
    [{"id":1,"fields":[{"id":2,"name":"State","value":true}]},{"id":2,"fields":[{"id":2,"name":"State","value":null}]}]
    """#,
    #"""
    [{"id":1,"fields":[{"id":"2","name":"N","type":"n","number_value":1},{"id":"3","type":"e","enum_value":"x"}]},
     {"id":2,"fields":[{"id":"2","name":"N","type":"n","number_value":2},{"id":"3","type":"e","enum_value":"x"}]},
     {"id":3,"fields":[{"id":"2","name":"N","type":"n","number_value":3},{"id":"3","type":"e","enum_value":"x"}]}]
    """#,
  ])
  func customFieldValuesAreStructs(payload: String) async throws {
    let schema = try await InferredSchema(of: payload)
    #expect(!schema.text.contains("model Field"), "\(schema.text)")
    #expect(schema.isClean && schema.keepsAllRows)
  }

  @Test func modelOfUserRolesIsNamedUser() async throws {
    let github = try await InferredSchema(
      of:
        #"[{"id":1,"assignee":{"id":7,"login":"a","type":"User"},"creator":{"id":8,"login":"b","type":"User"}}]"#
    )
    #expect(github.text.contains("  creator: User?\n"), "\(github.text)")
    let jira = try await InferredSchema(
      of: #"""
        [{"id":1,"lead":{"accountId":"a","displayName":"A"},"assignee":{"accountId":"b","displayName":"B"},
          "reporter":{"accountId":"c","displayName":"C"}}]
        """#)
    #expect(jira.text.contains("  lead: User?\n"), "\(jira.text)")
    let discord = try await InferredSchema(
      of: #"[{"id":1,"author":{"id":"7","discriminator":"9999"}}]"#)
    #expect(discord.text.contains("  author: Author?\n"), "\(discord.text)")
  }

  /// A `type` that is the same at two positions does not make one model of objects with other keys.
  @Test func equalTypeAloneDoesNotMergeModels() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"type":"row","id":"1","state":"open","read":true,
          "source":{"type":"row","id":"9","subject":"s","body":"b","url":"https://a/b"}}]
        """#)
    #expect(schema.text.contains("  source: Source?\n"), "\(schema.text)")
  }

  /// PagerDuty's references have the same keys and different types.
  @Test func referencesOfDifferentTypesAreSeparateModels() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":"1","service":{"id":"P1","type":"service_reference","summary":"s","self":"https://a/1"},
          "policy":{"id":"P2","type":"policy_reference","summary":"p","self":"https://a/2"}}]
        """#)
    #expect(schema.text.contains("  policy: Policy?\n"), "\(schema.text)")
  }

  @Test func odataAnnotationsDoNotAffectTheKeyStyle() async throws {
    let schema = try await InferredSchema(
      of: #"[{"@odata.etag":"x","CustomerId":"a","CompanyName":"A","Rating":3}]"#)
    #expect(schema.text.contains("keyStyle: pascalCase"), "\(schema.text)")
    #expect(schema.text.contains("  companyName: String?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func nestedJSONLDRowsAreIdentifiedByAtID() async throws {
    let schema = try await InferredSchema(
      of: #"[{"@id":"/books/1","title":"A","author":{"@id":"/authors/1","name":"Ada"}}]"#)
    #expect(
      schema.text.contains("  author: Author?\n") && schema.text.contains("model Author {"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func halSelfLinkIsTheIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"_links":{"self":{"href":"/orders/1"},"next":{"href":"/x"}},"total":3.5,"currency":"USD"},
         {"_links":{"self":{"href":"/orders/2"},"next":{"href":"/x"}},"total":3.5,"currency":"USD"}]
        """#)
    #expect(schema.text.contains(#"@PrimaryKey(remote: "_links.self.href") id: String"#), "\(schema.text)")
    #expect(schema.text.contains(#"@RemoteKey("_links.next") next: Next?"#), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// Launchpad's bug tasks have no other identity, and their titles change.
  @Test func linkToTheRowItselfIsTheIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"title":"Bug #1: a","self_link":"https://a/1","bug_link":"https://a/b1","status":"New"},
         {"title":"Bug #2: b","self_link":"https://a/2","bug_link":"https://a/b2","status":"New"}]
        """#)
    #expect(schema.text.contains("@PrimaryKey selfLink: String\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  /// OpenProject has a link for each relationship.
  @Test func equalMembersOfLinksAreOneStruct() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"_links":{"next":{"href":"/w/2","title":"B"},"project":{"href":"/p/1","title":"P"},
          "status":{"href":"/s/1","title":"New"}}}]
        """#)
    #expect(
      schema.text.contains("struct Links {\n  next: Link?\n  project: Link?\n  status: Link?\n}"),
      "\(schema.text)")
    #expect(
      schema.text.contains("// Merged into one struct, because their keys match: Next, Project, Status.\n"),
      "\(schema.text)")
    #expect(schema.isClean)
  }

  /// Bitbucket
  @Test func commonNameMayBeThatOfTheSecondStruct() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"merge_commit":{"type":"commit","hash":"a1"},"commit":{"type":"commit","hash":"b2"},
          "last_commit":{"type":"commit","hash":"c3"}}]
        """#)
    #expect(
      schema.text.contains("  mergeCommit: Commit?\n  commit: Commit?\n  lastCommit: Commit?\n"),
      "\(schema.text)")
    #expect(schema.isClean)
  }

  /// As in Square: a fee of 34 cents does not show that amounts are cents, but the total does.
  @Test(arguments: [
    ("599", "34", "Int"), ("34", "599", "Int"), ("34", "5.5", "Double"), ("5.5", "34", "Double"),
  ])
  func structsWithIntegersAndFractionsAreMerged(total: String, fee: String, type: String) async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"total_money":{"amount":\#(total),"currency":"USD"},
          "fee_money":{"amount":\#(fee),"currency":"USD"}}]
        """#)
    #expect(schema.text.contains("  feeMoney: Money?\n"), "\(schema.text)")
    #expect(schema.text.contains("  amount: \(type)?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func equalStructsAreMerged() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"price":{"shop_money":{"amount":"1.50","currency_code":"USD"},
          "local_money":{"amount":"1.50","currency_code":"USD"}},
          "author":{"accountId":"a","zone":"x"},"reporter":{"accountId":"b","zone":"x"}}]
        """#)
    #expect(schema.text.contains("  shopMoney: Money?\n  localMoney: Money?\n"), "\(schema.text)")
    #expect(schema.text.contains("struct User {"), "\(schema.text)")
    #expect(
      schema.text.contains("// Merged into one struct, because their keys match: ShopMoney, LocalMoney.\n"),
      "\(schema.text)")
    let sizes = try await InferredSchema(
      of: #"[{"id":1,"sizes":{"small":{"w":1,"resize":"fit"},"large":{"w":9,"resize":"crop"}}}]"#)
    #expect(sizes.text.contains("  small: Size?\n  large: Size?\n"), "\(sizes.text)")
    let others = try await InferredSchema(
      of: #"[{"id":1,"left":{"w":1,"resize":"fit"},"right":{"w":9,"resize":"crop"}}]"#)
    #expect(others.text.contains("  right: Right?\n"), "\(others.text)")
    #expect(schema.isClean && sizes.isClean)
  }

  /// As in an order of Shopify, in which each amount is in two currencies.
  @Test func manyEqualStructsAreOne() async throws {
    let money = #"{"amount":"1.50","currency_code":"USD"}"#
    let set = #"{"shop_money":\#(money),"local_money":\#(money)}"#
    let schema = try await InferredSchema(
      of: """
        [{"id":1,"sum_price_set":\(set),"sum_discounts_set":\(set),"total_price_set":\(set),
          "lines":[{"title":"a","price_set":\(set)}]}]
        """)
    #expect(schema.text.ranges(of: "shopMoney: ").count == 1, "\(schema.text)")
    for names in ["ShopMoney, LocalMoney", "SumPriceSet, SumDiscountsSet, TotalPriceSet, PriceSet"] {
      #expect(schema.text.contains("because their keys match: \(names).\n"), "\(schema.text)")
    }
    let wrapped = #"{"en":{"language":"en","value":"a"},"de":{"language":"de","value":"a"}}"#
    let texts = try await InferredSchema(of: #"[{"id":1,"labels":\#(wrapped),"names":\#(wrapped)}]"#)
    #expect(texts.text.contains("because their keys match: En, De.\n"), "\(texts.text)")
    #expect(!texts.text.contains("NamesDe"), "\(texts.text)")
    #expect(schema.isClean && texts.isClean)
  }

  @Test func objectsWithOnlyTrueMembersAreMaps() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"groups":{"a":true,"b":true}},{"id":2,"groups":{"c":true}},{"id":3,"groups":{"d":true}}]"#)
    #expect(schema.text.contains("  groups: [String: Bool]?\n"), "\(schema.text)")
    let flags = try await InferredSchema(
      of:
        #"[{"id":1,"can":{"a":true,"b":true}},{"id":2,"can":{"a":true,"b":true,"c":true}},{"id":3,"can":{"a":true,"b":true}}]"#
    )
    #expect(flags.text.contains("struct Can {"), "\(flags.text)")
  }

  /// GitHub's pull requests.
  @Test func equalKeysOfTwoObjectsAreNamedAfterBoth() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"head":{"ref":"a","repo":{"id":7,"name":"x"}},"base":{"ref":"b","repo":{"id":8,"name":"y"}},
          "team":{"size":2,"lead":{"id":4,"login":"a"}},"lead":{"id":5,"login":"b"}}]
        """#)
    for line in [
      #"@RemoteKey("head.repo") headRepo: Repo?"#, #"@RemoteKey("base.repo") baseRepo: Repo?"#,
      #"@RemoteKey("team.lead") teamLead: Lead?"#, "lead: Lead?", #"@RemoteKey("team.size") size: Int?"#,
    ] { #expect(schema.text.contains("  \(line)\n"), "\(schema.text)") }
    #expect(schema.isClean && schema.keepsAllRows)
    let players = try await InferredSchema(
      of: #"[{"id":1,"players":{"white":{"user":{"id":"a"},"elo":9},"black":{"user":{"id":"b"},"elo":8}}}]"#)
    for line in [
      #"@RemoteKey("players.white.user") whiteUser: User?"#,
      #"@RemoteKey("players.black.elo") blackElo: Int?"#,
    ] { #expect(players.text.contains("  \(line)\n"), "\(players.text)") }
  }

  @Test func modelOfResultsIsNamedAfterTheEnclosingKey() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id":1,"companies":{"results":[{"id":"900","name":"A"}]},"cart":{"items":[{"id":"5","name":"x"}]}}]"#
    )
    #expect(schema.text.contains(#"@RemoteKey("companies.results") companies: [Company]"#), "\(schema.text)")
    #expect(schema.text.contains(#"@RemoteKey("cart.items") items: [Item]"#), "\(schema.text)")
    let capital = try await InferredSchema(
      of: #"[{"Id":1,"FirstName":"x","Companies":{"Items":[{"Id":"900","Name":"A"}],"TotalCount":1}}]"#)
    #expect(capital.text.contains(#"@RemoteKey("Companies.Items") companies: [Company]"#), "\(capital.text)")
  }

  @Test func membersOfFieldsArePropertiesOfTheRow() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":"us1","type":"Feature","properties":{"mag":1.2,"type":"earthquake"}}]"#)
    #expect(schema.text.contains(#"@RemoteKey("properties.mag") mag: Double?"#), "\(schema.text)")
    #expect(schema.text.contains(#"@RemoteKey("properties.type") propertiesType: String?"#), "\(schema.text)")
    let rows = (1...200).map { #"{"id":\#($0),"fields":{"name":"N","size":\#($0 == 7 ? "null" : "1")}}"# }
    let many = try await InferredSchema(of: "[\(rows.joined(separator: ","))]")
    #expect(many.text.contains(#"@RemoteKey("fields.name") name: String"# + "\n"), "\(many.text)")
    #expect(many.text.contains(#"@RemoteKey("fields.size") size: Int?"#), "\(many.text)")
    #expect(schema.isClean && many.isClean)
  }

  @Test func unixTimesInStringsAreDates() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":"a","date_created":"1567780450202","size":"1567780450202"}]"#)
    #expect(
      schema.text.contains("  dateCreated: Date?\n") && schema.text.contains("  size: String?\n"),
      "\(schema.text)")
    #expect(schema.isClean)
  }
}
