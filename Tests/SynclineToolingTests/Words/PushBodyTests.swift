import Syncline
import Testing

/// The bodies of pushes, for models with paths.
@Suite struct PushBodyTests {
  @Test func aRowThatIsAListIsPushedAsAList() async throws {
    let store = try TextStore(
      """
      @Offline model Candle {
        @PrimaryKey @RemoteKey("[0]") time: Int
        @RemoteKey("[1]") open: Double?
        @RemoteKey("[3]") note: String?
      }
      """)
    try await store.run("INSERT INTO Candle (time, open, note) VALUES (1, 2.5, 'a')")
    #expect(try await store.pushes() == ["POST [1,2.5,null,\"a\"]"])
  }

  @Test func aRowInTheSameObjectIsPushedAsItsIdentity() async throws {
    let store = try TextStore(
      """
      @Offline model Membership {
        id: Int
        level: Int = 1
        @RemoteKey(".") person: Person?
      }
      model Person { @PrimaryKey(remote: "person_id") id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 1, "person_id": 7, "name": "A"}]"#, as: "Membership")
    try await store.sync(#"{"person_id": 8, "name": "B"}"#, as: "Person")
    try await store.run("UPDATE Membership SET person = 8")
    #expect(try await store.pushes() == [#"PATCH {"person_id":8}"#])
    try await store.run("UPDATE Membership SET person = 7")
    try await store.run("INSERT INTO Membership (id, level, person) VALUES (2, 3, 8)")
    #expect(try await store.pushes() == [#"POST {"id":2,"level":3,"person_id":8}"#])
  }

  @Test func aKeyAndAPathThroughItAreWrittenAsTheyAreRead() async throws {
    let store = try TextStore(
      """
      @Offline model Task {
        id: Int
        @RemoteKey("owner") owner: Person?
        @RemoteKey("owner.name") ownerName: String?
      }
      model Person { id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 7, "name": "A"}]"#, as: "Person")
    try await store.run("INSERT INTO Task (id, owner, ownerName) VALUES (1, 7, 'A')")
    #expect(try await store.pushes() == [#"POST {"id":1,"owner":7,"owner.name":"A"}"#])
  }

  @Test func keysAreWrittenWithTheTextAroundThem() async throws {
    let store = try TextStore(
      """
      @Offline model Book {
        @KeyPattern("/books/{}") id: Int
        @RemoteKey("tags") @KeyPattern("/tags/{}") @Relationship(inverse: nil) tags: [Tag]
      }
      model Tag { id: Int; name: String? }
      """)
    try await store.sync(#"[{"id": 3, "name": "T"}]"#, as: "Tag")
    try await store.sync(#"[{"id": "/books/1", "tags": ["/tags/3"]}]"#, as: "Book")
    try await store.run("INSERT INTO Book (id) VALUES (2)")
    try await store.run(#"INSERT INTO "Book.tags" (source, target) VALUES (2, 3)"#)
    #expect(try await store.pushes() == [#"POST {"id":"/books/2","tags":["/tags/3"]}"#])
  }
}
