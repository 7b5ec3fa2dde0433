import Foundation
import Testing

@testable import SynclineFiles

/// The differences of texts are those that `patch` takes.
@Suite struct TextDifferenceTests {
  private func unified(_ old: [String], _ new: [String]) -> String {
    TextDifference(
      from: old.map { $0 + "\n" }.joined(), to: new.map { $0 + "\n" }.joined()
    ).unified(from: "old", to: "new")
  }

  @Test func unifiedDiffShowsContextLines() {
    let old = (1...20).map(String.init)
    var new = old
    new[9] = "ten"
    new.append("21")
    #expect(
      unified(old, new) == """
        --- old
        +++ new
        @@ -7,7 +7,7 @@
         7
         8
         9
        -10
        +ten
         11
         12
         13
        @@ -18,3 +18,4 @@
         18
         19
         20
        +21

        """)
    #expect(unified([], ["a"]) == "--- old\n+++ new\n@@ -0,0 +1,1 @@\n+a\n")
    #expect(unified(["a"], []) == "--- old\n+++ new\n@@ -1,1 +0,0 @@\n-a\n")
  }

  /// What the added lines and the shared ones are together is the new text, and the same of the old one.
  @Test func unifiedDiffReproducesBothTexts() {
    var state: UInt64 = 7
    func next(_ limit: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % limit)
    }
    for _ in 0..<300 {
      let old = (0..<next(12)).map { _ in "\(next(4))" }
      let new = (0..<next(12)).map { _ in "\(next(4))" }
      // Short texts are shown whole where they differ at all.
      guard old != new else { continue }
      let lines = unified(old, new).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("@@") }
        .dropFirst(2)
      func text(_ marks: Set<Character>) -> [String] {
        lines.filter { $0.first.map(marks.contains) ?? false }.map { String($0.dropFirst()) }
      }
      let (before, after) = (text([" ", "-"]), text([" ", "+"]))
      #expect(old.count - before.count == new.count - after.count)
      if before.count == old.count { #expect(before == old && after == new) }
    }
  }
}
