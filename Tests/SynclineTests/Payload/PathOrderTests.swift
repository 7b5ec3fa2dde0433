import TestSupport
import Testing

/// Values behind paths that begin with the same key: the last one in the payload wins (contract, section 2).
@Suite struct PathOrderTests {
  @Test(arguments: [
    (#"{"b": {"id": 1, "v": 2}, "a": [{"n": {"id": 1, "v": 1}}]}"#, "1 1"),
    (
      #"{"b0": 1, "a": [{"n": {"id": 1, "v": 1}}], "b": {"id": 1, "v": 2}, "c": "\#(String(repeating: "y", count: 300))"}"#,
      "1 2"
    ),
  ])
  func lastObjectOfARowWinsAcrossPaths(object: String, row: String) async throws {
    let store = try TextStore(
      """
      model X {
        id: Int
        @RemoteKey("d.a[].n") @Relationship(inverse: \\C.p) list: [C]
        @RemoteKey("d.b") @Relationship(inverse: nil) one: C?
      }
      model C { id: Int; v: Int?; p: X? }
      """)
    let report = try await store.sync(#"[{"id": 1, "d": \#(object)}]"#, as: "X")
    #expect(report.problems == [])
    #expect(try await store.rows("SELECT id, v FROM C") == [row])
  }

  @Test(arguments: [true, false]) func lastListThatHasARowOwnsIt(isOuterLast: Bool) async throws {
    let store = try TextStore(
      """
      model X {
        id: Int
        @RemoteKey("data.edges") @Relationship(inverse: \\C.x) list: [C]
        @RemoteKey("data.sub") @Relationship(inverse: nil) sub: X?
      }
      model C { id: String; x: X? }
      """)
    let (edges, sub) = (#""edges": [{"id": "a"}]"#, #""sub": {"id": 2, "data": {"edges": [{"id": "a"}]}}"#)
    let data = isOuterLast ? "\(sub), \(edges)" : "\(edges), \(sub)"
    try await store.sync(#"[{"id": 1, "data": {\#(data)}}]"#, as: "X")
    #expect(try await store.rows("SELECT id, x FROM C") == [isOuterLast ? "a 1" : "a 2"])
  }

  @Test func deletedRowWithoutIdentityIsLeftOutOfAUnionList() async throws {
    let store = try TextStore(
      """
      union I on "type" { case cc: C; case dd: D }
      model X { id: Int; list: [I] }
      @Deleted("gone") model C { id: Int; x: X? }
      model D { id: Int; x: X? }
      """)
    try await store.sync(#"[{"id": 1, "list": [{"type": "cc", "id": 1}]}]"#, as: "X")
    let report = try await store.sync(#"[{"id": 1, "list": [{"type": "cc", "gone": 1}]}]"#, as: "X")
    #expect(report.problems == [])
    #expect(try await store.rows("SELECT id, x FROM C") == ["1 -"])
  }

  @Test func pathOfARepeatedNestedRowHasItsIndex() async throws {
    let store = try TextStore("model U { id: Int; ps: [P] }\nmodel P { id: Int; v: Int; u: U? }")
    let row = #"{"id": 1, "ps": [{"id": 1, "v": 1}, {"id": 2, "v": "x"}]}"#
    await #expect(throws: (any Error).self) { try await store.sync("[\(row), \(row)]", as: "U") }
    do { try await store.sync("[\(row), \(row)]", as: "U") } catch {
      #expect("\(error)".contains("[1].ps[1].v"), "\(error)")
    }
  }
}
