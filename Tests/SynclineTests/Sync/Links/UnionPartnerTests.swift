import TestSupport
import Testing

/// To-one unions whose cases have lists or partners at their other ends (contract, sections 7 and 10).
@Suite struct UnionPartnerTests {
  /// - Parameters:
  ///   - user: the end of users; the first case of the union.
  ///   - team: the end of teams.
  private func makeStore(user: String, team: String) throws -> TextStore {
    try TextStore(
      """
      union Owner on "type" { case user: User; case team: Team }
      model Org { id: Int; @Relationship(inverse: nil) docs: [Doc]; teams: [Team]; users: [User] }
      model Doc { id: Int; name: String?; owner: Owner? }
      model User { id: Int; org: Org?; \(user) name: String?; @Relationship(inverse: nil) team: Team? }
      model Team { id: Int; org: Org?; \(team) name: String? }
      """)
  }

  private func docs(_ store: TextStore) async throws -> [String] {
    try await store.rows("SELECT id, ownerUser, ownerTeam FROM Doc ORDER BY id")
  }

  /// Syncs a payload twice; the second time changes nothing.
  private func sync(_ payload: String, as model: String = "Org", in store: TextStore) async throws {
    try await store.sync(payload, as: model)
    #expect(try await store.sync(payload, as: model).isUnchanged, "\(payload)")
  }

  /// The pending key of the user makes links be decided at the end of the payload.
  @Test(arguments: ["", "docs: [Doc];"])
  func casesWithAndWithoutOnePartner(team: String) async throws {
    let store = try makeStore(user: "doc: Doc?;", team: team)
    try await sync(
      #"""
      [{"id": 1, "users": [{"id": 1}, {"id": 2, "doc_id": 99}], "teams": [{"id": 1}],
        "docs": [{"id": 7, "owner": {"type": "team", "id": 1}}, {"id": 8, "owner": {"type": "team", "id": 1}}]}]
      """#, in: store)
    #expect(try await docs(store) == ["7 - 1", "8 - 1"])
  }

  @Test func listOfOneCaseNextToPartnersOfAnother() async throws {
    let store = try makeStore(user: "docs: [Doc];", team: "doc: Doc?;")
    try await sync(
      #"""
      [{"id": 1, "docs": [{"id": 7}, {"id": 8}], "users": [{"id": 1}],
        "teams": [{"id": 1, "doc_id": 7}, {"id": 2, "doc_id": 99}]}]
      """#, in: store)
    #expect(try await docs(store) == ["7 - 1", "8 - -"])
    try await store.sync(#"{"id": 99}"#, as: "Doc")
    #expect(try await docs(store) == ["7 - 1", "8 - -", "99 - 2"])
  }

  @Test func pendingPartnerIsThatOfItsOwnCase() async throws {
    let store = try makeStore(user: "doc: Doc?;", team: "doc: Doc?;")
    try await store.sync(#"[{"id": 1}]"#, as: "User")
    let report = try await store.sync(#"[{"id": 1, "doc_id": 7}]"#, as: "Team")
    #expect(report.waiting.map(\.model) == ["Team"])
    try await store.sync(#"[{"id": 7}]"#, as: "Doc")
    #expect(try await docs(store) == ["7 - 1"])
  }

  @Test func partnerOfAnotherCaseWithTheSameIdentityIsKept() async throws {
    let store = try makeStore(user: "doc: Doc?;", team: "doc: Doc?;")
    try await store.sync(#"[{"id": 1, "doc": {"id": 5}}]"#, as: "User")
    try await store.sync(#"[{"id": 1, "doc": {"id": 8}}, {"id": 2, "doc_id": 9}]"#, as: "Team")
    #expect(try await docs(store) == ["5 1 -", "8 - 1"])
  }

  @Test(arguments: [
    (#""teams": [{"id": 1, "doc_id": 7}], "users": [{"id": 1, "doc_id": 7}]"#, "7 1 -"),
    (#""users": [{"id": 1, "doc_id": 7}], "teams": [{"id": 1, "doc_id": 7}]"#, "7 - 1"),
  ])
  func lastStatementOfSeveralCasesCounts(rows: String, expected: String) async throws {
    let store = try makeStore(user: "doc: Doc?;", team: "doc: Doc?;")
    try await sync(#"[{"id": 1, "docs": [{"id": 7}], \#(rows)}]"#, in: store)
    #expect(try await docs(store) == [expected])
  }

  @Test func ownStatementAfterAPartnersStatementCounts() async throws {
    let store = try makeStore(user: "doc: Doc?;", team: "doc: Doc?;")
    try await sync(
      #"""
      [{"id": 1, "teams": [{"id": 1, "doc_id": 7}], "users": [{"id": 1}],
        "docs": [{"id": 7, "owner": {"type": "user", "id": 1}}]}]
      """#, in: store)
    #expect(try await docs(store) == ["7 1 -"])
  }

  @Test func lastOfTwoRowsGetsThePartnerOfOneCase() async throws {
    let store = try makeStore(user: "doc: Doc?;", team: "docs: [Doc];")
    try await store.sync(#"[{"id": 1}]"#, as: "User")
    let payload = #"""
      [{"id": 8, "owner": {"type": "user", "id": 1}}, {"id": 7, "owner": {"type": "user", "id": 1}}]
      """#
    let report = try await store.sync(payload, as: "Doc")
    #expect(try await docs(store) == ["7 1 -", "8 - -"])
    #expect(report.linked == 1)
    #expect(try await store.sync(payload, as: "Doc").isUnchanged)
  }

  /// The keys are in one payload, or in two.
  @Test(arguments: [true, false])
  func lastOfTwoRowsThatWaitForThePartnerOfOneCaseGetsIt(isOnePayload: Bool) async throws {
    let store = try makeStore(user: "doc: Doc?;", team: "docs: [Doc];")
    let docs = [7, 8].map { #"{"id": \#($0), "owner_type": "user", "owner_id": 9}"# }
    if !isOnePayload { try await store.sync("[\(docs[1])]", as: "Doc") }
    let first = isOnePayload ? docs[1] : #"{"id": 8}"#
    let report = try await store.sync("[\(first), \(docs[0])]", as: "Doc")
    #expect(report.waiting.map(\.identity) == ["7"])
    try await store.sync(#"{"id": 9}"#, as: "User")
    #expect(try await self.docs(store) == ["7 9 -", "8 - -"])
  }

  @Test func lastOfTwoListsThatWaitForARowGetsIt() async throws {
    let store = try makeStore(user: "docs: [Doc];", team: "docs: [Doc];")
    let lists = #"{"id": 1, "teams": [{"id": 1, "doc_ids": [9]}], "users": [{"id": 1, "doc_ids": [9]}]}"#
    let report = try await store.sync("[\(lists)]", as: "Org")
    #expect(report.waiting.map(\.model) == ["User"])
    try await sync(#"[\#(lists), {"id": 2, "docs": [{"id": 9, "name": "x"}]}]"#, in: store)
    #expect(try await docs(store) == ["9 1 -"])
  }

  @Test func listsOfTwoCasesThatContradictEachOtherAreStable() async throws {
    let store = try makeStore(user: "docs: [Doc];", team: "docs: [Doc];")
    try await store.sync(#"[{"id": 1}]"#, as: "Team")
    try await store.sync(#"[{"id": 1, "docs": [{"id": 1}]}]"#, as: "User")
    try await sync(
      #"[{"id": 1, "team": {"id": 1, "doc_ids": [1]}, "docs": [{"id": 1}]}]"#, as: "User", in: store)
    #expect(try await docs(store) == ["1 1 -"])
  }
}
