import Testing

/// How often a sync, and reading, allocate for each row. Only a build for release shows what users get: `make test-optimised`.
@Suite struct AllocationTests {
  private static var canCount: Bool {
    #if canImport(Glibc) && !DEBUG
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
    // As a bare loop that makes the same structs; one row by its identity, with a kept statement.
    "Article read": 2, "Article fetched": 9, "Document read": 2.1, "Document fetched": 8.4,
    // Five links each.
    "Issue unchanged": 10.9, "Issue inserted": 64.5, "Issue changed": 22.9,
    // Rows that are lists are copied as objects, which allocates for all of them together.
    "Candle unchanged": 0.9,
    // Objects of one row, each with a key of a map of thousands: none of them reads or writes the whole map.
    "Device repeated": 115,
  ]

  /// The counter replaces the allocator's functions in the whole process, so it is one of its own.
  private func runGate(_ arguments: String...) throws -> [Substring] {
    let gate = try ProgramRun("AllocationGate", arguments)
    #expect(gate.exitCode == 0, "\(gate.lines.last ?? "")")
    return gate.lines
  }

  @Test(.enabled(if: canCount, "allocations are counted in optimised builds, where the C library is glibc"))
  func aRowTakesFewAllocations() throws {
    let lines = try runGate()
    try check(lines, Self.bounds)
  }

  /// Bytes at the peak of a call for each link between rows whose identities are numbers. Of a row that a list moves about forty
  /// are what any changed row takes. Keys that change the index of their column at random enlarge the page cache, which is about
  /// twenty of the bytes.
  private static let byteBounds: KeyValuePairs = [
    "resolved": 4.0, "pending": 56, "pending again": 72, "changed by keys": 60, "changed by lists": 118,
  ]

  @Test(.enabled(if: canCount, "bytes are counted in optimised builds, where the C library is glibc"))
  func aLinkTakesFewBytes() throws {
    let lines = try runGate("links")
    try check(lines, Self.byteBounds)
  }

  /// Checks the numbers at the ends of lines, whose starts are the names.
  private func check(_ lines: [Substring], _ bounds: KeyValuePairs<String, Double>) throws {
    for (name, bound) in bounds {
      let line = try #require(
        lines.first { $0.split(separator: " ").dropLast().joined(separator: " ") == name },
        "\(name): \(lines)")
      let value = try #require(line.split(separator: " ").last.flatMap { Double($0) }, "\(line)")
      #expect(value <= bound, "\(name)")
    }
  }
}
