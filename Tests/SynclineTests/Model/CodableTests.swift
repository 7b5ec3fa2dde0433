import Foundation
import Syncline
import SynclineTesting
import Testing

/// Generated models are `Codable` and `Hashable` by their columns.
@Suite struct CodableTests {
  /// A row with a value for each column, and one without values.
  static let chest = #"""
    {"id": 1, "one_id": 1, "kinds": [
      {"id": 1, "text": "t\u0001\"é", "int": -1, "int8": -128, "int16": 300, "int32": 70000, "int64": 9007199254740993,
       "uint": 1, "uint8": 255, "uint16": 65535, "uint32": 4294967295, "uint64": 9223372036854775807, "double": 1e300,
       "float": 0.1, "bool": false, "date": "2024-01-02T03:04:05.123456Z",
       "uuid": "C3E7A1B2-1001-4000-8000-0000000000AB", "url": "https://x.org/ä?q=1", "decimal": 123456789.123456789,
       "data": "AAEC", "level": 7, "state": "odd", "words": ["a", ""], "numbers": [1, 9007199254740993],
       "json": {"a": [1, 2.50, null, true, "x"], "b": 18446744073709551615, "c": 0.1, "d": 1e300, "e": 5e-324},
       "stamp": "Sat Mar 01 10:00:00 +0000 2025"},
      {"id": 2}],
     "required": [
      {"id": 1, "text": "", "int": 0, "double": 0.1, "bool": true, "date": 0.000001,
       "uuid": "C3E7A1B2-1001-4000-8000-0000000000AC", "url": "a", "decimal": 0.1, "data": "", "level": 1, "words": [],
       "json": null}],
     "lists": [
      {"id": 1, "doubles": [0.1, 1e300], "floats": [0.1], "bools": [true], "dates": ["2024-01-02T03:04:05.123456Z"],
       "uuids": ["C3E7A1B2-1001-4000-8000-0000000000AB"], "urls": ["https://x.org"], "decimals": [0.1, 12345678901234567890.5],
       "blobs": ["AAEC"], "levels": [1, 7], "states": ["open", "odd"], "values": [null, {"a": []}, 1.5]},
      {"id": 2}]}
    """#

  private func rows<Model: SyncGeneratedModel>(_ model: Model.Type, _ store: SyncContainer) throws -> [Model]
  {
    try store.database.read { try Model.fetchAll($0) }
  }

  @Test func jsonRoundTripKeepsEveryKindOfValue() async throws {
    let store = try makeStore()
    try await store.sync(item: Self.chest, as: Chest.self)
    try await store.sync(item: #"{"id": 1}"#, as: Defaults.self)
    func check<Model: SyncGeneratedModel>(_ model: Model.Type, count: Int) throws {
      let rows = try rows(model, store)
      #expect(rows.count == count, "\(model)")
      for row in rows {
        let copy = try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(row))
        #expect(copy == row)
        #expect(copy.hashValue == row.hashValue)
      }
    }
    try check(Kinds.self, count: 2)
    try check(Required.self, count: 1)
    try check(Lists.self, count: 2)
    try check(Defaults.self, count: 1)
    try check(Chest.self, count: 1)
  }

  @Test func encodedKeysAreColumnNamesAndReferencesIdentities() throws {
    let note = Note(id: 1, text: "t", fault: Reference(id: 7))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(note), as: UTF8.self) == #"{"fault":7,"id":1,"text":"t"}"#)
    let user = User(id: 1, name: "U", email: nil)
    #expect(String(decoding: try encoder.encode(user), as: UTF8.self) == #"{"id":1,"name":"U"}"#)
  }

  @Test func transientPropertiesAreNotEncoded() throws {
    let text = try JSONEncoder().encode(Defaults(id: 1, note: "changed", memo: "m"))
    #expect(!String(decoding: text, as: UTF8.self).contains("changed"))
    #expect(try JSONDecoder().decode(Defaults.self, from: text) == Defaults(id: 1))
  }

  @Test func decodingThrowsForMissingOrInvalidValues() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(User.self, from: Data(#"{"id": 1}"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(User.self, from: Data(#"{"id": "one", "name": "U"}"#.utf8))
    }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(User.self, from: Data("5".utf8)) }
  }

  @Test func encodingThrowsForNaN() {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Kinds(id: 1, double: .nan)) }
  }

  @Test func recordsAreStoredAndFetchedByColumnNotByCodable() async throws {
    let store = try makeStore()
    let stamp = Date(timeIntervalSince1970: 1_704_164_645.123456)
    let row = Lists(id: 1, dates: [stamp], decimals: [Decimal(sign: .plus, exponent: -1, significand: 1)])
    try await store.database.write { db in
      try row.insert(db)
      // `JSONEncoder` would write a number.
      #expect(
        try String.fetchOne(db, sql: "SELECT dates FROM Lists") == #"["2024-01-02T03:04:05.123456Z"]"#)
      #expect(try Lists.fetchOne(db, id: 1) == row)
    }
  }

  @Test func hashUsesTheIdentityAndEqualityAllProperties() {
    let (old, new) = (User(id: 1, name: "A"), User(id: 1, name: "B"))
    #expect(old.hashValue == new.hashValue)
    #expect(Set([old, new, old]).count == 2)
  }

  @Test(arguments: [
    "null", "true", "1", "-9223372036854775808", "18446744073709551615", "1.5", "0.1", "1e300", "5e-324",
    "12345678901234567890.123456789", #""text""#, "[]", "{}", #"[[1, [null]], {"a b": {"": "x"}}]"#,
  ])
  func anyJSONIsCodable(_ text: String) throws {
    let json = try SyncJSON(parsing: text)
    #expect(try JSONDecoder().decode(SyncJSON.self, from: JSONEncoder().encode(json)) == json)
  }

  @Test func customRecordsCanContainJSONAndSchemaEnums() async throws {
    struct Part: Decodable, FetchableRecord {
      var json: SyncJSON
      var state: TaskState
      var level: Level?
      var words: [String]
    }
    let store = try makeStore()
    try await store.sync(item: Self.chest, as: Chest.self)
    let part = try await store.database.read { db in
      try Kinds.filter(key: 1).asRequest(of: Part.self).fetchOne(db)
    }
    #expect(part?.json["a"]?[1] == 2.5)
    #expect(part?.state == .unrecognized("odd"))
    #expect(part?.level == .unrecognized(7))
    #expect(part?.words == ["a", ""])
  }
}
