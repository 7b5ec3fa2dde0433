import Syncline
import SynclineTooling
import Testing

/// `@Relationship(by:)`: keys are the values of another property than the identity.
@Suite struct LookupTests {
  private static let schema = #"""
    model Country { id: Int; @Unique code: String?; name: String? }
    model City {
      id: Int
      name: String
      @RemoteKey("country_code") @Relationship(by: \Country.code) country: Country?
    }
    """#

  private static let cities = #"[{"id": 5, "name": "B", "country_code": "CH"}]"#
  private static let countries = #"[{"id": 1, "code": "CH", "name": "S"}]"#
  private static let links = "SELECT id, country FROM City ORDER BY id"
  private let folder = TemporaryFolder()

  /// What the payload says of the row that a pending key is found to name.
  @Test func foundRowsOwnListOverridesAPendingLink() async throws {
    let store = try TextStore(
      #"""
      model Tag { id: Int; @Unique slug: String?; items: [Item] }
      model Item { id: Int; @Relationship(by: \Tag.slug) tag: Tag? }
      """#)
    try await store.sync(#"[{"id": 5}]"#, as: "Tag")
    try await store.sync(#"[{"id": 1, "tag_id": "a"}]"#, as: "Item")
    let tags = #"[{"id": 5, "slug": "a", "items": []}]"#
    try await store.sync(tags, as: "Tag")
    #expect(try await store.rows("SELECT tag FROM Item") == ["-"])
    #expect(try await store.sync(tags, as: "Tag").isUnchanged)
  }

  private func makeLinked() async throws -> TextStore {
    let store = try TextStore(LookupTests.schema)
    try await store.sync(LookupTests.countries, as: "Country")
    try await store.sync(LookupTests.cities, as: "City")
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    return store
  }

  /// Syncs the lists of one body.
  @discardableResult
  private func sync(_ body: String, _ names: [String], in store: TextStore) async throws -> SyncReport {
    func add<Model: SyncUpdatableModel>(_ path: String, _ model: Model.Type, to parts: inout SyncBody) {
      parts.list(path, as: model)
    }
    let models = try names.map { ($0, try store.model($0)) }
    return try await store.container.sync(payload: body) { parts in
      for (name, model) in models { add(name, model, to: &parts) }
    }
  }

  // MARK: Keys

  /// Tracked case 24.
  @Test(arguments: 0...2) func keyNamesTheRowThatKeepsTheUniqueValue(place: Int) async throws {
    let store = try TextStore(
      """
      model Trip { id: Int; @Relationship(by: \\Country.code) country: Country? }
      model Country { id: Int; @Unique code: String }
      """, in: .inMemory, SyncConfiguration(invalidRows: .skip))
    var trips = [
      #"{"id": 1, "country": {"id": 1, "code": "CH"}}"#, #"{"id": 2, "country": {"id": 2, "code": "CH"}}"#,
    ]
    trips.insert(#"{"id": 3, "country": "CH"}"#, at: place)
    let payload = "[\(trips.joined(separator: ","))]"
    for _ in 1...2 {
      let report = try await store.sync(payload, as: "Trip")
      #expect(report.waiting.map(\.targetIdentity) == ["2"])
      #expect(try await store.rows("SELECT id, country FROM Trip ORDER BY id") == ["1 1", "2 -", "3 1"])
    }
  }

  @Test func lookupKeyLinksTheRowWithItsValue() async throws {
    let store = try await makeLinked()
    #expect(try await store.sync(LookupTests.cities, as: "City").isUnchanged)
    try await store.sync(#"{"id": 5, "country_code": null}"#, as: "City")
    #expect(try await store.rows(LookupTests.links) == ["5 -"])
  }

  @Test func lookupKeyIsPendingUntilItsRowArrives() async throws {
    let store = try TextStore(LookupTests.schema)
    let report = try await store.sync(LookupTests.cities, as: "City")
    #expect(report.problems.isEmpty)
    #expect(report.waiting.map(\.targetIdentity) == ["CH"])
    #expect(try await store.rows(LookupTests.links) == ["5 -"])
    #expect(try await store.sync(LookupTests.cities, as: "City").isUnchanged)
    // Another row does not end the wait.
    try await store.sync(#"[{"id": 2, "code": "DE"}]"#, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 -"])
    let arrival = try await store.sync(#"[{"id": 2, "code": "DE"}, {"id": 1, "code": "CH"}]"#, as: "Country")
    #expect(arrival.linked == 1)
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    #expect(try await store.sync(LookupTests.cities, as: "City").isUnchanged)
    #expect(try await store.rows("SELECT * FROM syncline_pending_link") == [])
  }

  @Test func pendingLookupKeyLinksRowThatGetsTheValue() async throws {
    let store = try TextStore(LookupTests.schema)
    try await store.sync(#"[{"id": 1, "code": "XX"}]"#, as: "Country")
    try await store.sync(LookupTests.cities, as: "City")
    try await store.sync(#"{"id": 1, "code": "CH"}"#, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    #expect(try await store.rows("SELECT * FROM syncline_pending_link") == [])
  }

  @Test func laterNullDropsPendingLookupKey() async throws {
    let store = try TextStore(LookupTests.schema)
    try await store.sync(LookupTests.cities, as: "City")
    try await store.sync(#"{"id": 5, "country_code": null}"#, as: "City")
    try await store.sync(LookupTests.countries, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 -"])
  }

  /// A person has one passport, whatever the keys are.
  @Test(arguments: [("", "9"), ("@Relationship(by: \\Person.code) ", #""a""#)])
  func lastOneToOneThatWaitsForAKeyIsLinked(by: String, key: String) async throws {
    let store = try TextStore(
      """
      model Passport { id: Int; \(by)person: Person? }
      model Person { id: Int; @Unique code: String; passport: Passport? }
      """)
    for id in [1, 2] { try await store.sync(#"{"id": \#(id), "person_id": \#(key)}"#, as: "Passport") }
    #expect(try await store.rows(#"SELECT "ownerID" FROM syncline_pending_link"#) == ["2"])
    try await store.sync(#"[{"id": 9, "code": "a"}]"#, as: "Person")
    #expect(try store.values(of: "Passport", "id", "person") == [[1, .null], [2, 9]])
  }

  @Test func storedLinkIsKeptWhenLookupValueChanges() async throws {
    let store = try await makeLinked()
    try await store.sync(#"[{"id": 1, "code": "XX"}, {"id": 2, "code": "CH"}]"#, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    #expect(try await store.export("City") == #"[{"id":5,"name":"B","country_code":"XX"}]"#)
    // The key names the row that has the value now.
    try await store.sync(LookupTests.cities, as: "City")
    #expect(try await store.rows(LookupTests.links) == ["5 2"])
  }

  @Test func nothingIsCoercedBetweenTextAndNumbers() async throws {
    let store = try TextStore(
      #"""
      model Country { id: Int; @Unique code: String?; @Unique number: Int? }
      model City {
        id: Int
        @RemoteKey("code") @Relationship(by: \.code) country: Country?
        @RemoteKey("number") @Relationship(by: \.number) other: Country?
      }
      """#)
    try await store.sync(#"[{"id": 1, "code": "7", "number": 8}]"#, as: "Country")
    let report = try await store.sync(
      #"[{"id": 5, "code": 7, "number": "8"}, {"id": 6, "code": "7", "number": 8}]"#, as: "City")
    #expect(try await store.rows("SELECT id, country, other FROM City ORDER BY id") == ["5 - -", "6 1 1"])
    #expect(report.problems.map(\.path) == ["[0].code", "[0].number"])
    #expect(report.waiting.isEmpty)
  }

  @Test func softDeletedRowsAreNotLookedUp() async throws {
    let store = try TextStore(
      #"""
      @SoftDelete(\.deletedAt)
      model Country { id: Int; @Unique code: String; deletedAt: Date? }
      model City { id: Int; @RemoteKey("country_code") @Relationship(by: \Country.code) country: Country? }
      """#)
    try await store.sync(#"[{"id": 1, "code": "CH"}]"#, as: "Country")
    try await store.sync(#"[{"id": 2, "code": "CH"}]"#, as: "Country")
    try await store.sync(#"[{"id": 5, "country_code": "CH"}]"#, as: "City")
    #expect(try await store.rows(LookupTests.links) == ["5 2"])
    try await store.sync("[]", as: "Country")
    let report = try await store.sync(#"[{"id": 5, "country_code": "CH"}]"#, as: "City")
    #expect(report.waiting.count == 1)
    #expect(try await store.rows(LookupTests.links) == ["5 2"])
  }

  @Test func lookupKeysSupportPatternsAndOtherTypes() async throws {
    let store = try TextStore(
      #"""
      model Country { @PrimaryKey key: String; @Unique number: Int }
      model City { id: Int; @KeyPattern("/countries/{}") @Relationship(by: \.number) country: Country? }
      """#)
    try await store.sync(
      #"[{"id": 5, "country": "/countries/7"}, {"id": 6, "country": "/countries/8"}]"#, as: "City")
    try await store.sync(#"[{"key": "a", "number": 7}]"#, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 a", "6 -"])
    let exported = try await store.export("City")
    #expect(exported == #"[{"id":5,"country_id":"/countries/7"},{"id":6,"country_id":"/countries/8"}]"#)
    #expect(try await store.sync(exported, as: "City").isUnchanged)
  }

  // MARK: One payload

  @Test(arguments: [["City", "Country"], ["Country", "City"]])
  func lookupDoesNotDependOnListOrder(names: [String]) async throws {
    let store = try TextStore(LookupTests.schema)
    let body = "{\"City\": \(LookupTests.cities), \"Country\": \(LookupTests.countries)}"
    let report = try await sync(body, names, in: store)
    #expect(report.waiting.isEmpty && report.problems.isEmpty)
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    #expect(try await sync(body, names, in: store).isUnchanged)
  }

  @Test func lookupUsesValuesAfterTheWholePayload() async throws {
    let store = try TextStore(LookupTests.schema)
    try await store.sync(#"[{"id": 1, "code": "A"}, {"id": 2, "code": "B"}]"#, as: "Country")
    let body = #"""
      {"City": [{"id": 5, "name": "a", "country_code": "A"}, {"id": 6, "name": "b", "country_code": "B"},
      {"id": 7, "name": "c", "country_code": "C"}],
      "Country": [{"id": 1, "code": "B"}, {"id": 2, "code": "A"}, {"id": 3, "code": "C"}]}
      """#
    try await sync(body, ["City", "Country"], in: store)
    #expect(try await store.rows(LookupTests.links) == ["5 2", "6 1", "7 3"])
    #expect(try await sync(body, ["City", "Country"], in: store).isUnchanged)
  }

  // MARK: Chains

  private static let nodes = #"""
    model Node {
      @PrimaryKey key: Int
      @Unique slug: String?
      name: String?
      @Relationship(inverse: nil, by: \Node.slug) next: Node?
      @Relationship(inverse: nil) child: Node?
    }
    """#

  /// Each object is named by its slug, and nested in the one before.
  @Test func lookupObjectsCanBeDeeplyNested() async throws {
    let store = try TextStore(LookupTests.nodes)
    let count = 40
    let chain = (0..<count).reversed().reduce("null") { next, index in
      #"{"slug": "s\#(index)", "name": "n\#(index)", "next": \#(next)}"#
    }
    let rows = (0..<count).map { #"{"key": \#($0), "slug": "s\#($0)"}"# }.joined(separator: ", ")
    let payload = #"[\#(rows), {"key": 100, "next": \#(chain)}]"#
    let report = try await store.sync(payload)
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    let last = "\(count - 1) n\(count - 1) -"
    #expect(
      try await store.rows("SELECT key, name, next FROM Node ORDER BY key")
        == (0..<count - 1).map { "\($0) n\($0) \($0 + 1)" } + [last, "100 - 0"])
    #expect(try await store.sync(payload).isUnchanged)
  }

  /// Each object gives the value by which the row before it is named: the call need not restart for each of them.
  @Test func longLookupChainNeedsFewTransactions() async throws {
    func transactions(_ count: Int) async throws -> Int {
      let store = try TextStore(LookupTests.nodes, in: .file(folder.file()))
      let rows = (0..<count).reversed().map { index -> String in
        let child = #"{"key": \#(index + 1), "slug": "s\#(index + 1)"}"#
        return #"{"key": \#(1_000 + index), "next": {"slug": "s\#(index)", "name": "n", "child": \#(child)}}"#
      }
      let payload = #"[\#(rows.joined(separator: ", ")), {"key": 0, "slug": "s0"}]"#
      let work = try await store.container.work {
        let report = try await store.sync(payload)
        #expect(report.waiting.isEmpty)
      }
      let named = try await store.rows("SELECT COUNT(*) FROM Node WHERE name = 'n' AND child = key + 1")
      #expect(named == ["\(count)"])
      #expect(try await store.sync(payload).isUnchanged)
      return work.statements["BEGIN IMMEDIATE TRANSACTION"]?.runs ?? 0
    }
    let few = try await transactions(4)
    #expect(few > 1)
    // Rows in another order than the store's may cost a restart of their own.
    #expect(try await transactions(100) <= few + 2)
  }

  /// The object gives the row that it is named by another value, so that no row would have its value.
  @Test func lookupObjectThatChangesItsOwnValueIsPending() async throws {
    let store = try TextStore(LookupTests.nodes)
    let payload = #"""
      [{"key": 1, "slug": "a"},
       {"key": 9, "next": {"slug": "a", "name": "n", "child": {"key": 1, "slug": "b"}}}]
      """#
    for _ in 0..<2 {
      let report = try await store.sync(payload)
      #expect(report.waiting.map(\.targetIdentity) == ["a"])
      #expect(
        try await store.rows("SELECT key, slug, name, next FROM Node ORDER BY key") == ["1 a - -", "9 - - -"])
    }
  }

  @Test func lookupKeyOfDeletedRowIsPending() async throws {
    let store = try await makeLinked()
    let body = "{\"City\": \(LookupTests.cities), \"Country\": []}"
    let report = try await sync(body, ["City", "Country"], in: store)
    #expect(report.waiting.map(\.targetIdentity) == ["CH"])
    #expect(try await store.rows(LookupTests.links) == ["5 -"])
    try await store.sync(#"[{"id": 9, "code": "CH"}]"#, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 9"])
  }

  @Test func aRequiredLinkNeedsARowWithTheValue() async throws {
    let store = try TextStore(
      #"""
      model Country { id: Int; @Unique code: String }
      model City { id: Int; @RemoteKey("country_code") @Relationship(by: \Country.code) country: Country }
      """#)
    let city = #"[{"id": 5, "country_code": "CH"}]"#
    let error = await #expect(throws: SyncError.self) { try await store.sync(city, as: "City") }
    #expect(
      error.map { "\($0)" }?.contains("Country CH is not stored") == true, "\(String(describing: error))")
    try await sync(
      "{\"City\": \(city), \"Country\": [{\"id\": 1, \"code\": \"CH\"}]}", ["City", "Country"], in: store)
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    #expect(try await store.sync(city, as: "City").isUnchanged)
  }

  // MARK: Objects

  @Test func lookupObjectWithoutIdentityUpdatesItsRow() async throws {
    let store = try await makeLinked()
    let payload = #"[{"id": 5, "name": "B", "country_code": {"code": "CH", "name": "Swiss"}}]"#
    try await store.sync(payload, as: "City")
    #expect(try await store.rows("SELECT id, code, name FROM Country") == ["1 CH Swiss"])
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
    #expect(try await store.sync(payload, as: "City").isUnchanged)
  }

  @Test func unknownLookupObjectWithoutIdentityIsPending() async throws {
    let store = try TextStore(LookupTests.schema)
    let payload = #"[{"id": 5, "name": "B", "country_code": {"code": "CH", "name": "Swiss"}}]"#
    let report = try await store.sync(payload, as: "City")
    #expect(report.waiting.map(\.targetIdentity) == ["CH"])
    #expect(report.problems.isEmpty)
    #expect(try await store.rows("SELECT id FROM Country") == [])
    try await store.sync(LookupTests.countries, as: "Country")
    #expect(try await store.rows(LookupTests.links) == ["5 1"])
  }

  @Test(arguments: ["Int", "String", "UUID"])
  func objectNextToALookupKeyOfNoRowIsNotInserted(identity: String) async throws {
    let store = try TextStore(
      #"""
      model Country { id: \#(identity); @Unique code: String?; name: String? }
      model City { id: Int; @Relationship(by: \Country.code) country: Country? }
      """#)
    let payload = #"[{"id": 5, "country_id": "CH", "country": {"name": "Swiss"}}]"#
    let report = try await store.sync(payload, as: "City")
    #expect(report.waiting.map(\.targetIdentity) == ["CH"])
    #expect(try await store.rows("SELECT id FROM Country") == [])
    let id = identity == "UUID" ? "c3e7a1b2-1001-4000-8000-000000000001" : "1"
    try await store.sync(#"[{"id": "\#(id)", "code": "CH"}]"#, as: "Country")
    try await store.sync(payload, as: "City")
    let linked = "SELECT code, name FROM City JOIN Country ON country = Country.id"
    #expect(try await store.rows(linked) == ["CH Swiss"])
    #expect(try await store.sync(payload, as: "City").isUnchanged)
  }

  @Test func lookupObjectWithIdentityInsertsTheRow() async throws {
    let store = try TextStore(LookupTests.schema)
    let payload = #"[{"id": 5, "name": "B", "country_code": {"id": 3, "code": "CH"}}]"#
    try await store.sync(payload, as: "City")
    #expect(try await store.rows(LookupTests.links) == ["5 3"])
    #expect(try await store.rows("SELECT id, code FROM Country") == ["3 CH"])
    #expect(try await store.sync(payload, as: "City").isUnchanged)
  }

  // MARK: Lists

  private static let lists = #"""
    model Country { id: Int; @Unique code: String? }
    model Trip { id: Int; @RemoteKey("codes") @Relationship(inverse: nil, by: \Country.code) countries: [Country] }
    """#

  @Test func listOfLookupKeysLinksRows() async throws {
    let store = try TextStore(LookupTests.lists)
    try await store.sync(#"[{"id": 1, "code": "CH"}, {"id": 2, "code": "DE"}]"#, as: "Country")
    let payload = #"[{"id": 5, "codes": ["DE", "CH", "FR"]}]"#
    let report = try await store.sync(payload, as: "Trip")
    #expect(report.waiting.map(\.targetIdentity) == ["FR"])
    let links = "SELECT source, target FROM \"Trip.countries\" ORDER BY target"
    #expect(try await store.rows(links) == ["5 1", "5 2"])
    #expect(try await store.sync(payload, as: "Trip").isUnchanged)
    #expect(try await store.sync(#"[{"id": 5, "codes": ["FR", "CH", "DE"]}]"#, as: "Trip").isUnchanged)
    let exported = try await store.export("Trip")
    #expect(try await store.sync(exported, as: "Trip").isUnchanged, "\(exported)")
    try await store.sync(#"{"id": 3, "code": "FR"}"#, as: "Country")
    #expect(try await store.rows(links) == ["5 1", "5 2", "5 3"])
    try await store.sync(#"[{"id": 5, "codes": ["CH", {"code": "FR"}]}]"#, as: "Trip")
    #expect(try await store.rows(links) == ["5 1", "5 3"])
    // A row without the value is written as an object.
    try await store.run("UPDATE Country SET code = NULL WHERE id = 3")
    let rows = try await store.export("Trip")
    #expect(rows == #"[{"id":5,"codes":["CH",{"id":3}]}]"#)
    #expect(try await store.sync(rows, as: "Trip").isUnchanged)
  }

  @Test func oneToManyListOfLookupKeysLinksChildren() async throws {
    let store = try TextStore(
      #"""
      model Continent { id: Int; @RemoteKey("codes") @Relationship(by: \Country.code) countries: [Country] }
      model Country { id: Int; @Unique code: String; @NotExport continent: Continent? }
      """#)
    try await store.sync(#"[{"id": 9, "codes": ["CH", "DE"]}]"#, as: "Continent")
    try await store.sync(#"[{"id": 1, "code": "CH"}, {"id": 2, "code": "DE"}]"#, as: "Country")
    #expect(try await store.rows("SELECT id, continent FROM Country ORDER BY id") == ["1 9", "2 9"])
    #expect(try await store.sync(#"[{"id": 9, "codes": ["DE", "CH"]}]"#, as: "Continent").isUnchanged)
    try await store.sync(#"[{"id": 9, "codes": ["DE"]}]"#, as: "Continent")
    #expect(try await store.rows("SELECT id, continent FROM Country ORDER BY id") == ["1 -", "2 9"])
  }

  // MARK: Exports

  @Test func exportWritesLookupValuesAsKeys() async throws {
    let store = try await makeLinked()
    let exported = try await store.export("City")
    #expect(exported == #"[{"id":5,"name":"B","country_code":"CH"}]"#)
    #expect(try await store.sync(exported, as: "City").isUnchanged)
  }

  @Test func pendingLookupKeysAreExported() async throws {
    let store = try TextStore(LookupTests.schema)
    try await store.sync(LookupTests.cities, as: "City")
    let exported = try await store.export("City")
    #expect(exported == #"[{"id":5,"name":"B","country_code":"CH"}]"#)
    #expect(try await store.sync(exported, as: "City").isUnchanged)
  }

  /// An object with an identity only is a key, too, but not one that is looked up.
  @Test func pendingIdentitiesAreExportedAsObjects() async throws {
    let store = try TextStore(
      #"""
      model Country { id: Int; @Unique code: String?; name: String }
      model City {
        id: Int
        @Relationship(inverse: nil, by: \Country.code) country: Country?
        @Relationship(inverse: nil, by: \Country.code) all: [Country]
      }
      """#)
    try await store.sync(#"[{"id": 1, "country": {"id": 7}, "all": [{"id": 7}, "CH"]}]"#, as: "City")
    let waiting = #"SELECT "relationship", "target", "targetID" FROM syncline_pending_link ORDER BY 1, 2"#
    let pending = try await store.rows(waiting)
    #expect(pending == ["all Country 7", "all Country.code CH", "country Country 7"])
    let exported = try await store.export("City")
    #expect(exported == #"[{"id":1,"country_id":{"id":7},"all_ids":[{"id":7},"CH"]}]"#)
    #expect(try await store.exportData("City") == exported)
    #expect(try await store.sync(exported, as: "City").isUnchanged)
    #expect(try await store.rows(waiting) == pending)
    // A document has only identities.
    let document = try await store.exportDocument("City")
    let links = document["data"]?[0]?["relationships"]
    #expect(links == ["country": ["data": ["type": "countries", "id": "7"]]])
    #expect(try await store.sync(jsonAPI: document.description, as: "City").isUnchanged)
    #expect(try await store.rows(waiting) == pending)
  }

  /// The row waits for the country with the number 7, and is stored in the one with the identity 7.
  @Test func listWithARowThatWaitsForAnEqualKeyIsOmitted() async throws {
    let store = try TextStore(
      """
      model Country { id: Int; @Unique number: Int; cities: [City] }
      model City { id: Int; @Relationship(by: \\Country.number) country: Country? }
      """)
    try await store.sync(#"[{"id": 7, "number": 1}]"#, as: "Country")
    for number in [1, 7] { try await store.sync(#"[{"id": 1, "country_id": \#(number)}]"#, as: "City") }
    #expect(try store.values(of: "City", "country") == [[7]])
    let waiting = #"SELECT "target", "targetID" FROM syncline_pending_link"#
    let exported = try await store.export("Country")
    #expect(exported == #"[{"id":7,"number":1}]"#)
    #expect(try await store.sync(exported, as: "Country").isUnchanged)
    #expect(try await store.rows(waiting) == ["Country.number 7"])
  }

  @Test func exportAttributeWritesLookupRowAsObject() async throws {
    let store = try TextStore(
      LookupTests.schema.replacing("@RemoteKey(\"country_code\")", with: "@Export(.objects)"))
    try await store.sync(LookupTests.countries, as: "Country")
    try await store.sync(#"[{"id": 5, "name": "B", "country_id": "CH"}]"#, as: "City")
    let exported = try await store.export("City")
    #expect(exported == #"[{"id":5,"name":"B","country":{"id":1,"code":"CH","name":"S"}}]"#)
    #expect(try await store.sync(exported, as: "City").isUnchanged)
  }

  // MARK: Tools

  @Test func payloadSchemaUsesTypeOfTheLookupProperty() throws {
    let json = PayloadSchema.jsonSchema(try TextStore.schema(LookupTests.schema))
    let key = json["$defs"]?["City"]?["properties"]?["country_code"]?.description ?? ""
    #expect(key.contains("\"string\"") && !key.contains("\"integer\""), "\(key)")
  }

  @Test func lookupPropertyChangesReadingFingerprint() throws {
    let plain = try TextStore(LookupTests.schema.replacing("@Relationship(by: \\Country.code) ", with: ""))
    let store = try TextStore(LookupTests.schema)
    #expect(
      try store.model("City").syncTable.readingFingerprint(.snakeCase)
        != plain.model("City").syncTable.readingFingerprint(.snakeCase))
  }

  @Test func renamedLookupPropertyKeepsPendingLinks() async throws {
    let queue = try DatabaseQueue()
    let old = try TextStore(LookupTests.schema, in: .database(queue))
    try await old.sync(LookupTests.cities, as: "City")
    let new = try TextStore(
      #"""
      @RenamedFrom("Country") model Land { id: Int; @Unique @RenamedFrom("code") iso: String?; name: String? }
      model City {
        id: Int
        name: String
        @RemoteKey("country_code") @Relationship(by: \Land.iso) country: Land?
      }
      """#, in: .database(queue))
    try await new.sync(#"[{"id": 1, "iso": "CH"}]"#, as: "Land")
    #expect(try await new.rows(LookupTests.links) == ["5 1"])
  }

  /// A row that is marked as deleted is named by its identity, as a key of its value would name another row.
  @Test func linkToSoftDeletedRowIsExportedByIdentity() async throws {
    let store = try TextStore(
      """
      model City { id: Int; @Relationship(by: \\Country.code) country: Country? }
      @SoftDelete(\\.gone) model Country { id: Int; @Unique code: String; gone: Date? }
      """)
    try await store.sync(#"[{"id": 3, "code": "a"}]"#, as: "Country")
    try await store.sync(#"[{"id": 1, "country": "a"}]"#, as: "City")
    try await store.sync(#"[{"id": 1, "code": "a"}]"#, as: "Country", policy: .softDeleteMissing)
    #expect(try store.values(of: "City", "country") == [[3]])
    let exported = try await store.export("City")
    #expect(try await store.sync(exported, as: "City").isUnchanged)
    #expect(try store.values(of: "City", "country") == [[3]])
  }
}
