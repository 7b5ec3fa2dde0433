import Foundation
import Syncline
import Testing

@Suite struct PayloadReadingTests {
  private let payload = #"""
    {"title": "A", "notes": null, "count": "5", "profile": {"email": "e", "phone": null}, "a.b": 1, "flag": 1,
     "project_id": 7, "list": [1]}
    """#

  private func read(_ style: KeyStyle = .snakeCase) throws -> SyncPayload {
    try SyncPayload(SyncJSON(parsing: payload), keyStyle: style)
  }

  @Test func nullAndAbsentKeysAreDistinguished() throws {
    let payload = try read()
    #expect(payload.contains("title"))
    #expect(payload.contains("notes"))
    #expect(!payload.contains("other"))
    #expect(payload.contains("profile.email") && payload.contains("profile.phone"))
    #expect(!payload.contains("profile.other"))
    #expect(payload.contains("a.b"))
    #expect(payload.value(for: "notes", as: String.self) == nil)
    #expect(payload.value(for: "other", as: String.self) == nil)
  }

  @Test func valuesAreCoercedAndStrictOnesAreNot() throws {
    let payload = try read()
    #expect(payload.value(for: "count", as: Int.self) == 5)
    #expect(payload.strictValue(for: "count", as: Int.self) == nil)
    #expect(payload.strictValue(for: "count", as: String.self) == "5")
    #expect(payload.value(for: "projectID", as: String.self) == "7")
    #expect(payload.strictValue(for: "projectID", as: String.self) == nil)
    #expect(payload.strictValue(for: "projectID", as: Int.self) == 7)
    #expect(payload.value(for: "flag", as: Bool.self) == true)
    #expect(payload.strictValue(for: "flag", as: Bool.self) == nil)
    #expect(payload.strictValue(for: "list", as: [Int].self) == [1])
    #expect(payload.value(for: "profile.email", as: String.self) == "e")
  }

  @Test func missingRequiredValueThrows() throws {
    let payload = try read()
    #expect(try payload.required(String.self, for: "title") == "A")
    #expect(try payload.required(String.self, for: "notes") == "")
    #expect(throws: SyncError.self) { try payload.required(URL.self, for: "notes") }
    #expect(throws: SyncError.self) { try payload.required(String.self, for: "other") }
    let error = #expect(throws: SyncError.self) { try payload.required(Int.self, for: "title") }
    #expect(error?.description.contains("“title”") == true)
  }

  @Test func namesAreReadInTheStyleOfThePayload() throws {
    #expect(try read().contains("projectID"))
    #expect(try !read(.camelCase).contains("projectID"))
  }

  @Test func payloadThatIsNoObjectIsRefused() throws {
    for text in ["1", "[]", "null", #""a""#] {
      #expect(throws: SyncError.self) { try SyncPayload(SyncJSON(parsing: text)) }
    }
  }

  @Test func swiftValuesAreConvertedToJSON() throws {
    let values: [String: Any] = [
      "int": 1, "int8": Int8(-5), "uint64": UInt64.max, "double": 1.5, "float": Float(0.1), "bool": true,
      "text": "a", "null": NSNull(), "none": Int?.none as Any, "some": Int?.some(3) as Any,
      "date": Date(timeIntervalSince1970: 0.5), "url": URL(filePath: "/a"), "data": Data([1, 2, 3]),
      "decimal": Decimal(string: "0.1") ?? 0, "list": [1, "a", [true]] as [Any], "object": ["a": ["b": 1]],
    ]
    let json = try SyncJSON(any: values)
    #expect(json["int"] == 1 && json["int8"] == -5 && json["double"] == 1.5 && json["float"] == 0.1)
    #expect(json["uint64"]?.description == "18446744073709551615")
    #expect(json["bool"] == true && json["text"] == "a" && json["null"] == .null)
    #expect(json["none"] == .null && json["some"] == 3)
    #expect(json["date"] == "1970-01-01T00:00:00.500000Z" && json["data"] == "AQID" && json["decimal"] == 0.1)
    #expect(json["list"] == [1, "a", [true]] && json["object"] == ["a": ["b": 1]])
    for value in [Double.nan, Double.infinity] {
      #expect(throws: SyncError.self) { try SyncJSON(any: value) }
    }
    #expect(throws: SyncError.self) { try SyncJSON(any: ["a": [PayloadReadingTests()]]) }
  }

  @Test func foundationNumbersAndBooleansAreDistinguished() throws {
    let object = try JSONSerialization.jsonObject(
      with: Data("[true, false, 1, 0, 1.5, 9007199254740993]".utf8))
    #expect(try SyncJSON(any: object).description == "[true,false,1,0,1.5,9007199254740993]")
    let numbers = [
      NSNumber(value: true), NSNumber(value: Int8(1)), NSNumber(value: UInt8(1)), NSNumber(value: 1.0),
    ]
    #expect(try SyncJSON(any: numbers).description == "[true,1,1,1]")
  }
}
