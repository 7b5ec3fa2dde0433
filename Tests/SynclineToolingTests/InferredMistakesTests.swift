import Testing

/// Payloads of public APIs whose first proposal would have failed for later payloads, or lost values.
@Suite struct InferredMistakesTests {
  private func list(_ rows: [String]) -> String { "[\(rows.joined(separator: ","))]" }

  /// Labels and issues of Linear both have a `parent`.
  @Test func parentsOfTwoTreesAreTwoModels() async throws {
    let team = #"{"id": 7, "name": "T", "parent": {"id": 3, "name": "U"}}"#
    let schema = try await InferredSchema(
      of: list([
        #"{"id": 20001, "name": "A", "parent": null, "team": \#(team)}"#,
        #"{"id": 20002, "name": "B", "parent": {"id": 20001}, "team": \#(team)}"#,
      ]))
    #expect(schema.rows() == 2 && schema.isClean && schema.keepsAllRows, "\(schema.text)")
  }

  @Test func ratesOfCurrenciesAreAMap() async throws {
    let schema = try await InferredSchema(of: #"[{"id": 1, "rates": {"USD": 1, "AUD": 1.566, "JPY": 150}}]"#)
    #expect(
      schema.text.contains("  rates: [String: Double]?\n") && !schema.text.contains("keyStyle"),
      "\(schema.text)")
  }

  /// CoinGecko: a coin that is on no platform.
  @Test func objectWithAnEmptyKeyIsJSON() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id": "btc", "platforms": {"": ""}, "details": {"": {"decimals": null}}}]"#)
    #expect(schema.text.contains("  platforms: JSON?\n  details: JSON?\n}"), "\(schema.text)")
    #expect(!schema.text.contains("struct"), "\(schema.text)")
  }

  /// A list of films with one numeric title.
  @Test func dateOfATitledThingIsNoIdentity() async throws {
    let schema = try await InferredSchema(
      of: #"[{"title": 1776, "release_date": "1998-01-02"}, {"title": "B", "release_date": "1998-02-03"}]"#)
    #expect(schema.text.contains("No key was found that identifies a row"), "\(schema.text)")
  }

  @Test(arguments: ["etag", "cursor"]) func markOfAVersionIsNoIdentity(key: String) async throws {
    let rows = (10..<30).map { #"{"\#(key)": "x\#($0)", "body": "t"}"# }
    let schema = try await InferredSchema(of: list(rows))
    #expect(schema.text.contains("No key was found that identifies a row"), "\(schema.text)")
  }

  /// OpenWeather: the identity is that of a condition, and the icon depends on the time of day.
  @Test func objectsThatReturnToEarlierValuesAreNoRows() async throws {
    let rows = (0..<8).map { hour in
      let icon = hour % 2 == 0 ? "10d" : "10n"
      return """
        {"dt": \(1_661_871_600 + hour * 10_800), "weather":
        [{"id": 500, "main": "Rain", "description": "light rain", "icon": "\(icon)"}]}
        """
    }
    let schema = try await InferredSchema(of: list(rows))
    #expect(schema.text.contains("struct Weather {") && schema.keepsAllRows, "\(schema.text)")
  }

  @Test func identitiesWithAPrefixAndPeopleAreNoEnums() async throws {
    let customers = ["cus_NffrFeUf5V2Hib", "cus_4QFJOjw2pOmAGJ", "cus_9s6XKzkNRiz8i3"]
    let authors = ["ann", "ben", "cleo"]
    let rows = (0..<24).map { number in
      #"{"id": \#(number), "customer": "\#(customers[number % 3])", "author": "\#(authors[number % 3])"}"#
    }
    let schema = try await InferredSchema(of: list(rows))
    #expect(!schema.text.contains("enum"), "\(schema.text)")
  }

  /// ClickUp: `orderindex` equals the identity of the priority.
  @Test func copyOfARepeatedIdentityIsNoRelationship() async throws {
    let rows = [1, 2, 3, 1, 2, 3].enumerated().map { index, rank in
      #"{"id": "t\#(index)", "rank": {"id": "\#(rank)", "orderindex": "\#(rank)"}}"#
    }
    let schema = try await InferredSchema(of: list(rows))
    #expect(schema.text.contains("  orderindex: String"), "\(schema.text)")
  }

  @Test func versionLikeADayIsAString() async throws {
    let schema = try await InferredSchema(of: #"[{"id": "evt_1", "api_version": "2022-11-15"}]"#)
    #expect(schema.text.contains("  apiVersion: String?\n"), "\(schema.text)")
  }

  @Test func wholeNumbersOfMeasurementsMayGetFractions() async throws {
    let schema = try await InferredSchema(of: #"[{"id": 1, "max_speed": 11, "temp": 21, "hours": 4}]"#)
    for name in ["maxSpeed", "temp", "hours"] {
      #expect(schema.text.contains("  \(name): Double?\n"), "\(schema.text)")
    }
  }

  /// Stripe states the same amount twice.
  @Test func amountInCentsHasATwinInAString() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id": "a", "currency": "usd", "unit_amount": 1000, "unit_amount_decimal": "1000"}]"#)
    #expect(schema.text.contains("  unitAmount: Int?\n"), "\(schema.text)")
  }

  /// Jira has the properties of issues in `fields`.
  @Test func parentWithItsPropertiesInFieldsIsOfTheSameModel() async throws {
    func issue(_ id: Int, _ summary: String, _ more: String = "") -> String {
      """
      {"id": "\(10000 + id)", "key": "P-\(id)",
       "fields": {"summary": "\(summary)", "issuetype": {"id": "1", "name": "Bug"}\(more)}}
      """
    }
    let schema = try await InferredSchema(
      of: list([
        issue(1, "a", #", "parent": \#(issue(0, "z"))"#), issue(2, "b", #", "parent": \#(issue(1, "a"))"#),
      ]))
    #expect(schema.text.contains(#"  @RemoteKey("fields.parent") parent: Row?"#), "\(schema.text)")
    #expect(schema.rows() == 3, "\(schema.text)")
  }

  @Test func momentsWithTheNamesOfPeriodsAreDates() async throws {
    let schema = try await InferredSchema(
      of:
        #"[{"id": 1, "current_period_end": 1700000000, "first_seen": 1700000000, "date_done": "1700000000000"}]"#
    )
    for name in ["currentPeriodEnd", "firstSeen", "dateDone"] {
      #expect(schema.text.contains("\(name): Date?"), "\(schema.text)")
    }
  }
}
