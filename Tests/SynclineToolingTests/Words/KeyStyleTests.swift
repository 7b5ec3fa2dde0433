import Foundation
import Syncline
import SynclineCompiler
import SynclineTooling
import Testing

/// Keys in Pascal case and in kebab case, and the style of a target.
@Suite struct KeyStyleTests {
  private static let customers = """
    schema { keyStyle: pascalCase }
    model Customer { id: Int; firstName: String?; address: Address?; orders: [Order] }
    model Order { id: Int; customer: Customer?; placedAt: Date? }
    struct Address { zipCode: String; geoURL: URL? }
    """

  @Test func customersAreReadInPascalCase() async throws {
    let store = try TextStore(KeyStyleTests.customers)
    let report = try await store.expectRoundTrip(
      """
      [{"Id": 1, "FirstName": "A", "Address": {"ZipCode": "3000"}, "Orders": [{"Id": 5, "CustomerId": 1}]},
       {"Id": 2, "FirstName": "B", "Address": null, "Orders": []}]
      """, as: "Customer")
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    #expect(try store.rows(of: "Order").map { $0["customer"] } == [1])
    let exported = try await store.exportedRows(of: "Customer")
    #expect(exported[0]["FirstName"] == "A")
    #expect(exported[0]["Address"] == ["ZipCode": "3000", "GeoUrl": nil])
    #expect(exported[0]["Orders"]?[0]?["Id"] == 5)
    #expect(try await store.exportedRows(of: "Order")[0]["Customer"]?["FirstName"] == "A")
  }

  @Test func pascalCasePayloadHasNoUnreadKeys() async throws {
    var configuration = SyncConfiguration()
    configuration.unreadKeys = .first(rows: 10)
    let store = try TextStore(KeyStyleTests.customers, configuration)
    let report = try await store.sync(
      #"[{"Id": 1, "FirstName": "A", "Address": {"ZipCode": "3000", "GeoUrl": "a"}, "OrderIds": []}]"#,
      as: "Customer")
    #expect(report.unreadKeys?.keys == [] && report.unreadKeys?.properties == [])
  }

  @Test(arguments: ["ApiUrl", "ApiURL", "apiURL"])
  func pascalCaseKeySpellingsAreTriedInOrder(_ key: String) async throws {
    let store = try TextStore(
      "schema { keyStyle: pascalCase }\nmodel Site { id: Int; apiURL: String? }")
    try await store.sync(#"[{"Id": 1, "\#(key)": "a", "api_url": "b", "apiUrl": "c"}]"#, as: "Site")
    #expect(try store.rows(of: "Site") == [["id": 1, "apiURL": "a"]])
    #expect(try await store.exportedRows(of: "Site") == [["Id": 1, "ApiUrl": "a"]])
    // The order in which they are tried.
    try await store.sync(#"[{"Id": 1, "apiURL": "3", "ApiURL": "2", "ApiUrl": "1"}]"#, as: "Site")
    #expect(try store.rows(of: "Site") == [["id": 1, "apiURL": "1"]])
  }

  @Test func relationshipKeysCanEndInIdOrID() async throws {
    for key in ["CustomerId", "CustomerID", "Customer"] {
      let store = try TextStore(KeyStyleTests.customers)
      try await store.sync(#"[{"Id": 1}]"#, as: "Customer")
      try await store.sync(#"[{"Id": 5, "\#(key)": 1}]"#, as: "Order")
      #expect(try store.rows(of: "Order").map { $0["customer"] } == [1], "\(key)")
    }
    for key in ["OrderIds", "OrderIDs", "OrdersIds", "OrdersIDs", "Orders"] {
      let store = try TextStore(KeyStyleTests.customers)
      try await store.sync(#"[{"Id": 5}]"#, as: "Order")
      try await store.sync(#"[{"Id": 1, "\#(key)": [5]}]"#, as: "Customer")
      #expect(try store.rows(of: "Order").map { $0["customer"] } == [1], "\(key)")
    }
  }

  @Test func exportWritesTheFirstRelationshipKeySpelling() async throws {
    let store = try TextStore(
      #"""
      schema { keyStyle: pascalCase }
      model Student {
        id: Int
        @Export(.identities) mainCourse: Course?
        @Export(.identities) @Relationship(inverse: \Course.students) courses: [Course]
      }
      model Course { id: Int; @NotExport students: [Student] }
      """#)
    try await store.sync(#"[{"Id": 2}]"#, as: "Course")
    try await store.expectRoundTrip(#"[{"Id": 1, "MainCourseId": 2, "CourseIds": [2]}]"#, as: "Student")
    #expect(try await store.exportedRows(of: "Student") == [["Id": 1, "MainCourseId": 2, "CourseIds": [2]]])
  }

  @Test func explicitKeysAreTriedAsWrittenThenInTheStyle() async throws {
    let store = try TextStore(
      """
      schema { keyStyle: pascalCase }
      model Task {
        id: Int
        @RemoteKey("title") title: String?
        @RemoteKey("state.shortName") state: String?
        note: Note?
      }
      struct Note { @RemoteKey("text") text: String? }
      """)
    let written = #"[{"Id": 1, "title": "a", "state": {"shortName": "b"}, "Note": {"text": "c"}}]"#
    try await store.expectRoundTrip(written, as: "Task")
    #expect(try await store.export("Task") == SyncJSON(parsing: written).description)
    try await store.sync(
      #"[{"Id": 1, "Title": "d", "State": {"ShortName": "e"}, "Note": {"Text": "f"}}]"#, as: "Task")
    #expect(try store.rows(of: "Task") == [["id": 1, "title": "d", "state": "e", "note": ["text": "f"]]])
  }

  @Test func identityAliasesFollowTheKeyStyle() async throws {
    for key in ["RemoteId", "RemoteID", "Id", "id"] {
      let store = try TextStore("schema { keyStyle: pascalCase }\nmodel Task { remoteID: Int }")
      try await store.sync(#"[{"\#(key)": 7}]"#, as: "Task")
      #expect(try store.rows(of: "Task") == [["remoteID": 7]], "\(key)")
    }
    let both = try TextStore(
      "schema { keyStyle: pascalCase }\nmodel Task { id: Int; remoteID: Int? }")
    try await both.sync(#"[{"Id": 1, "RemoteId": 7}]"#, as: "Task")
    #expect(try both.rows(of: "Task") == [["id": 1, "remoteID": 7]])
  }

  @Test func kebabCaseIsReadAndWritten() async throws {
    let store = try TextStore(
      """
      schema { keyStyle: kebabCase }
      model Task { id: Int; createdAt: Date?; ownerURL: String?; parentTask: Task?; subTasks: [Label] }
      model Label { id: Int; displayName: String?; task: Task? }
      """)
    let payload = """
      [{"id": 1, "created-at": "2024-01-02T00:00:00.000Z", "owner-url": "a", "parent-task": null,
        "sub-tasks": [{"id": 3, "display-name": "x"}]},
       {"id": 2, "parent-task-id": 1, "sub-task-ids": []}]
      """
    try await store.expectRoundTrip(payload, as: "Task")
    #expect(try store.rows(of: "Task").map { $0["parentTask"] } == [.null, 1])
    let first = try await store.exportedRows(of: "Task")[0]
    #expect(first["owner-url"] == "a" && first["created-at"] == "2024-01-02T00:00:00.000Z")
    #expect(first["sub-tasks"]?[0]?["display-name"] == "x")
  }

  @Test func containerKeyStyleOverridesTargetKeyStyle() async throws {
    let store = try TextStore(KeyStyleTests.customers, SyncConfiguration(keyStyle: .camelCase))
    try await store.expectRoundTrip(#"[{"id": 1, "firstName": "A"}]"#, as: "Customer")
    try await store.sync(#"[{"id": 1, "FirstName": "B"}]"#, as: "Customer")
    #expect(try store.rows(of: "Customer").map { $0["firstName"] } == ["A"])
    // The other way round.
    let plain = try TextStore(
      "model Task { id: Int; dueOn: Date?; @RemoteKey(\"body\") text: String? }",
      SyncConfiguration(keyStyle: .pascalCase))
    try await plain.expectRoundTrip(
      #"[{"Id": 1, "DueOn": "2024-01-02T00:00:00.000Z", "body": "t"}]"#, as: "Task")
    #expect(
      try await plain.exportedRows(of: "Task") == [
        ["Id": 1, "DueOn": "2024-01-02T00:00:00.000Z", "body": "t"]
      ])
  }

  @Test func payloadUsesKeyStyleOfTheSyncedModel() async throws {
    let store = try TextStore(
      """
      import Base
      schema { keyStyle: pascalCase }
      model Ticket { id: Int; openedBy: User? }
      """,
      importing: [
        "Base": """
        schema { access: public; keyStyle: kebabCase }
        model User { id: Int; fullName: String? }
        """
      ])
    try await store.expectRoundTrip(#"[{"Id": 1, "OpenedBy": {"Id": 2, "FullName": "A"}}]"#, as: "Ticket")
    #expect(
      try await store.exportedRows(of: "Ticket") == [["Id": 1, "OpenedBy": ["Id": 2, "FullName": "A"]]])
    try await store.sync(#"[{"id": 2, "full-name": "B"}]"#, as: "User")
    #expect(try await store.exportedRows(of: "User") == [["id": 2, "full-name": "B"]])
  }

  @Test func unionIsReadInKeyStyle() async throws {
    let store = try TextStore(
      """
      schema { keyStyle: pascalCase }
      union Subject on "Type" { case post: Post; case photo: Photo }
      model Comment { id: Int; subject: Subject? }
      model Post { id: Int; bodyText: String? }
      model Photo { id: Int }
      """)
    try await store.expectRoundTrip(
      """
      [{"Id": 1, "Subject": {"Type": "post", "Id": 2, "BodyText": "a"}},
       {"Id": 2, "Subject": {"Type": "photo", "Id": 3}}]
      """, as: "Comment")
    #expect(try store.rows(of: "Post") == [["id": 2, "bodyText": "a"]])
    try await store.sync(#"[{"Id": 2, "SubjectType": "post", "SubjectId": 2}]"#, as: "Comment")
    #expect(try await store.exportedRows(of: "Comment")[0]["Subject"]?["BodyText"] == "a")
  }

  // MARK: The compiler and its tools

  private func generated(_ text: String) throws -> String {
    CompilerPipeline.emit(try TextStore.schema(text)).map(\.text).joined()
  }

  @Test func generatedCodeContainsNonDefaultKeyStyle() throws {
    let model = """
      model Task { id: Int; @RemoteKey("title") title: String; @RemoteKey("body") text: String }
      """
    let plain = try generated(model)
    #expect(!plain.contains("keyStyle"))
    #expect(try generated("schema { keyStyle: snakeCase }\n" + model).contains("keyStyle") == false)
    let pascal = try generated("schema { keyStyle: pascalCase }\n" + model)
    #expect(pascal.contains("keyStyle: .pascalCase"))
    // A key that equals the name in snake case is another one in this style.
    #expect(pascal.contains(#"keys: ["title"]"#))
  }

  @Test func keysEqualOnlyInTheKeyStyleAreAnError() {
    let model = "model Task { id: Int; dueOn: Int?; @RemoteKey(\"due-on\") other: Int? }"
    #expect(TextStore.analysis(model).diagnostics.isEmpty)
    let found = TextStore.analysis("schema { keyStyle: kebabCase }\n" + model).diagnostics
    #expect(found.map(\.code.rawValue) == ["SL061"])
    // What is the same in all styles is one error.
    let twice = TextStore.analysis(
      "schema { keyStyle: kebabCase }\nmodel Task { id: Int; dueOn: Int?; due_on: Int? }")
    #expect(twice.diagnostics.map(\.code.rawValue) == ["SL061"])
  }

  @Test func unknownKeyStyleErrorListsAllStyles() {
    let found = TextStore.analysis("schema { keyStyle: title }\nmodel Task { id: Int }").diagnostics
    #expect(
      found.map(\.message) == ["“keyStyle” must be one of snakeCase, camelCase, pascalCase, kebabCase"])
  }

  @Test func toolsUseKeyStyleOfTheTarget() throws {
    let schema = try TextStore.schema(KeyStyleTests.customers)
    #expect(schema.snapshot().contains(#""keys": ["FirstName", "firstName"]"#))
    let snake = schema.snapshot(keys: .snakeCase)
    #expect(snake.contains(#""keys": ["first_name", "firstName"]"#))
    #expect(PayloadSchema.openAPI(schema).description.contains("\"FirstName\""))
    #expect(DocumentationPage(schema).text.contains("<code>FirstName</code>"))
  }
}
