import GRDB
import Syncline
import SynclineTesting
import Testing

/// A new row that is bound directly from the payload's bytes equals the one that `make` creates.
@Suite struct DirectInsertTests {
  private static let values: KeyValuePairs = [
    "text": [#""plain""#, #""""#, #""\"é\\\n\u00e9\ud83d\ude80 日本語""#, "12.50", "true", "null", "[1]"],
    "int": [
      "0", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1.0", "1.5", #""7""#,
      "null",
    ],
    "int8": ["-128", "127", "128", "-129"], "uint16": ["65535", "65536", "-1"],
    "uint64": ["9223372036854775807", "9223372036854775808"],
    "double": ["0", "-0", "1e300", "0.1", "1e400", "12345678901234567890", #""2.5""#, "null"],
    "float": ["0.1", "1e300", "null"], "bool": ["true", "false", "1", #""yes""#, "null", "2"],
    "date": [
      #""2024-02-29T10:15:30Z""#, #""2024-02-29T23:59:60Z""#, #""2024-02-29T10:15:30.123456+02:00""#,
      #""2024-02-29T10:15:30,123Z""#, #""2024-02-29T10:15:30.250Z""#, #""2024-02-29T24:00:00Z""#,
      #""2024-02-29T10:15:30.25Z""#, #"" 2024-02-29T10:15:30Z""#, #""2024-02-29t10:15:30z""#,
      #""2024-02-29""#, #""2023-02-29T10:15:30Z""#, "1709201730", "1709201730.5", #""no date""#, "null",
    ],
    "uuid": [#""c3e7a1b2-1001-4000-8000-0000000000ab""#, #""C3E7A1B2""#, "7", "null"],
    "url": [
      #""https://example.com/a?b=c#d""#, #""https://example.com/ä""#, #""""#, #""not a url""#, "7", "null",
    ],
    "decimal": ["12.50", "0.1", #""3.1400""#, "1e2", #""x""#, "null"],
    "data": [#""AAEC""#, #""no base64!""#, "null"], "level": ["1", "7", #""10""#, "null"],
    "state": [#""open""#, #""strange""#, "3", "null"],
    "words": [#"["a","é"]"#, #"[ "a" ]"#, "[]", #"["a", 1]"#, "[null]", #""a""#, "null"],
    "numbers": ["[1,2]", "[1, 2]", "[1.5]", "[null]", "null"],
    "json": [#"{"a":[1,2.50,null]}"#, #"{ "a": 1 }"#, #""1""#, "1", "null", "[]"],
    "stamp": [#""Sat Mar 01 10:00:00 +0000 2025""#, #""2025-03-01T10:00:00Z""#, "null"],
  ]

  private static var objects: [String] {
    var objects = [#"{"id": 1}"#]
    for (name, values) in values {
      for value in values { objects.append(#"{"id": 1, "\#(name)": \#(value)}"#) }
    }
    return objects
  }

  @Test(arguments: objects) func directlyInsertedRowEqualsTheOneFromMake(_ object: String) async throws {
    let made = try? Kinds.make(from: SyncPayload(SyncJSON(parsing: object)))
    let store = try SyncContainer(for: Kinds.self)
    do {
      try await store.sync(payload: "[\(object)]", as: Kinds.self)
    } catch {
      #expect(made == nil)
      return
    }
    let row = try #require(made)
    let other = try SyncContainer(for: Kinds.self)
    try await other.database.write { try row.insert($0) }
    #expect(try store.rows(of: Kinds.self) == other.rows(of: Kinds.self))
    // Syncing the same payload again changes nothing.
    let before = try store.writes()
    let report = try await store.sync(payload: "[\(object)]", as: Kinds.self)
    #expect(report.isUnchanged)
    #expect(try store.writes() == before)
  }

  @Test func directInsertUsesTheSameDefaultsAsMake() async throws {
    for object in [#"{"id": 1}"#, #"{"id": 1, "optional": null}"#, #"{"id": 1, "optional": "given"}"#] {
      let store = try SyncContainer(for: Defaults.self)
      try await store.sync(payload: "[\(object)]", as: Defaults.self)
      let other = try SyncContainer(for: Defaults.self)
      let row = try Defaults.make(from: SyncPayload(SyncJSON(parsing: object)))
      try await other.database.write { try row.insert($0) }
      #expect(try store.rows(of: Defaults.self) == other.rows(of: Defaults.self))
    }
  }
}
