import TestSupport
import Testing

/// The text of a date is stored as it is if it has the digits of the stored form.
@Suite struct StoredFormTests {
  @Test func datesInOtherFormsOfTheSameLengthAreConverted() async throws {
    let store = try TextStore("model Event { id: Int; at: Date? }")
    let texts = [
      "2013-W02-4T10:00:00Z", "2021-05-03T10:00:00.12 Z", "  20130110T100000.0Z", "2013-01-10T10:00:00Z",
    ]
    let rows = texts.enumerated().map { "{\"id\": \($0), \"at\": \"\($1)\"}" }
    let payload = "[\(rows.joined(separator: ","))]"
    try await store.sync(payload, as: "Event")
    let day = "2013-01-10 10:00:00.000"
    #expect(
      try await store.rows("SELECT at FROM Event ORDER BY id") == [day, "2021-05-03 10:00:00.120", day, day])
    #expect(try await store.sync(payload, as: "Event").isUnchanged)
  }
}
