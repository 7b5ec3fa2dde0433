import Foundation
import Syncline
import Testing

@testable import SynclineTooling

/// What a document says of rows by other means than the word `id`: paths, examples, choices, other files.
@Suite struct DocumentReadingTests {
  private func text(_ document: String, files: [String: String] = [:]) throws -> String {
    let document = try SchemaDocument(SyncJSON(parsing: document), named: "Row", at: "api/openapi.json") {
      path in
      files[path].flatMap { try? SyncJSON(parsing: $0) }
    }
    let text = DocumentInference(of: document).text
    analysisWithoutErrors(of: text)
    return text
  }

  private func components(_ schemas: String, paths: String = "") throws -> String {
    try text(##"{"openapi": "3.1.0", "paths": {\##(paths)}, "components": {"schemas": {\##(schemas)}}}"##)
  }

  /// An operation whose response is a schema.
  private static func get(_ schema: String, _ rest: String = "") -> String {
    ##""get": {"responses": {"200": {"content": {"application/json": {"schema": \##(schema)\##(rest)}}}}}"##
  }

  @Test(arguments: [
    ("Task", "gid", "string"), ("Message", "sid", "string"), ("Anime", "mal_id", "integer"),
    ("Account", "account_id", "string"), ("PetResponse", "petId", "integer"),
    ("Widget", "WidgetID", "integer"),
    ("License", "key", "string"), ("IssueComment", "comment_id", "integer"),
  ])
  func anIdentityIsFoundByItsName(model: String, key: String, type: String) throws {
    let text = try components(
      ##""\##(model)": {"properties": {"note": {"type": "string"}, "\##(key)": {"type": "\##(type)"}}}"##)
    #expect(text.contains("model \(model) {"), "\(text)")
    #expect(text.contains("@PrimaryKey"))
  }

  @Test func keyNamedAfterAnotherModelIsNotIdentity() throws {
    let text = try components(
      ##""Comment": {"properties": {"id": {"type": "integer"}}}, "IssueComment": {"properties": {"comment_id": {"type": "integer"}, "x": {"type": "string"}}}"##
    )
    #expect(!text.contains("model IssueComment"), "\(text)")
  }

  @Test func pathParameterBecomesIdentity() throws {
    let text = try components(
      ##""User": {"properties": {"age": {"type": "integer"}, "username": {"type": "string"}}}"##,
      paths: ##""/users/{username}": {\##(Self.get(##"{"$ref": "#/components/schemas/User"}"##))}"##)
    #expect(text.contains("// Chosen as the identity, because a path selects a row by it."), "\(text)")
    #expect(text.contains("@PrimaryKey username: String"))
  }

  @Test func nestedPathParameterIsNotIdentity() throws {
    let text = try components(
      ##""Label": {"properties": {"name": {"type": "string"}}}"##,
      paths:
        ##""/repos/{repo}/labels/{name}": {\##(Self.get(##"{"$ref": "#/components/schemas/Label"}"##))}"##)
    #expect(text.contains("struct Label {"), "\(text)")
  }

  @Test func propertyDescribedAsUniqueIdentifierIsIdentity() throws {
    let text = try components(
      ##""Payout": {"properties": {"token": {"type": "string", "description": "The unique identifier of the payout."}}}"##
    )
    #expect(text.contains("@PrimaryKey token: String"), "\(text)")
  }

  @Test func propertyMissingInExampleBecomesOptional() throws {
    let text = try components(
      ##"""
      "Task": {"required": ["id", "title", "due", "state"], "example": {"id": 1, "title": "Write", "state": null}, "properties": {
        "id": {"type": "integer"}, "title": {"type": "string"}, "due": {"type": "string"}, "state": {"type": "string"}}}
      """##)
    for line in ["title: String\n", "due: String?\n", "state: String?\n"] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test(arguments: [(2, "model Repo {"), (1, "struct Repo {")])
  func identityHasAValueInMostExamples(count: Int, declaration: String) throws {
    let rows = (1...count).map { ##"{"id": \##($0)}"## } + [##"{"id": null}"##]
    let text = try components(
      ##""Repo": {"properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"##,
      paths:
        ##""/repos": {\##(Self.get(##"{"type": "array", "items": {"$ref": "#/components/schemas/Repo"}}"##, ##", "example": [\##(rows.joined(separator: ","))]"##))}"##
    )
    #expect(text.contains(declaration), "\(text)")
  }

  @Test func responseExampleMakesMissingPropertyOptional() throws {
    let text = try components(
      ##""Task": {"required": ["id", "title"], "properties": {"id": {"type": "integer"}, "title": {"type": "string"}}}"##,
      paths:
        ##""/tasks": {\##(Self.get(##"{"type": "array", "items": {"$ref": "#/components/schemas/Task"}}"##, ##", "example": [{"id": 1}]"##))}"##
    )
    #expect(text.contains("title: String?"), "\(text)")
  }

  @Test(arguments: [
    (##"{"type": "integer", "example": "a"}"##, "String?"),
    (##"{"type": "integer", "example": 1.5}"##, "Double?"),
    (##"{"type": "string", "format": "uuid", "example": "x-1"}"##, "String?"),
    (##"{"type": "string", "format": "date-time", "example": "soon"}"##, "String?"),
    (##"{"type": "string", "example": {"a": 1}}"##, "JSON?"),
    (##"{"type": "array", "items": {"type": "integer"}, "example": [1, "b"]}"##, "[String]?"),
    (##"{"type": "integer", "example": 7}"##, "Int?"),
  ])
  func anExampleOfAnotherTypeWidensTheType(schema: String, type: String) throws {
    let text = try components(##""Task": {"properties": {"id": {"type": "integer"}, "value": \##(schema)}}"##)
    #expect(text.contains("\n  value: \(type)\n"), "\(text)")
  }

  @Test(arguments: [
    ##"{"oneOf": [{"$ref": "#/components/schemas/Post"}, {"$ref": "#/components/schemas/Photo"}], "discriminator": {"propertyName": "type", "mapping": {"post": "#/components/schemas/Post", "image": "Photo"}}}"##
  ])
  func oneOfWithDiscriminatorBecomesUnion(schema: String) throws {
    let text = try components(
      ##"""
      "Comment": {"properties": {"id": {"type": "integer"}, "subject": \##(schema), "all": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}},
      "Item": \##(schema),
      "Post": {"properties": {"id": {"type": "integer"}, "type": {"type": "string"}}},
      "Photo": {"properties": {"id": {"type": "integer"}, "type": {"type": "string"}}}
      """##)
    #expect(
      text.contains(
        """
        union Item on "type" {
          case post: Post
          case image: Photo
        }
        """), "\(text)")
    #expect(text.contains("subject: Item?"))
    #expect(text.contains("all: [Item]"))
  }

  @Test func structsWithConstantKindBecomeUnion() throws {
    let text = try components(
      ##"""
      "Drawing": {"properties": {"id": {"type": "integer"}, "shapes": {"type": "array", "items": {"anyOf": [
        {"$ref": "#/components/schemas/Circle"}, {"$ref": "#/components/schemas/Box"}]}}}},
      "Circle": {"required": ["kind"], "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}},
      "Box": {"required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["rect"]}, "width": {"type": "number"}}}
      """##)
    #expect(text.contains("union Shape on \"kind\" {\n  case circle: Circle\n  case rect: Box\n}"), "\(text)")
    #expect(text.contains("  kind: String\n"))
  }

  @Test func choiceOfModelOrStructBecomesJSON() throws {
    let text = try components(
      ##"""
      "Task": {"properties": {"id": {"type": "integer"}, "x": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]}}},
      "A": {"properties": {"id": {"type": "integer"}, "type": {"const": "a"}}}, "B": {"properties": {"n": {"type": "integer"}, "type": {"const": "b"}}}
      """##)
    #expect(!text.contains("union"), "\(text)")
    #expect(text.contains("x: JSON?"))
  }

  @Test func choiceOfKeyOrObjectBecomesRelationship() throws {
    let text = try components(
      ##"""
      "Charge": {"properties": {"id": {"type": "string"}, "customer": {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Customer"}]}}},
      "Customer": {"properties": {"id": {"type": "string"}}}
      """##)
    #expect(text.contains("customer: Customer?"), "\(text)")
  }

  @Test func enumsAreInferredFromConstantsAndNumbers() throws {
    let text = try components(
      ##"""
      "Task": {"properties": {"id": {"type": "integer"},
        "level": {"type": "integer", "enum": [1, 2], "x-enum-varnames": ["low", "high"]},
        "state": {"oneOf": [{"const": "open", "title": "Open"}, {"const": "done"}]},
        "code": {"oneOf": [{"const": 0, "title": "Off"}, {"const": 1, "title": "On"}]},
        "object": {"type": "string", "enum": ["task"]}, "status": {"type": "string", "enum": ["a", "b"]}}}
      """##)
    #expect(text.contains("enum Level: Int {\n  case low = 1\n  case high = 2\n}"), "\(text)")
    #expect(text.contains("enum State: String {\n  case open\n  case done\n}"))
    #expect(text.contains("enum Code: Int {\n  case off = 0\n  case on = 1\n}"))
    #expect(text.contains("object: String?"))
    #expect(text.contains("status: Status?"))
  }

  @Test func requestOnlySchemasAreLeftOut() throws {
    let text = try components(
      ##"""
      "Task": {"properties": {"id": {"type": "integer"}}}, "NewTask": {"properties": {"title": {"type": "string"}, "place": {"$ref": "#/components/schemas/NewPlace"}}},
      "NewPlace": {"properties": {"city": {"type": "string"}}}, "Both": {"properties": {"a": {"type": "string"}}}, "Neither": {"properties": {"b": {"type": "string"}}}
      """##,
      paths: ##"""
        "/tasks": {"post": {
          "requestBody": {"content": {"application/json": {"schema": {"allOf": [{"$ref": "#/components/schemas/NewTask"}, {"$ref": "#/components/schemas/Both"}]}}}},
          "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"task": {"$ref": "#/components/schemas/Task"}, "both": {"$ref": "#/components/schemas/Both"}}}}}}}}}
        """##)
    #expect(text.hasPrefix("// Left out, as only requests have them: NewTask, NewPlace.\n"), "\(text)")
    #expect(text.contains("struct Neither {"))
    #expect(!text.contains("struct New"))
  }

  @Test func referencesToOtherFilesAreResolved() throws {
    let text = try text(
      ##"{"components": {"schemas": {"Task": {"$ref": "./models/task-v1.json"}}}}"##,
      files: [
        "api/models/task-v1.json":
          ##"{"properties": {"id": {"type": "integer"}, "owner": {"$ref": "../../common/people.json#/definitions/User"}, "again": {"$ref": "../openapi.json#/components/schemas/Task"}}}"##,
        "common/people.json":
          ##"{"definitions": {"User": {"properties": {"id": {"type": "integer"}, "home": {"$ref": "#/definitions/Home"}}}, "Home": {"properties": {"city": {"type": "string"}}}}}"##,
      ])
    for part in [
      "model Task {", "owner: User?", "again: Task?", "model User {", "home: Home?", "struct Home {",
    ] {
      #expect(text.contains(part), "\(text)")
    }
  }

  @Test func missingReferencedFileIsReported() throws {
    let text = try text(
      ##"{"properties": {"id": {"type": "integer"}, "a": {"$ref": "none.json"}, "b": {"$ref": "/etc/x.json"}, "c": {"$ref": "https://example.com/x.json"}}}"##,
      files: ["/etc/x.json": "{}", "https://example.com/x.json": "{}"])
    for name in ["none.json", "/etc/x.json", "https://example.com/x.json"] {
      #expect(text.contains("“\(name)” is not in the document."), "\(text)")
    }
  }

  @Test func swagger2IsRead() throws {
    let text = try text(
      ##"""
      {"swagger": "2.0", "paths": {"/pets/{petId}": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/Pet"}}}}},
        "/pets": {"post": {"parameters": [{"in": "body", "schema": {"$ref": "#/definitions/NewPet"}}], "responses": {}}}},
       "definitions": {"Pet": {"required": ["petId", "tag"], "properties": {"petId": {"type": "integer"}, "tag": {"type": "string", "x-nullable": true}}},
         "NewPet": {"properties": {"tag": {"type": "string"}}}}}
      """##)
    #expect(text.contains("@PrimaryKey petID: Int"), "\(text)")
    #expect(text.contains("tag: String?"))
    #expect(text.contains("only requests have them: NewPet."))
  }

  // MARK: Documents of the tool

  private static let schema = """
    model Task {
      id: Int
      title: String = "New"
      done: Bool = false
      due: Date?
      state: State = .open
      level: Level?
      owner: User?
      project: Project
      tags: [Tag]
      place: Place?
      counts: [String: Int]
      grid: [[Double]]
      price: Decimal
      small: Int8
      site: URL?
      any: JSON?
      subject: FeedItem?
      shapes: [Shape]
      @RemoteKey("meta.author") author: User?
      @NotExport seen: Bool?
      @DateFormat("dd.MM.yyyy") day: Date?
    }

    model User {
      @PrimaryKey login: String
      @Relationship(inverse: \\Task.owner) tasks: [Task]
      @Relationship(inverse: \\Task.author) written: [Task]
    }

    model Project {
      @PrimaryKey(remote: "no") number: Int
      @Relationship(deleteRule: .cascade) tasks: [Task]
    }

    model Tag {
      @PrimaryKey uuid: UUID
      @Relationship(inverse: \\Task.tags) tasks: [Task]
    }

    @PrimaryKey(\\.user, \\.group) model Membership {
      user: User
      group: Group
      role: String
    }

    model Group {
      id: String
      memberships: [Membership]
    }

    model Post {
      id: Int
      text: String
    }

    model Photo {
      id: Int
      url: URL
      words: [String] = ["a", "b"]
      states: [State] = [.open]
      sizes: [String: Int] = [:]
      key: UUID = "C3E7A1B2-1001-4000-8000-000000000010"
    }

    struct Place {
      city: String
      zip: String?
      other: Place?
    }

    struct Circle {
      radius: Double
    }

    struct Box {
      width: Float
    }

    union FeedItem on "type" {
      case post: Post
      case photo: Photo = "image"
    }

    union Shape on "kind" {
      case circle: Circle
      case box: Box = "rect"
    }

    enum State: String {
      case open
      case done = "finished"
    }

    enum Level: Int {
      case low = 1
      case high = 2
    }

    """

  private func document(as form: PayloadSchema.Form) throws -> SyncJSON {
    PayloadSchema.openAPI(try TextStore.schema(Self.schema), as: form)
  }

  @Test(arguments: PayloadSchema.Form.allCases)
  func schemaRoundTripsThroughOpenAPIDocument(form: PayloadSchema.Form) throws {
    #expect(try text(document(as: form).description) == Self.schema)
  }

  @Test func memberAddedToDocumentIsProposed() throws {
    let document = try document(as: .exported).description
    let changed = document.replacing(
      ##""properties":{"radius""##, with: ##""properties":{"hue":{"type":"integer"},"radius""##)
    #expect(changed != document)
    #expect(try text(changed).contains("struct Circle {\n  radius: Double\n  hue: Int?\n}"))
  }

  @Test func invalidNamesInSynclineExtensionAreIgnored() throws {
    let text = try components(
      ##""A": {"x-syncline": {"model": "A {}\nmodel B"}, "properties": {"id": {"type": "integer"}}}, "C": {"x-syncline": {"struct": "C", "properties": [{"name": "a: Int\n", "type": "Int", "members": ["a"]}]}, "properties": {"a": {"type": "string"}}}"##
    )
    #expect(text == "model A {\n  id: Int\n}\n\nstruct C {\n  a: String?\n}\n")
  }

  @Test func exportDocumentHasOneKeyPerProperty() throws {
    let schemas = try #require(try document(as: .exported)["components"]?["schemas"])
    let task = try #require(schemas["Task"]?["properties"])
    #expect(task["id"] == ["type": "integer", "format": "int64"])
    #expect(task["due"] == ["type": ["string", "null"], "format": "date-time"])
    #expect(task["seen"] == ["type": ["boolean", "null"], "readOnly": true])
    #expect(task["small"] == ["type": "integer", "format": "int8"])
    #expect(task["owner_id"] == nil)
    #expect(task["tags"]?["type"] == "array")
    #expect(task["owner"]?["anyOf"]?[0]?["anyOf"]?[0] == ["$ref": "#/components/schemas/User"])
    #expect(schemas["Level"]?["enum"] == [1, 2])
  }
}
