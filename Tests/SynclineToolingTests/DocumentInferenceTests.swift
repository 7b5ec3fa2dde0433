import Foundation
import Syncline
import TestSupport
import Testing

@testable import SynclineTooling

/// Schemas that are proposed for documents of OpenAPI and JSON Schema.
@Suite struct DocumentInferenceTests {
  private func text(_ document: String, named name: String = "Row") throws -> String {
    DocumentInference(of: try SchemaDocument(SyncJSON(parsing: document), named: name)).text
  }

  /// A schema of components, given by their members.
  private func components(_ schemas: String) throws -> String {
    try text(##"{"openapi": "3.1.0", "components": {"schemas": {\##(schemas)}}}"##)
  }

  @Test func commentNamesTheMembersBeyondTheLimit() throws {
    let members = (1...1_910).map { #""f\#($0)": {"type": "integer"}"# }.joined(separator: ", ")
    let text = try text(#"{"properties": {"id": {"type": "integer"}, \#(members)}}"#)
    #expect(
      text.contains(
        #"// Left out: "f1900" and the keys after it, as a table has at most 1,999 columns."#))
    #expect(text.contains("  f600: Int?\n") && text.contains("  f1899: Int?\n}"))
  }

  @Test func objectSchemaWithIdentityBecomesModel() throws {
    let text = try components(
      ##"""
      "Task": {"type": "object", "description": "What is to be done.\n\nSoon.", "required": ["id", "title", "state", "owner"],
        "properties": {
          "id": {"type": "integer", "readOnly": true},
          "title": {"type": "string", "description": "In a line."},
          "state": {"$ref": "#/components/schemas/State"},
          "owner": {"$ref": "#/components/schemas/User"},
          "project_id": {"type": ["integer", "null"]},
          "labels": {"type": "array", "items": {"$ref": "#/components/schemas/Label"}},
          "place": {"type": "object", "properties": {"city": {"type": "string"}}},
          "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
          "password": {"type": "string", "writeOnly": true},
          "seen": {"type": "boolean", "readOnly": true},
          "meta": {"type": "object", "properties": {"author": {"$ref": "#/components/schemas/User"}}}}},
      "Project": {"allOf": [{"$ref": "#/components/schemas/Named"}, {"required": ["id"], "properties": {"id": {"type": "integer"}}}]},
      "Named": {"required": ["name"], "properties": {"name": {"type": "string"}}},
      "User": {"properties": {"id": {"type": "string", "format": "uuid"}}},
      "Label": {"properties": {"uuid": {"type": "string"}, "hue": {"oneOf": [{"type": "number"}, {"type": "null"}]}}},
      "State": {"type": "string", "enum": ["open", "in progress"]},
      "Page": {"properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Task"}}}}
      """##)
    #expect(
      text == """
        // Left out as envelopes (pass the path of their rows as “at:”): Page.

        /// What is to be done.
        ///
        /// Soon.
        model Task {
          id: Int
          /// In a line.
          title: String
          state: State
          owner: User?
          project: Project?
          labels: [Label]
          place: Place?
          counts: [String: Int]?
          @NotExport seen: Bool?
          @RemoteKey("meta.author") author: User?
        }

        model Project {
          id: Int
          name: String
        }

        model User {
          id: UUID
        }

        model Label {
          @PrimaryKey uuid: String
          hue: Double?
        }

        enum State: String {
          case open
          case inProgress = "in progress"
        }

        struct Place {
          city: String?
        }

        """)
    analysisWithoutErrors(of: text)
  }

  @Test(arguments: [
    (##"{"type": "string"}"##, "String"), (##"{"type": "string", "format": "date-time"}"##, "Date"),
    (##"{"type": "string", "format": "date"}"##, "Date"),
    (##"{"type": "string", "format": "uuid"}"##, "UUID"),
    (##"{"type": "string", "format": "uri"}"##, "URL"), (##"{"type": "string", "format": "byte"}"##, "Data"),
    (##"{"type": "integer"}"##, "Int"), (##"{"type": "integer", "format": "int32"}"##, "Int32"),
    (##"{"type": "number"}"##, "Double"), (##"{"type": "number", "format": "float"}"##, "Float"),
    (##"{"type": "boolean"}"##, "Bool"), (##"{"const": "a"}"##, "String"),
    (##"{"type": "array", "items": {"type": "integer"}}"##, "[Int]"),
    (##"{"type": "array", "items": {"type": "array", "items": {"type": "string"}}}"##, "[[String]]"),
    (##"{"type": "object", "additionalProperties": {"type": "number"}}"##, "[String: Double]"),
    (##"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"##, "Double"),
    (##"{"oneOf": [{"type": "integer"}, {"type": "string"}]}"##, "String"),
    (##"{"type": ["string", "integer", "boolean"]}"##, "String"), (##"{"$ref": "#/$defs/Short"}"##, "String"),
    (##"{"$ref": "#/$defs/Point"}"##, "Point"), (##"{"allOf": [{"$ref": "#/$defs/Point"}]}"##, "Point"),
  ])
  func documentTypeMapsToSchemaType(schema: String, type: String) throws {
    let text = try text(
      ##"""
      {"title": "thing", "required": ["value", "id"], "properties": {"id": {"type": "integer"}, "value": \##(schema)},
       "$defs": {"Short": {"type": "string", "maxLength": 3}, "Point": {"properties": {"x": {"type": "number"}}, "required": ["x"]}}}
      """##)
    #expect(text.contains("\n  value: \(type)\n"), "\(text)")
    analysisWithoutErrors(of: text)
  }

  @Test(arguments: [
    (##"{"type": "string", "nullable": true}"##, "String?"), (##"{"type": ["string", "null"]}"##, "String?"),
    (##"{"oneOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}"##, "A?"),
    (##"{"$ref": "#/$defs/A", "nullable": true}"##, "A?"),
    (##"{"allOf": [{"$ref": "#/$defs/A"}], "nullable": true}"##, "A?"),
    (##"{"type": "string", "enum": ["a", "b", null]}"##, "Value?"),
    (##"{"type": "string", "enum": ["a", null]}"##, "String?"),
  ])
  func nullableSchemaBecomesOptional(schema: String, type: String) throws {
    let text = try text(
      ##"{"required": ["value"], "properties": {"id": {"type": "integer"}, "value": \##(schema)}, "$defs": {"A": {"properties": {"x": {"type": "integer"}}}}}"##
    )
    #expect(text.contains("\n  value: \(type)\n"), "\(text)")
    analysisWithoutErrors(of: text)
  }

  @Test(arguments: [
    (##"{}"##, "value"), (##"{"$ref": "other.json#/A"}"##, "is not in the document"),
    (##"{"$ref": "#/$defs/Nothing"}"##, "is not in the document"),
    (##"{"$ref": "#/$defs/Loop"}"##, "The schema is recursive."),
    (##"{"oneOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]}"##, "One of several types."),
    (##"{"type": "array", "items": {"type": ["integer", "null"]}}"##, "Null is among the elements."),
    (##"{"type": "object", "additionalProperties": {"type": ["integer", "null"]}}"##, "An object by keys."),
  ])
  func schemaWithoutMatchingTypeBecomesJSON(schema: String, reason: String) throws {
    let text = try text(
      ##"{"properties": {"id": {"type": "integer"}, "value": \##(schema)}, "$defs": {"A": {"properties": {"x": {"type": "integer"}}}, "Loop": {"$ref": "#/$defs/Loop"}}}"##
    )
    #expect(text.contains("\n  value: JSON?\n"), "\(text)")
    #expect(text.contains(reason))
    analysisWithoutErrors(of: text)
  }

  /// As the lists of Stripe and the relations of Strapi.
  @Test func rowsInDataAreNamedAfterTheObjectAround() throws {
    let text = try components(
      ##"""
      "Charge": {"properties": {"id": {"type": "string"},
        "refunds": {"type": "object", "properties": {
          "data": {"type": "array", "items": {"$ref": "#/components/schemas/Refund"}}}},
        "payer": {"type": "object", "properties": {"data": {"$ref": "#/components/schemas/Payer"}}}}},
      "Refund": {"properties": {"id": {"type": "string"}}},
      "Payer": {"properties": {"id": {"type": "string"}}}
      """##)
    #expect(text.contains(##"  @RemoteKey("refunds.data") refunds: [Refund]"##), "\(text)")
    #expect(text.contains(##"  @RemoteKey("payer.data") payer: Payer?"##), "\(text)")
  }

  @Test func numberOfSecondsBecomesDate() throws {
    let text = try components(
      ##"""
      "Charge": {"required": ["id", "created"], "properties": {
        "id": {"type": "string"}, "created": {"type": "integer", "format": "unix-time", "example": 1679609767},
        "ended": {"type": "number", "format": "unixtime"}}}
      """##)
    #expect(text.contains("\n  created: Date\n  ended: Date?\n"), "\(text)")
  }

  /// The formats of integers are those of numbers, too: such a number may be an identity.
  @Test func numberWithIntegerFormatBecomesInteger() throws {
    let text = try components(
      ##"""
      "Pet": {"required": ["id", "age", "weight"], "properties": {
        "id": {"type": "number", "format": "int64"}, "age": {"type": "number", "format": "int32"},
        "weight": {"type": "number", "format": "double"}}}
      """##)
    #expect(
      text == """
        model Pet {
          id: Int
          age: Int32
          weight: Double
        }

        """)
  }

  @Test func camelCaseKeysSetTheKeyStyle() throws {
    let text = try components(
      ##""A": {"properties": {"id": {"type": "integer"}, "createdAt": {"type": "string", "format": "date-time"}}}"##
    )
    #expect(text.hasPrefix("schema {\n  keyStyle: camelCase\n}\n"), "\(text)")
    #expect(text.contains("\n  createdAt: Date?\n"))
  }

  @Test func aDocumentWithoutSchemasIsRefused() throws {
    for document in [
      "{}", "[]", "3", ##"{"openapi": "3.0.0", "components": {}}"##, ##"{"swagger": "2.0", "paths": {}}"##,
    ] {
      #expect(throws: Mistake.self) { try text(document) }
    }
  }

  /// What the compiler's own description of a schema says comes back.
  @Test func schemaIsRecoveredFromItsOpenAPIDocument() throws {
    let text = """
      model Task {
        id: Int
        title: String
        state: State?
        tags: [Tag]
        place: Place?
      }

      model Tag {
        @PrimaryKey uuid: String
      }

      struct Place {
        city: String
      }

      enum State: String {
        case open
        case done
      }

      """
    let schema = try #require(analysisWithoutErrors(of: text).schema)
    for form in PayloadSchema.Form.allCases {
      let document = PayloadSchema.openAPI(schema, as: form)
      #expect(DocumentInference(of: try SchemaDocument(document, named: "Row")).text == text)
    }
  }

  @Test func longReferenceChainIsNotFollowedToItsEnd() throws {
    let chain: [(String, SyncJSON)] = (0..<20_000).map {
      ("C\($0)", ["$ref": .string("#/components/schemas/C\($0 + 1)")])
    }
    let schemas = SyncJSON.object(SyncJSONObject(chain))
    let document = try SchemaDocument(["components": ["schemas": schemas]], named: "Row")
    #expect(DescribedType.scalar(of: ["$ref": "#/components/schemas/C0"], document) == "JSON")
  }

  /// What leads to itself in many ways is looked at once.
  @Test func denselyRecursiveSchemasGiveACompilingProposal() throws {
    let names = (0..<40).map { "S\($0)" }
    for way in [##""oneOf": [X, Y]"##, ##""properties": {"a": X, "b": Y, "c": X}"##, ##""allOf": [X, Y]"##] {
      let schemas = names.indices.map { index in
        let next = (1...2).map { ##"{"$ref": "#/components/schemas/S\##((index + $0) % 40)"}"## }
        return "\"\(names[index])\": {" + way.replacing("X", with: next[0]).replacing("Y", with: next[1])
          + "}"
      }
      let text = try components(
        schemas.joined(separator: ",")
          + ##", "Row": {"properties": {"id": {"$ref": "#/components/schemas/S0"}, "s": {"$ref": "#/components/schemas/S0"}}}"##
      )
      analysisWithoutErrors(of: text)
      let rows = try components(
        schemas.joined(separator: ",")
          + ##", "Row": {"properties": {"id": {"type": "integer"}, "s": {"$ref": "#/components/schemas/S0"}}}, "S39": {"properties": {"row": {"$ref": "#/components/schemas/Row"}}}"##
      )
      analysisWithoutErrors(of: rows)
    }
  }

  /// Whatever a document says, what is proposed compiles.
  @Test(arguments: Soak.seeds(8800, count: 30))
  func randomDocumentGivesACompilingSchema(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let schemas = SyncJSON.object(SyncJSONObject(Self.names.map { ($0, Self.schema(&random)) }))
      let document = try SchemaDocument(["components": ["schemas": schemas]], named: "Row")
      let text = DocumentInference(of: document).text
      analysisWithoutErrors(of: text, "\(schemas)")
    }
  }

  private static let names = ["A", "b", "Int", "list_of", "self", "A-b", "É", "Task", "a\n}"]
  private static let keys = [
    "type", "properties", "items", "allOf", "oneOf", "anyOf", "$ref", "enum", "required",
    "additionalProperties",
    "format", "nullable", "title", "description", "readOnly", "const",
  ]
  private static let members = [
    "id", "name", "a.b", "class", "", "tasks", "user_id", "createdAt", "x y", "Id",
  ]
  private static let types: [SyncJSON] = [
    "object", "string", "integer", "array", ["string", "null"], "null", "number", 5,
  ]
  private static let enums: [SyncJSON] = [
    ["a", "b c", ""], ["x", nil], [1, 2], [], "a", ["self", "init", "self"],
  ]
  private static let texts: [SyncJSON] = ["Task", "*/ // \n x \u{0}\u{2028}}", 5, ""]
  private static let references = [
    "#/components/schemas/A", "#/components/schemas/b", "#/components/schemas/Task",
    "#/components/schemas/A-b", "#",
    "#/components/schemas/A/properties/id", "x.json", "#/a~1b/%41", "a\n}\u{2028}\u{0}",
  ]

  /// A schema with a little of everything, right or not.
  private static func schema(_ random: inout SeededGenerator, level: Int = 0) -> SyncJSON {
    var found: [(String, SyncJSON)] = []
    for _ in 0..<random.pick(0...4) {
      let key = random.pick(keys)
      found.append((key, content(of: key, &random, level: level)))
    }
    return .object(SyncJSONObject(found))
  }

  private static func content(of key: String, _ random: inout SeededGenerator, level: Int) -> SyncJSON {
    func value() -> SyncJSON { level > 3 ? [:] : schema(&random, level: level + 1) }
    switch key {
    case "type": return random.pick(types)
    case "properties":
      var list: [(String, SyncJSON)] = []
      for _ in 0..<random.pick(0...4) { list.append((random.pick(members), value())) }
      return .object(SyncJSONObject(list))
    case "items", "additionalProperties": return random.chance(10) ? true : value()
    case "allOf", "oneOf", "anyOf":
      var list: [SyncJSON] = []
      for _ in 0..<random.pick(0...3) { list.append(value()) }
      return .array(list)
    case "$ref": return .string(random.pick(references))
    case "enum": return random.pick(enums)
    case "required": return random.chance(50) ? ["id", "name"] : "id"
    case "format": return random.chance(50) ? "date-time" : 3
    case "nullable", "readOnly": return .bool(random.chance(50))
    default: return random.pick(texts)
    }
  }
}
