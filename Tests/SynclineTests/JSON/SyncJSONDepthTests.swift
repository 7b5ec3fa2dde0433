import Foundation
import Syncline
import TestSupport
import Testing

/// Values whose nesting exceeds the depth of the stack.
@Suite struct SyncJSONDepthTests {
  private let depth = 100_000

  private func arrays() -> SyncJSON { (0..<depth).reduce(1) { json, _ in .array([json]) } }
  private func objects() -> SyncJSON {
    (0..<depth).reduce(1) { json, _ in .object(SyncJSONObject([("a", json)])) }
  }
  private func mixed() -> SyncJSON {
    (0..<depth).reduce(1) { json, step in step % 2 == 0 ? [json, 2] : ["a": json] }
  }

  private func isTooDeep(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch SyncError.invalidPayload(_, let reason) {
      return reason.contains("more than 512 levels")
    } catch {
      return false
    }
  }

  @Test(.enabled(if: TestKind.thorough.runs)) func deepValuesCanBeComparedHashedAndPrinted()
    async throws
  {
    for make in [arrays, objects, mixed] {
      let json = make()
      #expect(json == make())
      #expect(json != .array([make()]))
      #expect(Set([json, make()]).count == 1)
      #expect(json.description == "(too deep)" && "\(json)" == "(too deep)")
      #expect(String(reflecting: json) == "(too deep)")
      var dumped = ""
      dump(json, to: &dumped)
      #expect(!dumped.isEmpty && !json.indented.isEmpty)
      #expect(isTooDeep { _ = try json.data() })
      #expect(isTooDeep { _ = try SyncJSON(any: ["a": json]).data() })
      let store = try makeStore()
      await #expect(throws: SyncError.self) { try await store.sync(payload: json, as: Tag.self) }
    }
  }

  @Test func anArraysElementsAreACollection() throws {
    guard case .array(let elements) = try SyncJSON(parsing: #"[1, "a", [true]]"#) else {
      Issue.record("no array")
      return
    }
    #expect(elements.count == 3 && elements.first == 1 && elements[2] == [true])
    #expect(elements.map(\.description) == ["1", #""a""#, "[true]"])
    #expect("\(elements)" == #"[1,"a",[true]]"#)
    #expect(elements == SyncJSONArray([1.0, "a", [true]]) && elements != SyncJSONArray([1]))
    #expect("\(SyncJSONObject([("a", 1)]))" == #"{"a":1}"#)
  }

  @Test func retainedPartOfADeepValueStaysIntact() {
    var json = mixed()
    var part: SyncJSON? = json
    for _ in 0..<(depth / 2) { part = part?["a"] ?? part?[0] }
    let copy = json
    json = nil
    #expect(copy == mixed())
    let rest = (0..<(depth / 2)).reduce(1 as SyncJSON) { json, step in
      step % 2 == 0 ? [json, 2] : ["a": json]
    }
    #expect(part == rest)
  }

  @Test func deepValuesAreReleasedOnASmallStack() async {
    let json = mixed()
    await withCheckedContinuation { continuation in
      let thread = Thread {
        var values = [json, objects(), arrays()]
        values.removeAll()
        continuation.resume()
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(json.object != nil)
  }

  @Test func deeplyNestedSwiftValuesAreRefused() throws {
    var arrays: Any = 1
    var objects: Any = 1
    for _ in 0..<10_000 {
      arrays = [arrays]
      objects = ["a": objects]
    }
    #expect(isTooDeep { _ = try SyncJSON(any: arrays) })
    #expect(isTooDeep { _ = try SyncJSON(any: objects) })
    #expect(isTooDeep { _ = try SyncJSON(any: ["rows": [objects]]) })
  }

  @Test func rowWithADeeplyNestedValueIsNotStored() async throws {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1, "json": {}}]"#, as: Kinds.self)
    try await store.sync(payload: #"[{"id": 1, "values": []}]"#, as: Lists.self)
    var row = try #require(try await store.database.read { try Kinds.fetchOne($0) })
    row.json = mixed()
    await #expect(throws: SyncError.invalidPayload(model: "Kinds", reason: "more than 512 levels of nesting"))
    {
      try await store.database.write { [row] in try row.update($0) }
    }
    await #expect(throws: SyncError.self) { try await store.export(row).data() }
    var list = try #require(try await store.database.read { try Lists.fetchOne($0) })
    list.values = [mixed()]
    await #expect(throws: SyncError.self) { try await store.database.write { [list] in try list.update($0) } }
    #expect(try store.pick(Kinds.self, "json") == [[[:]]])
  }
}
