import Syncline
import Testing

/// A to-one into a composite identity: the row that an object stands in gives the one part that the object lacks.
@Suite struct EnclosingRowIdentityTests {
  private static let schema = #"""
    model Product {
      id: String
      name: String?
      @RemoteKey("masterVariant") @Relationship(inverse: nil) master: Variant?
      @Relationship(inverse: \Variant.product) variants: [Variant]
    }
    @PrimaryKey(\.product, \.id)
    model Variant {
      product: Product
      id: Int
      price: Decimal?
    }
    """#

  private static let payload = """
    [{"id": "a", "name": "A", "masterVariant": {"id": 1, "price": 5}, "variants": [{"id": 2, "price": 6}]},
     {"id": "b", "name": "B", "masterVariant": {"id": 1, "price": 7.5}, "variants": []}]
    """

  private static let variants: SyncJSON = [
    ["product": "a", "id": 1, "price": 5], ["product": "a", "id": 2, "price": 6],
    ["product": "b", "id": 1, "price": 7.5],
  ]

  /// The rows without the column that combines their identity.
  private func variants(_ store: TextStore) throws -> SyncJSON {
    let rows = try store.rows(of: "Variant")
    return .array(
      rows.map { row in
        SyncJSON.object(
          SyncJSONObject(["product", "id", "price"].map { name in (name, row[name] ?? .null) }))
      })
  }

  @Test func enclosingRowCompletesCompositeIdentity() async throws {
    let store = try TextStore(EnclosingRowIdentityTests.schema)
    let report = try await store.sync(EnclosingRowIdentityTests.payload, as: "Product")
    #expect(report.problems.allSatisfy { $0.action == .keptRow })
    #expect(try variants(store) == EnclosingRowIdentityTests.variants)
    let products = try store.rows(of: "Product")
    #expect(products.map { $0["master"] } == [#"["a",1]"#, #"["b",1]"#])
  }

  @Test func repeatedSyncsAndExportsChangeNothing() async throws {
    let store = try TextStore(EnclosingRowIdentityTests.schema)
    try await store.sync(EnclosingRowIdentityTests.payload, as: "Product")
    try await store.expectUnchanged(by: EnclosingRowIdentityTests.payload, as: "Product")
    let rows = try SyncJSON(parsing: EnclosingRowIdentityTests.payload).array ?? []
    try await store.expectUnchanged(by: SyncJSON.array(rows.reversed()).description, as: "Product")
    let other = try TextStore(EnclosingRowIdentityTests.schema)
    try await other.sync(SyncJSON.array(rows.reversed()).description, as: "Product")
    #expect(try variants(other) == EnclosingRowIdentityTests.variants)
  }

  @Test func identityPartInTheObjectWins() async throws {
    let store = try TextStore(EnclosingRowIdentityTests.schema)
    try await store.sync(
      #"[{"id":"a","masterVariant":{"id":1,"product_id":"b"}},{"id":"b"}]"#, as: "Product")
    #expect(try variants(store) == [["product": "b", "id": 1, "price": nil]])
    #expect(try store.rows(of: "Product").first?["master"] == #"["b",1]"#)
  }

  @Test func objectLackingTwoIdentityPartsHasNoIdentity() async throws {
    let store = try TextStore(EnclosingRowIdentityTests.schema)
    let report = try await store.sync(#"[{"id":"a","masterVariant":{"price":5}}]"#, as: "Product")
    #expect(try variants(store) == [])
    #expect(report.problems.map(\.path) == ["[0].masterVariant"])
    // The row that is linked is updated, as ever.
    try await store.sync(#"{"id":"a","masterVariant":{"id":1,"price":5}}"#, as: "Product")
    try await store.sync(#"{"id":"a","masterVariant":{"price":6}}"#, as: "Product")
    #expect(try variants(store) == [["product": "a", "id": 1, "price": 6]])
  }

  @Test func nullOrUnreadableIdentityPartIsNotFilledIn() async throws {
    for value in ["null", "true", "{}"] {
      let store = try TextStore(EnclosingRowIdentityTests.schema)
      let report = try await store.sync(
        #"[{"id":"a","masterVariant":{"id":1,"product":\#(value)}}]"#, as: "Product")
      #expect(!report.problems.isEmpty, "\(value)")
      #expect(try variants(store) == [], "\(value)")
    }
  }

  @Test func enclosingRowOfAnotherModelGivesNoIdentityPart() async throws {
    let store = try TextStore(
      #"""
      model Product { id: String; box: Box? }
      model Box { id: Int; @Relationship(inverse: nil) variant: Variant? }
      @PrimaryKey(\.product, \.id) model Variant { product: Product; id: Int }
      """#)
    // The product around the box is no holder of the variant.
    let report = try await store.sync(#"[{"id":"a","box":{"id":1,"variant":{"id":2}}}]"#, as: "Product")
    #expect(!report.problems.isEmpty)
    #expect(try store.rows(of: "Variant") == [])
    #expect(try store.rows(of: "Box").count == 1)
  }

  @Test func elementsOfUnrelatedListGetNoIdentityPart() async throws {
    let store = try TextStore(
      #"""
      model Product { id: String; @Relationship(inverse: nil) similar: [Variant] }
      @PrimaryKey(\.product, \.id) model Variant { product: Product; id: Int }
      """#)
    let report = try await store.sync(#"[{"id":"a","similar":[{"id":2}]}]"#, as: "Product")
    #expect(report.skipped == 1)
    #expect(try store.rows(of: "Variant") == [])
  }

  /// Objects of one row complete each other, wherever they are.
  @Test func objectsOfOneRowAreMerged() async throws {
    let store = try TextStore(EnclosingRowIdentityTests.schema)
    try await store.sync(
      #"[{"id":"a","masterVariant":{"id":1},"variants":[{"id":1,"price":9},{"id":2}]}]"#, as: "Product")
    #expect(
      try variants(store) == [
        ["product": "a", "id": 1, "price": 9], ["product": "a", "id": 2, "price": nil],
      ])
    let report = try await store.sync(
      #"[{"id":"a","masterVariant":{"id":1},"variants":[{"id":1,"price":9},{"id":2}]}]"#, as: "Product")
    #expect(report.isUnchanged)
    #expect(report.problems.isEmpty)
  }
}
