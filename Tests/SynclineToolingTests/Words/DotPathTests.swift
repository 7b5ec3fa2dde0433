import Syncline
import Testing

/// The path `.`: the object of a row is another row as well.
@Suite struct DotPathTests {
  private static let pivot = #"""
    model User {
      id: Int
      name: String
      @RemoteKey("roles") assignments: [Assignment]
    }
    model Role {
      id: Int
      name: String?
    }
    @PrimaryKey(\.user, \.role)
    model Assignment {
      user: User
      @RemoteKey(".") role: Role
      @RemoteKey("pivot.expires_at") expiresAt: Date?
    }
    """#

  private static let payload = """
    [{"id": 1, "name": "A", "roles": [
       {"id": 5, "name": "admin", "pivot": {"user_id": 1, "role_id": 5, "expires_at": "2025-01-01"}},
       {"id": 6, "name": "guest", "pivot": {"user_id": 1, "role_id": 6, "expires_at": null}}]},
     {"id": 2, "name": "B", "roles": [{"id": 5, "name": "admin"}]}]
    """

  private func assignments(_ store: TextStore) throws -> [[SyncJSON?]] {
    try store.rows(of: "Assignment").map { [$0["user"], $0["role"], $0["expiresAt"]] }
  }

  @Test func dotPathReadsTwoRowsFromOneObject() async throws {
    let store = try TextStore(DotPathTests.pivot)
    let report = try await store.sync(DotPathTests.payload, as: "User")
    #expect(report.problems.isEmpty)
    #expect(report.waiting.isEmpty)
    #expect(try store.rows(of: "Role") == [["id": 5, "name": "admin"], ["id": 6, "name": "guest"]])
    #expect(
      try assignments(store) == [
        [1, 5, "2025-01-01T00:00:00.000Z"], [1, 6, SyncJSON.null], [2, 5, SyncJSON.null],
      ])
  }

  @Test func exportWritesBothRowsIntoOneObject() async throws {
    let store = try TextStore(DotPathTests.pivot)
    try await store.sync(DotPathTests.payload, as: "User")
    try await store.expectUnchanged(by: DotPathTests.payload, as: "User")
    let users = try SyncJSON(parsing: try await store.export("User"))
    let role = users[0]?["roles"]?[0]
    #expect(role?["id"] == 5)
    #expect(role?["name"] == "admin")
    #expect(role?["pivot"]?["expires_at"] == "2025-01-01T00:00:00.000Z")
    let other = try TextStore(DotPathTests.pivot)
    try await other.sync(users.description, as: "User")
    #expect(try assignments(other) == assignments(store))
    #expect(try other.rows(of: "Role") == store.rows(of: "Role"))
  }

  @Test func reversedPayloadChangesNothing() async throws {
    let rows = try SyncJSON(parsing: DotPathTests.payload).array ?? []
    let store = try TextStore(DotPathTests.pivot)
    try await store.sync(DotPathTests.payload, as: "User")
    try await store.expectUnchanged(by: SyncJSON.array(rows.reversed()).description, as: "User")
  }

  @Test func onlyKeysUnknownToBothRowsAreUnread() async throws {
    let store = try TextStore(DotPathTests.pivot)
    let report = try await store.sync(
      #"[{"id":1,"name":"A","roles":[{"id":5,"name":"admin","colour":"red"}]}]"#, as: "User")
    let unread = try #require(report.unreadKeys)
    #expect(unread.keys.map { "\($0.model).\($0.key)" } == ["Assignment.colour"])
  }

  @Test func changeOfLinkedRowInSameObjectIsApplied() async throws {
    let store = try TextStore(DotPathTests.pivot)
    try await store.sync(DotPathTests.payload, as: "User")
    let changed = DotPathTests.payload.replacing("guest", with: "visitor")
    let report = try await store.sync(changed, as: "User")
    #expect(report.updated == 1)
    #expect(try store.rows(of: "Role") == [["id": 5, "name": "admin"], ["id": 6, "name": "visitor"]])
  }

  private static let optional = """
    model Membership {
      id: Int
      level: Int = 1
      createdAt: Date?
      @RemoteKey(".") person: Person?
    }
    model Person {
      @PrimaryKey(remote: "person_id") id: Int
      name: String
      createdAt: Date?
    }
    """

  @Test func objectWithoutKeysOfTheLinkedRowKeepsTheLink() async throws {
    let store = try TextStore(DotPathTests.optional)
    try await store.sync(#"[{"id":1,"person_id":7,"name":"A"}]"#, as: "Membership")
    let report = try await store.sync(#"[{"id":1,"level":2,"created_at":"2025-01-01"}]"#, as: "Membership")
    #expect(report.problems.isEmpty)
    #expect(try store.rows(of: "Membership").first?["person"] == 7)
    #expect(try store.rows(of: "Membership").first?["level"] == 2)
    // Without the identity it is the row that is linked.
    try await store.sync(#"[{"id":1,"name":"B"}]"#, as: "Membership")
    #expect(try store.rows(of: "Person").first?["name"] == "B")
    #expect(try store.rows(of: "Membership").first?["person"] == 7)
  }

  @Test func identityAloneInSameObjectBecomesPendingLink() async throws {
    let store = try TextStore(DotPathTests.optional.replacing("createdAt: Date?", with: ""))
    // A person requires a name, so this is a key of one.
    let report = try await store.sync(#"[{"id":1,"level":2,"person_id":7}]"#, as: "Membership")
    #expect(report.problems.isEmpty)
    #expect(report.waitingCount == 1)
    #expect(try store.rows(of: "Person") == [])
    let exported = try await store.export("Membership")
    #expect(try SyncJSON(parsing: exported)[0]?["person_id"] == 7)
    #expect(try await store.sync(exported, as: "Membership").isUnchanged)
    try await store.sync(#"[{"person_id":7,"name":"A"}]"#, as: "Person")
    #expect(try store.rows(of: "Membership").first?["person"] == 7)
  }

  @Test func exportPrefersOwnValueOfASharedKey() async throws {
    let store = try TextStore(DotPathTests.optional)
    try await store.sync(
      #"[{"person_id":7,"name":"A","created_at":"2020-01-01T00:00:00Z"}]"#, as: "Person")
    try await store.sync(#"[{"id":1,"person_id":7}]"#, as: "Membership")
    let exported = try SyncJSON(parsing: try await store.export("Membership"))[0]
    #expect(exported?["created_at"] == .some(.null))
    #expect(exported?["name"] == "A")
    #expect(exported?["id"] == 1)
  }

  /// A key that both read would change the row, too.
  @Test func changeExportOfLinkOmitsSharedKeys() async throws {
    let store = try TextStore(DotPathTests.optional)
    try await store.sync(
      #"[{"person_id":8,"name":"B","created_at":"2020-01-01"}, {"person_id":7,"name":"A"}]"#, as: "Person")
    try await store.sync(#"[{"id":1,"person_id":7,"created_at":"2025-01-01"}]"#, as: "Membership")
    #expect(
      try await store.change("Membership", by: "UPDATE Membership SET person = 8")
        == ["person_id": 8, "name": "B"])
  }

  @Test func nilLinkIsExportedAsNullIdentity() async throws {
    let store = try TextStore(DotPathTests.optional)
    try await store.sync(#"[{"id":1}]"#, as: "Membership")
    #expect(
      try await store.export("Membership")
        == #"[{"id":1,"level":1,"created_at":null,"person_id":null}]"#)
    try await store.expectUnchanged(by: #"[{"id":1}]"#, as: "Membership")
    try await store.sync(#"[{"id":1,"person_id":7,"name":"A"}]"#, as: "Membership")
    #expect(
      try await store.change("Membership", by: "UPDATE Membership SET person = NULL")
        == ["person_id": .null])
  }

  /// What an outer join returns where there is no row.
  @Test func aNullIdentityClearsTheLink() async throws {
    let store = try TextStore(DotPathTests.optional)
    let linked = #"[{"id":1,"level":1,"person_id":7,"name":"A"}]"#
    for cleared in [
      #"[{"id":1,"person_id":null,"name":null}]"#, #"[{"id":1,"name":null,"person_id":null}]"#,
      #"[{"id":1,"person_id":null}]"#,
    ] {
      try await store.sync(linked, as: "Membership")
      #expect(try store.rows(of: "Membership").first?["person"] == 7)
      let report = try await store.sync(cleared, as: "Membership")
      #expect(report.problems.isEmpty && report.waiting.isEmpty)
      #expect(try store.rows(of: "Membership").first?["person"] == .some(.null))
      #expect(try store.rows(of: "Person") == [["id": 7, "name": "A", "createdAt": nil]])
      #expect(try await store.sync(cleared, as: "Membership").isUnchanged)
    }
  }

  @Test func aNullPartOfAnIdentityClearsTheLink() async throws {
    let store = try TextStore(
      #"""
      model Post { id: Int; @RemoteKey(".") seat: Seat? }
      @PrimaryKey(\.row, \.number) model Seat {
        @RemoteKey("seat.row") row: Int
        @RemoteKey("seat.number") number: Int
        @RemoteKey("seat.name") name: String?
      }
      """#)
    let payload = #"[{"id":1,"seat":{"row":2,"number":3,"name":"A"}}]"#
    try await store.sync(payload, as: "Post")
    try await store.expectUnchanged(by: payload, as: "Post")
    try await store.sync(#"[{"id":1,"seat":{"row":null,"number":null,"name":null}}]"#, as: "Post")
    #expect(try store.rows(of: "Post").first?["seat"] == .some(.null))
    let exported = try await store.export("Post")
    #expect(exported == #"[{"id":1,"seat":{"row":null,"number":null}}]"#)
    #expect(try await store.sync(exported, as: "Post").isUnchanged)
  }

  @Test func threeRowsAreReadFromOneObject() async throws {
    let store = try TextStore(
      """
      model Line { id: Int; amount: Int; @RemoteKey(".") product: Product? }
      model Product { @PrimaryKey(remote: "product_id") id: Int; title: String?; @RemoteKey(".") brand: Brand? }
      model Brand { @PrimaryKey(remote: "brand_id") id: Int; brandName: String? }
      """)
    let payload = #"[{"id":1,"amount":2,"product_id":3,"title":"T","brand_id":4,"brand_name":"N"}]"#
    try await store.sync(payload, as: "Line")
    #expect(try store.rows(of: "Line") == [["id": 1, "amount": 2, "product": 3]])
    #expect(try store.rows(of: "Product") == [["id": 3, "title": "T", "brand": 4]])
    #expect(try store.rows(of: "Brand") == [["id": 4, "brandName": "N"]])
    try await store.expectUnchanged(by: payload, as: "Line")
  }

  @Test(arguments: [
    ("at[n:v].x", "at[n:v].y", #"[{"n": "x", "v": 1}, {"n": "y", "v": 5}]"#),
    ("at[n:v].s.x", "at[n:v].s.y", #"[{"n": "s", "v": {"x": 1, "y": 5}}]"#),
    ("at[0]", "at[1]", "[1, 5]"), ("at[1]", "at[0]", "[5, 1]"),
    ("at[2].x", "at[2].y", #"[null, null, {"x": 1, "y": 5}]"#),
    ("at[0][1]", "at[0][0]", "[[5, 1]]"),
  ])
  func exportWritesBothRowsIntoOneList(own: String, far: String, list: String) async throws {
    let store = try TextStore(
      """
      model Pivot { id: Int; @RemoteKey("\(own)") x: Int?; @RemoteKey(".") far: Far? }
      model Far { @PrimaryKey(remote: "key") id: Int; @RemoteKey("\(far)") y: Int? }
      """)
    let payload = "[{\"id\": 1, \"key\": 2, \"at\": \(list)}]"
    try await store.expectRoundTrip(payload, as: "Pivot")
    #expect(try store.rows(of: "Pivot") == [["id": 1, "x": 1, "far": 2]])
    #expect(try store.rows(of: "Far") == [["id": 2, "y": 5]])
    let exported = try await store.export("Pivot")
    #expect(try SyncJSON(parsing: exported) == SyncJSON(parsing: payload))
  }

  @Test func exportWritesBothRowsIntoObjectsOfOneList() async throws {
    let store = try TextStore(
      """
      model Pivot { id: Int; @RemoteKey("at[].x") x: [Int]; @RemoteKey(".") far: Far? }
      model Far { @PrimaryKey(remote: "key") id: Int; @RemoteKey("at[].y") y: [Int] }
      """)
    let payload = #"[{"id": 1, "key": 2, "at": [{"x": 1, "y": 5}, {"x": 2, "y": 6}]}]"#
    try await store.expectRoundTrip(payload, as: "Pivot")
    let exported = try await store.export("Pivot")
    #expect(try SyncJSON(parsing: exported) == SyncJSON(parsing: payload))
  }
}
