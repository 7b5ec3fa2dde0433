import Foundation
import Syncline
import SynclineTesting
import Testing

/// Strings of any length as URLs and data.
@Suite struct LongTextTests {
  private func read(_ key: String, _ text: String) async throws -> SyncJSON {
    let store = try makeStore()
    let payload: SyncJSON = [.object(SyncJSONObject([("id", 1), (key, .string(text))]))]
    try await store.sync(payload: payload, as: Kinds.self)
    let rows = try store.rows(of: Kinds.self)
    return try #require(rows.first?[key])
  }

  @Test func base64OfEachLengthIsReadInBothAlphabets() async throws {
    let store = try makeStore()
    var random = SeededGenerator(seed: 1)
    var rows: [SyncJSON] = []
    var expected: [SyncJSON] = []
    for length in 0...70 {
      let data = Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      let text = data.base64EncodedString()
      let urlSafe = text.replacing("+", with: "-").replacing("/", with: "_")
      for form in [text, urlSafe, text.replacing("=", with: "")] {
        rows.append(["id": .number(rows.count), "data": .string(form)])
        expected.append(.string(text))
      }
    }
    try await store.sync(payload: SyncJSON.array(rows), as: Kinds.self)
    #expect(try store.pick(Kinds.self, "data") == expected.map { [$0] })
  }

  @Test func base64WithOtherCharactersIsRefused() async throws {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_".utf8)
    let store = try makeStore()
    for byte in UInt8(0)..<128 where byte != UInt8(ascii: "=") {
      let text = "AAAA" + String(UnicodeScalar(byte)) + "AAAAAAA"
      try await store.sync(payload: [["id": 1, "data": .string(text)]] as SyncJSON, as: Kinds.self)
      let isRead = try store.pick(Kinds.self, "data") != [[nil]]
      #expect(isRead == alphabet.contains(byte), "\(byte)")
      try await store.sync(payload: "[]", as: Kinds.self)
    }
  }

  @Test func urlCharactersAreKeptEncodedOrRefused() async throws {
    let store = try makeStore()
    for value: UInt32 in [
      0x20, 0x7F, 0x80, 0x85, 0x9F, 0xA0, 0xA1, 0xE4, 0x1680, 0x1681, 0x2007, 0x2028, 0x3000, 0x3001, 0x1F600,
    ] {
      let scalar = try #require(Unicode.Scalar(value))
      let text = "https://x.org/a\(scalar)b"
      try await store.sync(payload: [["id": 1, "url": .string(text)]] as SyncJSON, as: Kinds.self)
      let isBlank = scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
      let encoded = String(scalar).utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
      #expect(
        try store.pick(Kinds.self, "url") == [[isBlank ? nil : .string("https://x.org/a\(encoded)b")]],
        "\(value)")
      try await store.sync(payload: "[]", as: Kinds.self)
    }
  }

  @Test func longURLsAndDataAreReadCompletely() async throws {
    let long = String(repeating: "abcd", count: 500_000)
    #expect(try await read("url", "https://x.org/" + long) == .string("https://x.org/" + long))
    #expect(try await read("data", long) == .string(long))
  }
}
