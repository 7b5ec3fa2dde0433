import Foundation
import Syncline
import SynclineTesting
import TestRuns
import Testing

@Suite(.enabled(if: TestKind.thorough.runs))
struct JSONFuzzTests {
  static let seeds = [
    #"[{"id": 1, "text": "añ\u00e9\n😀", "double": -1.5e+3, "bool": true, "json": {"a": [null, false, []]}}]"#,
    #"{"a": {"b": {"c": [1, 2.50, -0, 1e2, "", "\"\\\/\b\f\n\r\t"]}}, "\ud83d\ude00": [[], {}, [{}]]}"#,
    #"  [ 9007199254740993 , "日本語" , { } , [ ] , true , false , null ]  "#,
  ]

  static func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    let alphabet =
      Array("[]{},:\"\\0123456789.eE+-tfnrula/ \n\t".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.remove(at: index)
      case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: index)
      case 2: bytes[index] = alphabet.randomElement(using: &random) ?? 0
      case 3: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  /// Excludes inputs for which Foundation deviates from the standard.
  static func isComparable(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    // Foundation detects UTF-16 and UTF-32 by zero bytes, and rejects lone surrogates and numbers that exceed a `Double`.
    return !bytes.contains(0) && !text.lowercased().contains("\\ud") && !text.lowercased().contains("e")
  }

  @Test func mutatedTextIsAcceptedWhereFoundationAcceptsIt() throws {
    var random = SeededGenerator(seed: 2026)
    var accepted = 0
    for round in 0..<20_000 {
      let seed = Array(Self.seeds[round % Self.seeds.count].utf8)
      let bytes = Self.mutated(seed, using: &random)
      let json = try? SyncJSON(parsing: bytes)
      if let json {
        accepted += 1
        #expect(try SyncJSON(parsing: json.data()) == json)
      }
      guard Self.isComparable(bytes) else { continue }
      let isJSON = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      #expect((json != nil) == isJSON, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(accepted > 1_000)
  }

  @Test func mutatedPayloadsAreSyncedWholeOrNotAtAll() async throws {
    var random = SeededGenerator(seed: 513)
    let payload = #"""
      [{"id": 1, "title": "a", "project": {"id": 5, "name": "p"}, "tag_ids": [1, 2],
        "updated_at": "2020-01-01"},
       {"id": 2, "title": "é", "tags": [{"id": 1, "name": "x"}], "state": {"id": "open"}, "estimate": 1.5}]
      """#
    let container = try makeStore()
    for _ in 0..<1_500 {
      let bytes = Self.mutated(Array(payload.utf8), using: &random)
      let before = try (
        container.rows(of: Task.self), container.rows(of: Tag.self), container.rows(of: Project.self)
      )
      do {
        try await container.sync(payload: bytes, as: Task.self)
        let again = try await container.sync(payload: bytes, as: Task.self)
        #expect(again.isUnchanged, "\(String(decoding: bytes, as: UTF8.self))")
      } catch is SyncError {
        #expect(try container.rows(of: Task.self) == before.0)
        #expect(try container.rows(of: Tag.self) == before.1)
        #expect(try container.rows(of: Project.self) == before.2)
      }
    }
  }
}
