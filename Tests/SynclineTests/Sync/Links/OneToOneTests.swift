import Syncline
import SynclineTesting
import TestSupport
import Testing

/// One-to-one links are exclusive.
@Suite struct OneToOneTests {
  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Ship.self)
    try await store.sync(payload: #"[{"id": 1, "ship_id": 1}, {"id": 2, "ship_id": 2}]"#, as: Captain.self)
    return store
  }

  private func expect(_ ships: [SyncJSON], _ captains: [SyncJSON], in store: SyncContainer) throws {
    #expect(try store.pick(Captain.self, "ship") == ships.map { [$0] })
    #expect(try store.pick(Ship.self, "captain") == captains.map { [$0] })
  }

  @Test func linkingTakesThePartnerFromItsFormerOwner() async throws {
    let store = try await store()
    try expect([1, 2], [1, 2], in: store)
    try await store.sync(item: #"{"id": 2, "ship_id": 1}"#, as: Captain.self)
    try expect([nil, 1], [2, nil], in: store)
    try await store.sync(item: #"{"id": 2, "captain_id": 1}"#, as: Ship.self)
    try expect([2, 1], [2, 1], in: store)
    try await store.sync(item: #"{"id": 3, "captain_id": 2}"#, as: Ship.self)
    try expect([2, 3], [nil, 1, 2], in: store)
  }

  @Test func partnersAreSwappedFromEitherEnd() async throws {
    for isCaptain in [true, false] {
      let store = try await store()
      let captains = #"[{"id": 1, "ship_id": 2}, {"id": 2, "ship_id": 1}]"#
      let ships = #"[{"id": 1, "captain_id": 2}, {"id": 2, "captain_id": 1}]"#
      for expectsChange in [true, false] {
        let report =
          isCaptain
          ? try await store.sync(payload: captains, as: Captain.self)
          : try await store.sync(payload: ships, as: Ship.self)
        #expect(report.isUnchanged != expectsChange)
        try expect([2, 1], [2, 1], in: store)
      }
    }
  }

  @Test func nestedOneToOneObjectIsLinkedFromEitherEnd() async throws {
    let store = try makeStore()
    let payload = #"[{"id": 1, "ship": {"id": 4, "captain_id": 9}}, {"id": 2, "ship": {"id": 5}}]"#
    try await store.sync(payload: payload, as: Captain.self)
    try expect([4, 5], [1, 2], in: store)
    #expect(try await store.sync(payload: payload, as: Captain.self).isUnchanged)
    let other = try makeStore()
    let ships = #"[{"id": 1, "captain": {"id": 4, "ship_id": 1}}, {"id": 2, "captain": {"id": 5}}]"#
    try await other.sync(payload: ships, as: Ship.self)
    try expect([1, 2], [4, 5], in: other)
    #expect(try await other.sync(payload: ships, as: Ship.self).isUnchanged)
  }

  @Test func repeatedContradictoryPayloadChangesNothing() async throws {
    for payload in [
      #"[{"id": 1, "ship_id": 1}, {"id": 2, "ship_id": 1}]"#,
      #"[{"id": 1, "ship_id": 1}, {"id": 1, "ship_id": 2}, {"id": 2, "ship_id": 1}]"#,
      #"[{"id": 1, "ship": {"id": 1, "captain_id": 2}}, {"id": 2, "ship": {"id": 1}}]"#,
      #"[{"id": 1, "ship": {"id": 1, "captain": null}}, {"id": 2, "ship_id": null}]"#,
      #"[{"id": 1, "ship_id": null}, {"id": 2, "ship": {"id": 2, "captain": {"id": 1, "ship_id": 1}}}]"#,
    ] {
      let store = try await store()
      try await store.sync(payload: payload, as: Captain.self)
      let first = try store.everything()
      let report = try await store.sync(payload: payload, as: Captain.self)
      #expect(report.isUnchanged, "\(payload) \(report)")
      #expect(try store.everything() == first, "\(payload)")
    }
  }

  @Test func nullFromTheOwnerKeepsARequiredLink() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}]"#, as: Person.self)
    let report = try await store.sync(payload: #"[{"id": 1, "passport": null}]"#, as: Person.self)
    #expect(report.actions == [.keptRow])
    #expect(report.isUnchanged)
    #expect(try store.pick(Passport.self, "person") == [[1]])
  }

  @Test func rowWithRequiredOneToOneMovesToAnotherOwner() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}, {"id": 2, "name": "M"}]"#,
      as: Person.self)
    try await store.sync(payload: #"[{"id": 1, "person_id": 2}]"#, as: Passport.self)
    #expect(try store.pick(Person.self, "passport") == [[nil], [1]])
    try await store.sync(item: #"{"id": 1, "passport_id": 1}"#, as: Person.self)
    #expect(try store.pick(Person.self, "passport") == [[1], [nil]])
  }

  @Test func newRowTakesRequiredOwnerOfAMissingRow() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}]"#, as: Person.self)
    let report = try await store.sync(
      payload: #"[{"id": 2, "number": "y", "person_id": 1}]"#, as: Passport.self)
    #expect(try store.pick(Passport.self, "id", "person") == [[2, 1]])
    #expect(report[Passport.self].inserted == 1)
    #expect(report[Passport.self].deleted == 1)
  }

  @Test func requiredOneToOneLinksAreSwapped() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}},
         {"id": 2, "name": "M", "passport": {"id": 2, "number": "y"}}]
        """#, as: Person.self)
    try await store.sync(
      payload: #"[{"id": 1, "person_id": 2}, {"id": 2, "person_id": 1}]"#, as: Passport.self)
    #expect(try store.pick(Passport.self, "id", "person") == [[1, 2], [2, 1]])
    try await store.sync(
      payload: #"[{"id": 1, "passport_id": 1}, {"id": 2, "passport_id": 2}]"#, as: Person.self)
    #expect(try store.pick(Passport.self, "id", "person") == [[1, 1], [2, 2]])
  }

  @Test func twoRowsThatRequireTheSameOwnerAreAnError() async throws {
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 1, "number": "x"}}]"#, as: Person.self)
    await #expect(throws: SyncError.self) {
      try await store.sync(item: #"{"id": 2, "number": "y", "person_id": 1}"#, as: Passport.self)
    }
    #expect(try store.pick(Passport.self, "id", "person") == [[1, 1]])
  }

  // MARK: Partners that the payload deletes

  private static let officers = #"""
    model Ship {
      id: Int
      @Relationship(inverse: \Captain.ship) captain: Captain?
      @Relationship(inverse: \Captain.home, deleteRule: .cascade) officers: [Captain]
    }

    model Captain {
      id: Int
      @Relationship(inverse: \Ship.captain) ship: Ship?
      @Relationship(inverse: \Ship.officers) home: Ship?
    }
    """#

  /// Contract, section 7: rows that the payload deletes are removed before its links are decided.
  @Test func keyOfARowDeletedByThePayloadIsPending() async throws {
    let store = try TextStore(Self.officers)
    try await store.sync(#"[{"id": 1}]"#, as: "Captain")
    let payload = #"[{"id": 2, "home": {"id": 1, "captain_id": 1}}]"#
    let report = try await store.sync(payload, as: "Captain")
    #expect(report.waiting.map(\.targetIdentity) == ["1"])
    #expect((report.deleted, report.linked) == (1, 1))
    let again = try await store.sync(payload, as: "Captain")
    #expect(again.isUnchanged && again.waiting == report.waiting)
    try await store.sync(#"{"id": 1}"#, as: "Captain")
    #expect(try store.values(of: "Ship", "id", "captain") == [[1, 1]])
  }

  /// Contract, section 7: rows that the payload deletes are removed before its links are decided.
  @Test func linkToACascadeDeletedRowIsNotCounted() async throws {
    let store = try TextStore(Self.officers)
    try await store.sync(#"[{"id": 2, "officers": [{"id": 1}]}]"#)
    let changes = #"{"created": [{"id": 1, "captain_id": 1}], "deleted": [2]}"#
    let report = try await store.sync(changes: changes)
    #expect((report.inserted, report.deleted, report.linked) == (1, 2, 0))
    #expect(report.waiting.map(\.targetIdentity) == ["1"])
    let again = try await store.sync(changes: changes)
    #expect(again.isUnchanged && again.waiting == report.waiting)
  }

  /// Contract, section 7: a row to which the payload gives another partner is not deleted, even if its links are decided at the
  /// end of the payload, as for a repeated row.
  @Test(arguments: [".cascade", ".deny"], ["", #"{"id": 2, "captain_id": 6}, "#])
  func deleteRuleIsNotAppliedToARelinkedPartner(rule: String, earlier: String) async throws {
    let store = try TextStore(
      """
      model Boat {
        id: Int
        @Relationship(inverse: \\Captain.boat, deleteRule: \(rule)) captain: Captain?
      }

      model Captain {
        id: Int
        @Relationship(inverse: \\Boat.captain) boat: Boat?
      }
      """)
    try await store.sync(#"[{"id": 1, "captain": {"id": 5}}]"#, as: "Boat")
    let payload = #"[\#(earlier){"id": 2, "captain_id": 5}]"#
    let report = try await store.sync(payload, as: "Boat")
    #expect((report.inserted, report.deleted, report.linked) == (1, 1, 1))
    #expect(report.waiting.isEmpty && report.problems.isEmpty)
    #expect(try store.values(of: "Boat", "id", "captain") == [[2, 5]])
    #expect(try await store.sync(payload, as: "Boat").isUnchanged)
  }
}

/// Required one-to-ones, with rows that are skipped because they cannot be stored (contract, section 7).
@Suite struct SkippedOneToOneTests {
  private static let orders = """
    model Order { id: Int; customer: Customer }
    model Customer { id: Int; lastOrder: Order? }
    """

  /// The last statement is discarded, then the one before it, and so on, so the first row keeps its partner.
  @Test func onlyFirstOfManyRowsKeepsASharedRequiredPartner() async throws {
    let store = try TextStore(Self.orders, SyncConfiguration(invalidRows: .skip))
    let rows = (1...250).map { #"{"id": \#($0), "customer": {"id": 7}}"# }
    let payload = "[\(rows.joined(separator: ","))]"
    let report = try await store.sync(payload, as: "Order")
    #expect((report.inserted, report.skipped) == (2, 249))
    #expect(try await store.rows("SELECT id, customer FROM \"Order\"") == ["1 7"])
    #expect(
      report.problems[0].description.contains(
        "“customer” of Order 1 is required, so Customer 7 cannot be linked to Order 2 instead"))
    #expect(try await store.sync(payload, as: "Order").isUnchanged)
  }

  /// Each discarded statement causes the next one to be discarded.
  @Test func conflictingLinksAreDiscardedInAChain() async throws {
    let store = try TextStore(Self.orders, SyncConfiguration(invalidRows: .skip))
    func sync(_ rows: [String]) async throws -> SyncReport {
      try await store.sync("[\(rows.joined(separator: ","))]", as: "Order")
    }
    _ = try await sync((1...210).map { #"{"id": \#($0), "customer": {"id": \#($0)}}"# })
    let report = try await sync(
      [#"{"id": 210}"#] + (1..<210).map { #"{"id": \#($0), "customer_id": \#($0 + 1)}"# })
    #expect(report.problemCount == 209)
    #expect(try await store.rows("SELECT count(*) FROM \"Order\" WHERE id = customer") == ["210"])
  }

  /// A soft-deleted row is not removed, and keeps the partner that it requires.
  @Test(arguments: [
    #"[{"id": 1, "user": {"id": 1}}]"#, #"[{"id": 1, "user": {"id": 1}}, {"id": 3, "user": {"id": 3}}]"#,
  ])
  func softDeletedRowKeepsItsRequiredPartner(first: String) async throws {
    for invalidRows in [SyncConfiguration.InvalidRows.fail, .skip] {
      let store = try TextStore(
        """
        @SoftDelete(\\.deletedAt) model Profile { id: Int; deletedAt: Date?; user: User }
        model User { id: Int; profile: Profile? }
        """, SyncConfiguration(invalidRows: invalidRows))
      try await store.sync(first, as: "Profile")
      let payload = #"[{"id": 2, "user_id": 1}]"#
      if invalidRows == .fail {
        let error = await #expect(throws: SyncError.self) { try await store.sync(payload, as: "Profile") }
        let message = "“user” of Profile 1 is required, so User 1 cannot be linked to Profile 2 instead"
        #expect(error?.description.contains(message) == true)
      } else {
        #expect(try await store.sync(payload, as: "Profile").skipped == 1)
        #expect(try await store.rows("SELECT id, user FROM Profile WHERE id < 3") == ["1 1"])
      }
    }
  }

  @Test func manyLinksToTakenRequiredPartnersAreDiscarded() async throws {
    let store = try makeStore(invalidRows: .skip)
    let passports = (1...600).map { #"{"id": \#($0), "number": "n", "person": {"id": \#($0), "name": "p"}}"# }
    try await store.sync(payload: "[\(passports.joined(separator: ","))]", as: Passport.self)
    let taking = (1...600).map {
      $0 > 300 ? #"{"id": \#($0), "person_id": \#($0 - 300)}"# : #"{"id": \#($0)}"#
    }
    for _ in 0..<2 {
      let report = try await store.sync(payload: "[\(taking.joined(separator: ","))]", as: Passport.self)
      #expect(report.isUnchanged && report.actions == Array(repeating: .keptLink, count: 300))
    }
    let persons = try store.pick(Passport.self, "person")
    #expect(persons == (1...600).map { [SyncJSON(integerLiteral: $0)] })
  }

  @Test func rowIsUpdatedWhenItsConflictingLinkIsDiscarded() async throws {
    let container = try makeStore(invalidRows: .skip)
    try await container.sync(
      payload: """
        [{"id": 1, "number": "a", "person": {"id": 1, "name": "p"}},
         {"id": 2, "number": "b", "person": {"id": 2, "name": "q"}}]
        """, as: Passport.self)
    let report = try await container.sync(
      payload: #"[{"id": 1}, {"id": 2, "number": "changed", "person_id": 1}]"#, as: Passport.self)
    #expect(report[Passport.self].skipped == 0 && report[Passport.self].updated == 1)
    #expect(report.actions == [.keptLink])
    #expect(
      try container.pick(Passport.self, "id", "number", "person") == [[1, "a", 1], [2, "changed", 2]])
  }

  private func store() async throws -> SyncContainer {
    let store = try makeStore(invalidRows: .skip)
    try await store.sync(
      payload: """
        [{"id": 1, "number": "a", "person": {"id": 1, "name": "p"}},
         {"id": 2, "number": "b", "person": {"id": 2, "name": "q"}}]
        """, as: Passport.self)
    return store
  }

  @Test func newRowTakesFreedPartnerAndKeepsItsLaterPendingLink() async throws {
    let store = try await store()
    // Passport 1 is deleted. Only then can passport 3 get its person and have a pending link to another one.
    let payload = #"[{"id": 3, "number": "c", "person_id": 1}, {"id": 2}, {"id": 3, "person_id": 9}]"#
    let report = try await store.sync(payload: payload, as: Passport.self)
    #expect(try store.pick(Passport.self, "id", "number", "person") == [[2, "b", 2], [3, "c", 1]])
    #expect(report.waiting.map(\.targetIdentity) == ["9"])
    #expect(report[Passport.self].skipped == 0)
    #expect(try await store.sync(payload: payload, as: Passport.self).isUnchanged)
  }

  @Test func lastLinkOfARepeatedNewRowIsStored() async throws {
    let store = try await store()
    let payload = #"""
      [{"id": 1}, {"id": 2}, {"id": 3, "number": "c", "person_id": 1},
       {"id": 3, "number": "d", "person": {"id": 4, "name": "r"}}]
      """#
    for _ in 0..<2 {
      let report = try await store.sync(payload: payload, as: Passport.self)
      #expect(
        try store.pick(Passport.self, "id", "number", "person") == [[1, "a", 1], [2, "b", 2], [3, "d", 4]])
      #expect(report[Passport.self].skipped == 0)
    }
    #expect(try await store.sync(payload: payload, as: Passport.self).isUnchanged)
  }

  @Test func rowInThePayloadKeepsItsRequiredPartner() async throws {
    let store = try await store()
    // The payload contains passport 2, so person 2 stays with it, and passport 1 keeps person 1.
    let payload = #"[{"id": 1, "passport": {"id": 2}}]"#
    let report = try await store.sync(payload: payload, as: Person.self)
    #expect(try store.pick(Passport.self, "id", "person") == [[1, 1], [2, 2]])
    #expect(Set(report.actions) == [.keptLink, .keptRow])
    #expect(try await store.sync(payload: payload, as: Person.self).isUnchanged)
  }

  @Test(arguments: ["b: Int", "b: UInt8", "b: UUID", "b: String", "b: Date", "b: Site"])
  func partnerWithACompositeIdentityIsRequired(part: String) async throws {
    let value =
      part == "b: UUID" ? "\"6BFD2BDD-1D40-415C-A241-1D5C9EFDCB89\"" : part == "b: String" ? "\"x\"" : "2"
    let schema = """
      model Person { id: Int; origin: Place }
      @PrimaryKey(\\.a, \\.b) model Place { a: Int; \(part); person: Person? }
      model Site { id: Int16 }
      """
    let key = part == "b: Site" ? "b_id" : "b"
    let place = "{\"a\": 1, \"\(key)\": \(value)}"
    let payload = #"[{"id": 4, "origin": \#(place)}, {"id": 3, "origin": \#(place)}]"#
    for isSkipped in [true, false] {
      let store = try TextStore(schema, SyncConfiguration(invalidRows: isSkipped ? .skip : .fail))
      try await store.sync(#"[{"id": 2}]"#, as: "Site")
      if isSkipped {
        let report = try await store.sync(payload, as: "Person")
        #expect(report.skipped == 1)
        #expect(try store.values(of: "Place", "person") == [[4]])
        #expect(try await store.sync(payload, as: "Person").isUnchanged)
      } else {
        let error = await #expect(throws: SyncError.self) { try await store.sync(payload, as: "Person") }
        #expect("\(error as Any)".contains("“origin” of Person 4 is required"))
      }
    }
  }
}
