import Foundation
import Testing

extension OutsidePackageTests {
  /// How often a sync allocates for each row, in a build for release.
  @Suite struct AllocationTests {
    private static var hasCounter: Bool {
      #if canImport(Glibc)
        true
      #else
        false
      #endif
    }

    /// What is allowed. The counts are the same in each run: an unchanged row has no room for one more, and what
    /// is written has a fifth. Who makes it less lowers the bound.
    private static let bounds: KeyValuePairs = [
      "Article unchanged": 0.9, "Article inserted": 5, "Article changed": 28,
      "Document unchanged": 1.9, "Document inserted": 15.8, "Document changed": 18,
      // Five links each.
      "Issue unchanged": 10.9, "Issue inserted": 64.5, "Issue changed": 22.9,
    ]

    @Test(.enabled(if: hasCounter, "allocations are counted where the C library is glibc"))
    func aRowTakesFewAllocations() throws {
      let folder = Shell.package.appending(path: "Tests/AllocationGate")
      let result = try Shell.swift("run", package: folder, "-c", "release", "AllocationGate")
      #expect(result.status == 0, "\(result.output)")
      let lines = result.output.split(separator: "\n")
      for (name, bound) in Self.bounds {
        let line = try #require(lines.first { $0.hasPrefix(name + " ") }, "\(name): \(result.output)")
        let count = try #require(Double(line.dropFirst(name.count + 1)), "\(line)")
        #expect(count <= bound, "\(name)")
      }
    }
  }
}
