import Foundation
import Syncline
import SynclineTesting
import Testing

/// Structs, maps and lists of lists: reading, comparison, storage and export.
@Suite struct ValueReadingTests {
  /// Syncs residents, and returns the rows and the reported problems.
  @discardableResult
  private func sync(
    _ rows: String, in container: SyncContainer
  ) async throws -> SyncReport {
    try await container.sync(payload: rows, as: Resident.self)
  }

  private func resident(_ container: SyncContainer) async throws -> Resident {
    try await container.database.read { try #require(try Resident.fetchOne($0)) }
  }

  @Test func aStructIsReadFromAnObject() async throws {
    let container = try makeStore()
    try await sync(
      #"""
      [{"id": 1, "address": {"street": "Gasse 1", "zip_code": 3000, "geo": {"lat": 46.9, "lng": "7.4"}, "other": 1},
        "phones": [{"kind": "work", "number": "1", "checked_on": "24.12.2024"}, {"number": 2, "kind": "fax"}],
        "scores": {"b": 1, "a": "2"}, "grid": [[1, 2.5], []], "addresses": {"x": {"street": "Y"}}}]
      """#, in: container)
    let row = try await resident(container)
    #expect(row.address == Address(street: "Gasse 1", zip: "3000", geo: Point(lat: 46.9, lng: 7.4)))
    #expect(row.phones.map(\.number) == ["1", "2"])
    #expect(row.phones.map(\.kind) == [.work, .unrecognized("fax")])
    #expect(row.phones[0].checkedOn == Date(timeIntervalSince1970: 1_734_998_400))
    #expect(row.scores == ["a": 2, "b": 1])
    #expect(row.grid == [[1, 2.5], []])
    #expect(row.addresses == ["x": Address(street: "Y")])
  }

  @Test func structIsStoredAsJSONTextWithSwiftNames() async throws {
    let container = try makeStore()
    try await sync(
      #"[{"id": 1, "address": {"zip_code": "3000", "street": "G"}, "phones": [{"number": "1"}], "scores": {"b": 1, "a": 2}}]"#,
      in: container)
    let stored = try await container.database.read {
      try Row.fetchOne($0, sql: "SELECT address, phones, scores, grid FROM Resident").map { row in
        row.databaseValues.map { String.fromDatabaseValue($0) ?? "-" }
      }
    }
    #expect(
      stored == [
        #"{"city":"Bern","street":"G","zip":"3000"}"#,
        #"[{"kind":"home","number":"1","verified":false}]"#, #"{"a":2,"b":1}"#, "[]",
      ])
  }

  @Test func objectReplacesTheWholeStructValue() async throws {
    let container = try makeStore()
    try await sync(
      #"[{"id": 1, "address": {"street": "G", "zip_code": "1"}, "phones": [], "scores": {"a": 1}}]"#,
      in: container)
    let report = try await sync(
      #"[{"id": 1, "address": {"street": "G"}, "scores": {"b": 2}}]"#, in: container)
    #expect(report[Resident.self].updated == 1)
    let row = try await resident(container)
    #expect(row.address == Address(street: "G"))
    #expect(row.scores == ["b": 2])
    try await sync(#"[{"id": 1}]"#, in: container)
    #expect(try await resident(container) == row)
    try await sync(#"[{"id": 1, "address": null, "scores": null, "phones": null}]"#, in: container)
    let cleared = try await resident(container)
    #expect(cleared.address == nil)
    #expect(cleared.scores == [:])
    #expect(cleared.phones == [])
  }

  @Test func emptyListIsReadAsAnEmptyMap() async throws {
    let container = try makeStore()
    let report = try await sync(#"[{"id": 1, "phones": [], "scores": []}]"#, in: container)
    #expect(report.problems == [])
    #expect(try await resident(container).scores == [:])
  }

  @Test func structWithoutAReadableRequiredMemberIsUnreadable() async throws {
    for (address, path, reason) in [
      (#"{"zip_code": "1"}"#, "[0].address.street", "“street” is missing"),
      (#"{"street": null, "geo": 1}"#, "", ""),
      (#"{"street": {}}"#, "[0].address.street", "an object is not a valid String"),
      (#"{"street": "a", "city": []}"#, "[0].address.city", "a list is not a valid String"),
      ("[[]]", "[0].address", "a list is not a valid Address"),
      ("\"a\"", "[0].address", "the string “a” is not a valid Address"),
    ] {
      let container = try makeStore()
      let report = try await sync(
        #"[{"id": 1, "address": \#(address), "phones": [], "scores": {}}]"#, in: container)
      // Null is read as the empty string.
      guard !path.isEmpty else {
        #expect(try await resident(container).address?.street == "")
        continue
      }
      #expect(report.problems.map(\.path) == [path], "\(address)")
      #expect(report.problems.map(\.reason) == [reason], "\(address)")
      #expect(report.actions == [.usedNil])
      #expect(try await resident(container).address == nil)
    }
  }

  @Test func emptyListIsReadAsNullForAStruct() async throws {
    let container = try makeStore()
    let full = #"[{"id": 1, "address": {"street": "G"}, "phones": [], "scores": {}}]"#
    try await sync(full, in: container)
    let empty = #"[{"id": 1, "address": [], "phones": [], "scores": {}}]"#
    let report = try await sync(empty, in: container)
    #expect(report.problems == [] && report.updated == 1)
    #expect(try await resident(container).address == nil)
    #expect(try await sync(empty, in: container).isUnchanged)
  }

  @Test func unreadableStructKeepsTheStoredValue() async throws {
    let container = try makeStore()
    try await sync(
      #"[{"id": 1, "address": {"street": "G"}, "phones": [{"number": "1"}], "scores": {"a": 1}}]"#,
      in: container)
    let before = try await resident(container)
    let report = try await container.sync(
      payload: #"[{"id": 1, "address": {"street": []}}]"#, as: Resident.self)
    #expect(report.actions == [.keptStoredValue])
    #expect(try await resident(container) == before)
    let error = try await #require(throws: SyncError.self) {
      try await sync(#"[{"id": 1, "phones": [{"number": "1"}, {"kind": "home"}]}]"#, in: container)
    }
    #expect(
      error.description
        == "Invalid payload for Resident: “phones” is not a valid [Phone]: “number” is missing (at [0].phones[1].number, row 0, identity 1)"
    )
    let second = try await #require(throws: SyncError.self) {
      try await sync(#"[{"id": 1, "scores": {"a": null}}]"#, in: container)
    }
    #expect(second.description.contains("(at [0].scores.a, row 0, identity 1)"))
    #expect(try await resident(container) == before)
  }

  @Test func anUnreadableOptionalMemberIsNilAndReported() async throws {
    let container = try makeStore()
    let report = try await sync(
      #"""
      [{"id": 1, "phones": [{"number": "1", "checked_on": "soon"}], "scores": {"a": 1.5},
        "sundry": {"small": 300, "int": 2.5, "counts": {"a": "x"}, "deep": {"down": []}}}]
      """#, in: container)
    #expect(
      report.problems.map { "\($0.path) \($0.action.rawValue)" } == [
        "[0].phones[0].checked_on usedNil", "[0].scores.a truncatedFraction",
        "[0].sundry.int truncatedFraction",
        "[0].sundry.small usedNil", "[0].sundry.counts.a usedNil", "[0].sundry.deep.down usedNil",
      ])
    let row = try await resident(container)
    #expect(row.scores == ["a": 1])
    #expect(row.sundry == Sundry(int: 2))
  }

  @Test func missingRequiredStructIsRefused() async throws {
    let container = try makeStore()
    for row in [#"{"id": 1}"#, #"{"id": 1, "destination": null}"#, #"{"id": 1, "destination": {}}"#] {
      await #expect(throws: SyncError.self) {
        try await container.sync(payload: "[\(row)]", as: Shipment.self)
      }
    }
    let report = try await container.sync(
      payload:
        #"[{"id": 1, "destination": {"street": "G"}, "resident": {"id": 1, "phones": [], "scores": {}}}]"#,
      as: Shipment.self)
    #expect(report.inserted == 2)
  }

  @Test func structMemberKeysFollowTheKeyStyle() async throws {
    let container = try makeStore(keyStyle: .camelCase)
    try await sync(
      #"[{"id": 1, "phones": [{"number": "1", "checkedOn": "01.02.2024"}], "scores": {}, "address": {"street": "G", "zipCode": "3"}}]"#,
      in: container)
    let row = try await resident(container)
    #expect(row.phones[0].checkedOn != nil)
    #expect(row.address?.zip == "3")
    let body = try await container.export(row)
    #expect(body["phones"]?[0]?["checkedOn"] == "01.02.2024")
    // An explicit key is written unchanged.
    #expect(body["address"]?["zip_code"] == "3")
  }

  @Test func structNestingIsLimitedTo64Levels() async throws {
    func remark(_ levels: Int) -> String {
      String(repeating: #"{"text":"a","replies":["#, count: levels) + String(repeating: "]}", count: levels)
    }
    let container = try makeStore()
    var report = try await sync(
      #"[{"id": 1, "phones": [], "scores": {}, "remark": \#(remark(64))}]"#, in: container)
    #expect(report.problems == [])
    let stored = try await resident(container)
    #expect(stored.remark != nil)
    report = try await sync(#"[{"id": 1, "remark": \#(remark(65))}]"#, in: container)
    #expect(report.actions == [.keptStoredValue])
    #expect(report.problems.first?.reason == "more than 64 levels of values")
    #expect(try await resident(container) == stored)
  }
}
