import Syncline
import SynclineCompiler
import Testing

/// Models with a single row: `@Singleton`.
@Suite struct SingletonTests {
  private static let schema = """
    @Singleton
    model Config {
      id: Int?
      theme: String?
      size: Int?
    }
    model App {
      id: Int
      config: Config?
    }
    """

  private func configs(_ store: TextStore) throws -> [[SyncJSON]] {
    try store.values(of: "Config", "id", "theme", "size")
  }

  private func links(_ store: TextStore) throws -> [SyncJSON] {
    try store.rows(of: "App").map { $0["config"] ?? .null }
  }

  @Test func itemInsertsAndUpdatesTheSingleton() async throws {
    let store = try TextStore(SingletonTests.schema)
    #expect(try await store.sync(#"{"theme": "dark"}"#, as: "Config").inserted == 1)
    #expect(try await store.sync(#"{"theme": "dark"}"#, as: "Config").isUnchanged)
    #expect(try await store.sync(#"{"size": 3}"#, as: "Config").updated == 1)
    #expect(try configs(store) == [[nil, "dark", 3]])
  }

  @Test func objectsOfPayloadMergeIntoTheSingleton() async throws {
    let store = try TextStore(SingletonTests.schema)
    let payload = #"[{"theme": "dark"}, {"theme": "light", "size": 3}]"#
    let report = try await store.sync(payload, as: "Config")
    #expect(report.inserted == 1 && report.problems.isEmpty)
    #expect(try configs(store) == [[nil, "light", 3]])
    for again in [payload, try await store.export("Config")] {
      #expect(try await store.sync(again, as: "Config").isUnchanged, "\(again)")
    }
  }

  @Test func idOfSingletonIsAnOrdinaryProperty() async throws {
    let store = try TextStore(SingletonTests.schema)
    try await store.sync(#"{"id": 7}"#, as: "Config")
    try await store.sync(#"{"id": 8}"#, as: "Config")
    // It has no aliases either.
    try await store.sync(#"{"remote_id": 9}"#, as: "Config")
    #expect(try configs(store) == [[8, nil, nil]])
    try await store.sync(#"{"id": null}"#, as: "Config")
    #expect(try configs(store) == [[nil, nil, nil]])
  }

  @Test func emptyListDeletesTheSingleton() async throws {
    let store = try TextStore(SingletonTests.schema)
    try await store.sync(#"[{"theme": "dark"}]"#, as: "Config")
    #expect(try await store.sync("[]", as: "Config").deleted == 1)
    #expect(try configs(store) == [])
  }

  @Test func nestedSingletonNeedsNoIdentity() async throws {
    let store = try TextStore(SingletonTests.schema)
    let payload = #"[{"id": 1, "config": {"theme": "dark"}}, {"id": 2, "config": {"size": 3}}, {"id": 3}]"#
    let report = try await store.sync(payload, as: "App")
    #expect(report.problems.isEmpty && report.waiting.isEmpty)
    #expect(try configs(store) == [[nil, "dark", 3]])
    #expect(try links(store) == ["[]", "[]", nil])
    try await store.expectUnchanged(by: payload, as: "App")
  }

  @Test func nullClearsOnlyTheLinkToTheSingleton() async throws {
    let store = try TextStore(SingletonTests.schema)
    try await store.sync(#"[{"id": 1, "config": {"theme": "dark"}}]"#, as: "App")
    #expect(try await store.sync(#"[{"id": 1}]"#, as: "App").isUnchanged)
    for value in ["null", "[]"] {
      try await store.sync(#"[{"id": 1, "config": {}}]"#, as: "App")
      #expect(try links(store) == ["[]"])
      try await store.sync(#"[{"id": 1, "config": \#(value)}]"#, as: "App")
      #expect(try links(store) == [nil])
    }
    #expect(try configs(store) == [[nil, "dark", nil]])
  }

  @Test func keyOfSingletonIsUnreadable() async throws {
    let store = try TextStore(SingletonTests.schema)
    for key in ["1", #""[]""#, "true"] {
      let report = try await store.sync(#"[{"id": 1, "config": \#(key)}]"#, as: "App")
      #expect(report.problems.map(\.action) == [.keptLink], "\(key)")
      #expect(try links(store) == [nil])
    }
  }

  @Test func emptyObjectOfMissingSingletonIsPending() async throws {
    let store = try TextStore(
      "@Singleton model Config { theme: String }\nmodel App { id: Int; config: Config? }")
    let report = try await store.sync(#"[{"id": 1, "config": {}}]"#, as: "App")
    #expect(report.problems.isEmpty && report.waiting.count == 1)
    try await store.sync(#"{"theme": "dark"}"#, as: "Config")
    #expect(try links(store) == ["[]"])
  }

  @Test func identityOfSingletonIsNotExported() async throws {
    let store = try TextStore(SingletonTests.schema)
    try await store.sync(#"{"theme": "dark", "size": 3}"#, as: "Config")
    #expect(try await store.exportData("Config") == #"[{"id":null,"theme":"dark","size":3}]"#)
  }

  @Test func rowsCanBeOwnedByTheSingleton() async throws {
    let store = try TextStore(
      #"""
      @Singleton model Config { theme: String?; flags: [Flag] }
      @PrimaryKey(\.config, \.name) model Flag { config: Config; name: String; isOn: Bool }
      """#)
    let payload = #"[{"flags": [{"name": "a", "is_on": true}, {"name": "b", "is_on": false}]}]"#
    let report = try await store.sync(payload, as: "Config")
    #expect(report.problems.isEmpty)
    try await store.expectUnchanged(by: payload, as: "Config")
    try await store.sync(#"{"flags": [{"name": "b", "is_on": false}]}"#, as: "Config")
    #expect(try store.rows(of: "Flag").map { $0["syncID"] } == [#"[[],"b"]"#])
  }

  @Test func singletonSupportsSoftDeleteAndStamps() async throws {
    let store = try TextStore(
      #"""
      @Singleton @UpdatedAt(\.at) @SoftDelete(\.goneAt)
      model Config { theme: String?; at: Date?; goneAt: Date? }
      """#)
    try await store.sync(#"{"theme": "new", "at": "2025-01-02"}"#, as: "Config")
    try await store.sync(#"{"theme": "old", "at": "2025-01-01"}"#, as: "Config")
    #expect(try store.rows(of: "Config").map { $0["theme"] } == ["new"])
    #expect(try await store.sync("[]", as: "Config").softDeleted == 1)
    #expect(try await store.sync(#"{"theme": "old", "at": "2025-01-01"}"#, as: "Config").reactivated == 1)
  }

  @Test func singletonIsReadFromJSONAPIDocument() async throws {
    let store = try TextStore(
      "@Singleton model Config { theme: String? }\nmodel App { id: Int; config: Config? }")
    try await store.sync(
      jsonAPI: #"""
        {"data": [{"type": "apps", "id": "1", "relationships": {"config": {"data": {"type": "configs", "id": "x"}}}}],
         "included": [{"type": "configs", "id": "x", "attributes": {"theme": "dark"}}]}
        """#, as: "App")
    #expect(try store.rows(of: "Config").map { $0["theme"] } == ["dark"])
    #expect(try store.rows(of: "App").map { $0["config"] } == ["[]"])
  }

  // MARK: Mistakes

  private func codes(_ text: String) -> [DiagnosticCode] { TextStore.analysis(text).diagnostics.map(\.code) }

  @Test func singletonWithIdentityIsRefused() {
    #expect(codes("@Singleton model A { @PrimaryKey key: Int }") == [.invalidSingleton])
    #expect(codes("@Singleton @PrimaryKey(\\.a, \\.b) model A { a: Int; b: Int }") == [.invalidSingleton])
    #expect(
      codes("@Singleton @ParentScoped(\\.b) model A { b: B }\nmodel B { id: Int }") == [.invalidSingleton])
  }

  @Test func toManyOfSingletonIsRefused() {
    #expect(codes("@Singleton model A { a: Int }\nmodel B { id: Int; all: [A] }") == [.invalidSingleton])
    #expect(
      codes(
        #"""
        @Singleton model A { a: Int }
        model B { id: Int; all: [C] }
        union C on "type" { case a: A; case b: D }
        model D { id: Int }
        """#) == [.invalidSingleton])
  }

  @Test func unknownCreateForSingletonIsRefused() {
    #expect(
      codes("@Singleton model A { a: Int? }\nmodel B { id: Int; @Relationship(unknown: .create) a: A? }")
        == [.invalidUnknownRule])
  }
}
