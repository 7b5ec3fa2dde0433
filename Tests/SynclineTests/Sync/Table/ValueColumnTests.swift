import Foundation
import GRDB
import SynclineTesting
import TestSupport
import Testing

@_spi(Generated) @testable import Syncline

/// Columns of structs, maps and lists of lists: change detection, SQL access and exports.
@Suite struct ValueColumnTests {
  /// Values of all kinds, with members in an unusual order.
  private static let payload = #"""
    [{"id": 1, "name": "A", "address": {"geo": {"lng": 7.25, "lat": -46.5}, "street": "Gasse \"1\"", "zip_code": "3000"},
      "phones": [{"number": "1", "kind": "work", "checked_on": "24.12.2024"}, {"kind": "fax", "number": "é"}],
      "scores": {"z": 1, "a": -2, "é": 3}, "addresses": {"b": {"street": "B"}, "a": {"street": "A", "city": "Genf"}},
      "grid": [[1, 2.5], [], [1e3]],
      "remark": {"text": "t", "at": "2024-01-01T00:00:00.123456Z", "answer_to": {"text": "u", "answer_to": {"text": "v"}},
        "replies": [{"text": "r", "by_name": {"x": {"text": "y"}}}]}},
     {"id": 2, "phones": [], "scores": {}, "address": {"street": "S", "city": "Genf", "geo": {"lat": 1, "lng": 2}}, "sundry":
      {"int": "7", "small": 8, "double": 0.1, "float": 1.5, "decimal": 12345678901234567890.123, "bool": "yes", "text": 5,
       "date": 1700000000.5, "uuid": "c3e7a1b2-1001-4000-8000-0000000000ab", "url": "https://a.b/ü", "data": "aGk",
       "json": {"b": [1.0], "a": null}, "words": ["a", 1], "grid": [[1], []], "counts": {"b": 1, "a": 2}, "deep": {"down": "x"}}}]
    """#

  private func filled(_ style: KeyStyle = .snakeCase) async throws -> SyncContainer {
    let container = try makeStore(keyStyle: style)
    let report = try await container.sync(payload: Self.payload, as: Resident.self)
    #expect(report.inserted == 2)
    #expect(report.problems == [])
    return container
  }

  /// The payload with the members of all objects in another order.
  private func shuffled(_ json: SyncJSON, _ number: Int) -> SyncJSON {
    switch json {
    case .array(let elements): return .array(elements.map { shuffled($0, number) })
    case .object(let object):
      let keys = number == 0 ? object.keys.reversed() : object.keys.sorted { $0 < $1 }
      return .object(SyncJSONObject(keys.map { ($0, shuffled(object[$0] ?? .null, number)) }))
    default: return json
    }
  }

  @Test func equalValuesWithReorderedMembersWriteNothing() async throws {
    let container = try await filled()
    let payload = try SyncJSON(parsing: Self.payload)
    for json in [payload, shuffled(payload, 0), shuffled(payload, 1)] {
      let report = try await container.sync(payload: json, as: Resident.self)
      #expect(report.isUnchanged)
      #expect(report[Resident.self].unchanged == 2)
    }
  }

  @Test func exportedValueColumnsSyncBackUnchanged() async throws {
    for style in [KeyStyle.snakeCase, .camelCase] {
      let container = try makeStore(keyStyle: style)
      try await container.sync(payload: Self.payload, as: Resident.self)
      // Digits that a date cannot represent, and omitted members, are not a change.
      let phone = Phone(number: "7", verified: true)
      try await container.database.write { try Resident(id: 3, phones: [phone], scores: [:]).insert($0) }
      let body = try await container.exportData(as: Resident.self)
      let report = try await container.sync(payload: body, as: Resident.self)
      #expect(report.isUnchanged)
      #expect(report[Resident.self].unchanged == 3)
      #expect(try await SyncJSON.array(container.export(as: Resident.self)) == SyncJSON(parsing: body))
      #expect(
        try await container.database.read { try Resident.fetchOne($0, id: 3)?.phones.first?.verified } == true
      )
    }
  }

  @Test func exportUsesThePayloadKeysOfMembers() async throws {
    let container = try await filled()
    let rows = try await container.export(as: Resident.self)
    #expect(
      rows[0]["address"]
        == [
          "street": "Gasse \"1\"", "zip_code": "3000", "city": "Bern", "geo": ["lat": -46.5, "lng": 7.25],
        ])
    #expect(rows[0]["phones"]?[0] == ["kind": "work", "number": "1", "checked_on": "24.12.2024"])
    #expect(rows[0]["scores"] == ["a": -2, "z": 1, "é": 3])
    #expect(rows[1]["sundry"]?["deep"] == ["down": "x"])
    #expect(rows[1]["home"] == .null)
  }

  @Test func directlyTranscribedValuesEqualDecodedOnes() throws {
    var text = SyncStoredText()
    var direct = 0
    let payload = try SyncJSON(parsing: Self.payload)
    for row in [payload, shuffled(payload, 0)].flatMap({ $0.array ?? [] }) {
      for position in Resident.syncTable.columns.indices {
        let property = Resident.syncTable.properties[position]
        guard case .scalar(.value, _) = property.kind, let transcribe = property.transcribe,
          let type = property.composedType, let value = row[property.keys(in: .snakeCase)[0]]
        else { continue }
        func stored<Value: SyncScalar>(_ type: Value.Type, _ value: SyncValue) -> String? {
          Value.syncRead(value, form: SyncForm()).value?.syncDatabaseValue.storage.value as? String
        }
        try value.utf8().withUnsafeBytes { bytes in
          let tape = try JSONDocument.scan(bytes)
          defer { tape.close() }
          text.clear()
          guard transcribe(tape.value(at: 0), SyncForm(), &text) else { return }
          direct += 1
          let found = text.bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
          #expect(found == stored(type, tape.value(at: 0)), "\(property.name)")
        }
      }
    }
    // All columns but the map with unsorted, non-ASCII keys.
    #expect(direct >= 16)
  }

  @Test func rowsAreFilteredAndOrderedByMembers() async throws {
    let container = try await filled()
    typealias Columns = Resident.Columns
    func ids(_ request: QueryInterfaceRequest<Resident>) async throws -> [Int] {
      try await container.database.read { try request.fetchAll($0).map(\.id) }
    }
    #expect(try await ids(Resident.filter(Columns.address.city == "Genf")) == [2])
    #expect(try await ids(Resident.filter(Columns.address.city != "Genf")) == [1])
    #expect(try await ids(Resident.filter(Columns.address.zip == nil)) == [2])
    #expect(try await ids(Resident.filter(Columns.address.geo.lat < 0)) == [1])
    #expect(try await ids(Resident.filter(Columns.address.geo.lat >= 1)) == [2])
    #expect(try await ids(Resident.order(Columns.address.city.desc)) == [2, 1])
    #expect(try await ids(Resident.filter(Columns.phones[0].kind == .work)) == [1])
    #expect(try await ids(Resident.filter(Columns.phones[-1].number == "é")) == [1])
    #expect(try await ids(Resident.filter(Columns.scores["a"] < 0)) == [1])
    #expect(try await ids(Resident.filter(Columns.scores["é"] == 3)) == [1])
    #expect(try await ids(Resident.filter(Columns.addresses["a"].city == "Genf")) == [1])
    #expect(try await ids(Resident.filter(Columns.grid[0][1] > 2)) == [1])
    #expect(try await ids(Resident.filter(Columns.sundry.bool == true)) == [2])
    #expect(try await ids(Resident.filter(Columns.sundry.int == 7)) == [2])
    #expect(try await ids(Resident.filter(Columns.sundry.decimal > 1)) == [2])
    #expect(
      try await ids(
        Resident.filter(
          Columns.sundry.uuid == UUID(uuidString: "C3E7A1B2-1001-4000-8000-0000000000AB") ?? UUID())) == [2])
    #expect(
      try await ids(
        Resident.filter(Columns.sundry.date == Date(timeIntervalSince1970: 1_700_000_000.5))) == [2])
    let address = try await container.database.read { try Resident.fetchOne($0, id: 2)?.address }
    #expect(try await ids(Resident.filter(Columns.address == #require(address))) == [2])
    #expect(try await ids(Resident.filter(Columns.home == nil)) == [1, 2])
  }

  @Test func membersOfJoinedRowsCanBeFiltered() async throws {
    let container = try await filled()
    try await container.sync(
      payload: #"[{"id": 1, "destination": {"street": "S", "city": "Thun"}, "resident_id": 2}]"#,
      as: Shipment.self)
    let found = try await container.database.read { database in
      let resident = Shipment.resident.filter(Resident.Columns.address.city == "Genf")
      return try Shipment.joining(required: resident).filter(Shipment.Columns.destination.city == "Thun")
        .fetchAll(database).map(\.id)
    }
    #expect(found == [1])
  }

  @Test func indexOnAMemberIsUsedByAQuery() async throws {
    let container = try await filled()
    let plan = try await container.database.read { database in
      let request = Resident.filter(Resident.Columns.address.city == "Genf")
      let prepared = try request.makePreparedRequest(database, forSingleResult: false).statement
      return try Row.fetchAll(
        database, sql: "EXPLAIN QUERY PLAN \(prepared.sql)", arguments: prepared.arguments
      ).map { $0["detail"] as String }
    }
    #expect(plan.first?.contains("USING INDEX Resident(address.city)") ?? false, "\(plan)")
    let reopened = try await container.database.read { database in
      try SchemaEvolution(to: SyncSchemaSnapshot(ModelCatalog(SynclineTestsSchema.models))).preview(database)
    }
    #expect(reopened.statements == [])
  }

  @Test func observedListUpdatesWhenAMemberChanges() async throws {
    let container = try await filled()
    var values = container.values(
      of: Resident.self, where: Resident.Columns.address.city == "Genf", orderBy: [Resident.Columns.name]
    ).makeAsyncIterator()
    #expect(try await values.next()?.map(\.id) == [2])
    try await container.sync(
      payload: #"[{"id": 1, "address": {"street": "x", "city": "Genf"}}]"#, as: Resident.self,
      deletionPolicy: .none)
    #expect(try await values.next()?.map(\.id) == [2, 1])
  }

  @Test func structValuesAreCodableAndCopiedByValue() async throws {
    let container = try await filled()
    let rows = try await container.database.read { try Resident.fetchAll($0) }
    let back = try JSONDecoder().decode([Resident].self, from: JSONEncoder().encode(rows))
    #expect(back == rows)
    #expect(rows[0].remark?.answerTo?.answerTo?.text == "v")
    var copy = rows[0]
    copy.remark?.answerTo?.text = "w"
    #expect(rows[0].remark?.answerTo?.text == "u")
    #expect(copy != rows[0])
    #expect(Set(rows.map(\.address)).count == 2)
  }

  @Test func textIsComparedByteByByte() async throws {
    let container = try makeStore()
    func sync(_ street: String, _ key: String) async throws -> SyncReport {
      try await container.sync(
        payload: #"[{"id": 1, "phones": [], "scores": {"\#(key)": 1}, "address": {"street": "\#(street)"}}]"#,
        as: Resident.self)
    }
    _ = try await sync("\u{E9}", "a")
    #expect(try await sync("e\u{301}", "a")[Resident.self].updated == 1)
    #expect(try await sync("e\u{301}", "a").isUnchanged)
    _ = try await sync("x", "\u{E9}")
    #expect(try await sync("x", "e\u{301}")[Resident.self].updated == 1)
    let stored = try await container.database.read { try Resident.fetchOne($0)?.scores.keys.first }
    #expect(stored.map { Array($0.utf8) } == Array("e\u{301}".utf8))
    // Swift treats the two keys as equal.
    await #expect(throws: SyncError.self) { try await sync("x", "e\u{301}\": 2, \"\u{E9}") }
  }

  @Test func lastOfTwoDuplicateKeysIsStored() async throws {
    let container = try makeStore()
    try await container.sync(
      payload:
        #"[{"id": 1, "phones": [], "scores": {"a": 1, "a": 2}, "address": {"street": "a", "street": "b"}}]"#,
      as: Resident.self)
    let row = try await container.database.read { try Resident.fetchOne($0) }
    #expect(row?.scores == ["a": 2])
    #expect(row?.address?.street == "b")
  }

  @Test func changedMemberIsReportedAsARowUpdate() async throws {
    let container = try await filled()
    var changes = container.changes().makeAsyncIterator()
    let report = try await container.sync(
      payload: #"[{"id": 2, "address": {"street": "S", "city": "Genf", "geo": {"lat": 1, "lng": 3}}}]"#,
      as: Resident.self, deletionPolicy: .none)
    #expect(report[Resident.self].updated == 1)
    #expect(try await changes.next()?[Resident.self].updated == [2])
  }

  @Test func memberExcludedFromExportsIsStillSynced() async throws {
    let container = try makeStore()
    func verified(_ value: String) async throws -> Bool? {
      let report = try await container.sync(
        payload: #"[{"id": 1, "phones": [{"number": "1"\#(value)}], "scores": {}}]"#, as: Resident.self)
      #expect(report.problems == [])
      return try await container.database.read { try Resident.fetchOne($0)?.phones.first?.verified }
    }
    #expect(try await verified(#", "verified": true"#) == true)
    #expect(try await verified("") == true)
    #expect(try await verified(#", "verified": false"#) == false)
    // Together with another change, the value is replaced completely.
    #expect(try await verified(#", "verified": true"#) == true)
    try await container.sync(payload: #"[{"id": 1, "phones": [{"number": "2"}]}]"#, as: Resident.self)
    #expect(try await container.database.read { try Resident.fetchOne($0)?.phones.first?.verified } == false)
  }

  @Test func unreadableDuplicateKeyIsOverriddenByTheLast() async throws {
    let container = try makeStore()
    let report = try await container.sync(
      payload: #"[{"id": 1, "phones": [], "scores": {"a": "x", "a": 1, "b": 2.5, "b": 3}}]"#,
      as: Resident.self)
    #expect(report.problems == [])
    #expect(try await container.database.read { try Resident.fetchOne($0)?.scores } == ["a": 1, "b": 3])
  }

  @Test func valueThatCannotBeReadBackIsNotStored() async throws {
    let container = try makeStore()
    var deep = SyncJSON.null
    for _ in 0..<600 { deep = [deep] }
    var remark = Remark(text: "a")
    for _ in 0..<70 { remark = Remark(text: "a", answerTo: remark) }
    let rows = [
      Resident(id: 1, phones: [], scores: [:], sundry: Sundry(json: deep)),
      Resident(id: 1, phones: [], scores: [:], remark: remark),
      Resident(id: 1, phones: [], scores: [:], grid: [[.nan]]),
      Resident(
        id: 1, address: Address(street: "a", geo: Point(lat: .infinity, lng: 0)), phones: [], scores: [:]),
    ]
    for row in rows {
      await #expect(throws: SyncError.self) { try await container.database.write { try row.insert($0) } }
    }
    let error = await #expect(throws: SyncError.self) {
      try await container.database.write { try rows[2].insert($0) }
    }
    #expect(error?.description.contains("grid") == true, "\(String(describing: error))")
  }

  /// `json_each` has columns of these names.
  @Test(arguments: ["value", "key", "type", "path", "json", "parent", "atom", "other"])
  func mapInAColumnOfAnyNameCanBeFiltered(name: String) async throws {
    let store = try TextStore("model Setting { id: Int; \(name): [String: Int] }")
    try await store.sync("[{\"id\": 1, \"\(name)\": {\"EUR\": 5, \"a.b\": 6}}]")
    let prices = ValueColumn<[String: Int]>(name)
    for filter in [prices["EUR"] == 5, prices["a.b"] == 6] {
      let count = try await store.container.database.read {
        try Table("Setting").filter(filter).fetchCount($0)
      }
      #expect(count == 1)
    }
  }

  @Test func mapKeysWithSpecialCharactersCanBeFiltered() async throws {
    let container = try makeStore()
    let keys = ["a", "a.b", "it's", "\"", "\\", "", "[0]", "$", "é", "\n"]
    let scores = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    try await container.database.write { try Resident(id: 1, phones: [], scores: scores).insert($0) }
    for (number, key) in keys.enumerated() {
      let count = try await container.database.read {
        try Resident.filter(Resident.Columns.scores[key] == number).fetchCount($0)
      }
      #expect(count == 1, "\(key)")
    }
  }
}
