import Syncline
import Testing

@testable import SynclineTooling

/// The JSON Schema of payloads.
@Suite struct PayloadSchemaTests {
  private func properties(_ text: String) throws -> SyncJSON {
    let document = PayloadSchema.jsonSchema(try TextStore.schema(text), of: "Task")
    return try #require(document["$defs"]?["Task"]?["properties"])
  }

  @Test func valuesThatMeanNullAreAccepted() throws {
    let found = try properties(
      """
      model Task { @Null("none") id: String; @Null(0, false) due: Date?; @Null("") site: URL; owner: User?; at: Place? }
      model User { id: Int }
      struct Place { name: String? }
      """)
    #expect(found["due"]?["anyOf"]?.array?.contains(["enum": [0, false]]) == true)
    // Where null is an error, so are they.
    #expect(found["id"]?["not"] == ["enum": ["none"]])
    #expect(found["site"]?["not"] == ["enum": [""]])
    // PHP writes an empty object as an empty list.
    for key in ["owner", "at"] {
      #expect(found[key]?["anyOf"]?.array?.contains(["type": "array", "maxItems": 0]) == true, "\(key)")
    }
  }
}
