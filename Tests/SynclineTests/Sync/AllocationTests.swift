import Testing

/// Counts the allocations of syncs and reads for each row. Only a release build shows the real numbers: `make test-optimised`.
@Suite struct AllocationTests {
  private static var canCount: Bool {
    #if canImport(Glibc) && !DEBUG
      true
    #else
      false
    #endif
  }

  /// The upper bounds. The counts are equal in each run. For unchanged rows the bound is exact, for written rows it is a fifth
  /// higher. Whoever reduces a count also lowers its bound.
  private static let bounds: KeyValuePairs = [
    "Article unchanged": 0.9, "Article inserted": 5, "Article changed": 28,
    "Document unchanged": 1.9, "Document inserted": 15.8, "Document changed": 18,
    // As many as a minimal loop that creates the same structs. A single row is read by its identity, with a cached statement.
    "Article read": 2, "Article fetched": 9, "Document read": 2.1, "Document fetched": 8.4,
    // Five links for each row.
    "Issue unchanged": 10.9, "Issue inserted": 64.5, "Issue changed": 22.9,
    // Rows that are arrays are converted to objects, with a fixed number of allocations for all rows.
    "Candle unchanged": 0.9,
    // Objects of one row, each with one key of a map with thousands of keys. None of them may read or write the whole map.
    "Device repeated": 115,
  ]

  /// The counter replaces the allocator of the whole process, so it is a separate executable.
  private func runGate(_ arguments: String...) throws -> [Substring] {
    let gate = try ProgramRun("AllocationGate", arguments)
    #expect(gate.exitCode == 0, "\(gate.lines.last ?? "")")
    return gate.lines
  }

  @Test(.enabled(if: canCount, "allocations are counted in optimised builds, where the C library is glibc"))
  func aRowTakesFewAllocations() throws {
    check(try values(Self.bounds, in: runGate()), Self.bounds)
  }

  /// The peak memory of a call in bytes, for each link between rows with integer identities. For a row that a list moves, about
  /// 40 bytes are needed for any changed row. Random changes of keys in an index enlarge the page cache, which is about 20 bytes.
  private static let byteBounds: KeyValuePairs = [
    "resolved": 4.0, "pending": 56, "pending again": 72, "changed by keys": 60, "changed by lists": 118,
  ]

  @Test(.enabled(if: canCount, "bytes are counted in optimised builds, where the C library is glibc"))
  func peakMemoryPerLinkIsBounded() throws {
    var values = try values(Self.byteBounds, in: runGate("links"))
    // An array's capacity depends on the size of the block that the allocator finds free, so one of the two calls that are
    // compared may double an array more often: about 5 bytes for each link, in one process of ten.
    for _ in 0..<3 where Self.byteBounds.contains(where: { values[$0, default: .infinity] > $1 }) {
      values.merge(try self.values(Self.byteBounds, in: runGate("links")), uniquingKeysWith: min)
    }
    check(values, Self.byteBounds)
  }

  /// The numbers at the ends of lines. The starts of the lines are the names.
  private func values(
    _ bounds: KeyValuePairs<String, Double>, in lines: [Substring]
  ) throws -> [String: Double] {
    var values: [String: Double] = [:]
    for (name, _) in bounds {
      let line = try #require(
        lines.first { $0.split(separator: " ").dropLast().joined(separator: " ") == name },
        "\(name): \(lines)")
      let value: Double = try #require(line.split(separator: " ").last.flatMap { Double($0) }, "\(line)")
      values[name] = value
    }
    return values
  }

  private func check(_ values: [String: Double], _ bounds: KeyValuePairs<String, Double>) {
    for (name, bound) in bounds { #expect(values[name, default: .infinity] <= bound, "\(name)") }
  }
}
