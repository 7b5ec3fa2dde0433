import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// The warning about a large write-ahead log.
@Suite struct LogSizeTests {
  private static let limit = 1_000_000

  private let folder = TemporaryFolder()
  private let lines = LoggedLines()

  private func open(limit: Int?, _ file: URL? = nil) throws -> SyncContainer {
    var configuration = SyncConfiguration()
    configuration.logger = lines.logger
    configuration.logSizeWarning = limit
    return try SyncContainer(
      for: SynclineTestsSchema.self, storage: .file(file ?? folder.file()), configuration: configuration)
  }

  /// Writes about 250 kB by changing the rows of an earlier round.
  private func sync(_ container: SyncContainer, _ round: Int) async throws {
    let name = String(repeating: "\(round % 10)", count: 1_000)
    let rows = SyncJSON.rows(200) { ["id": .number($0), "name": .string(name)] }
    try await container.sync(payload: rows, as: Tag.self)
  }

  /// Syncs while a read stays open, until the log exceeds a size.
  ///
  /// - Returns: the size of the log after each sync.
  private func fill(_ container: SyncContainer, to size: Int) async throws -> [Int] {
    try await sync(container, 0)
    let pool = try #require(container.database as? DatabasePool)
    let reader = try pool.makeSnapshot()
    #expect(try await reader.read { try Tag.fetchCount($0) } == 200)
    var sizes = [try container.logSize]
    while let last = sizes.last, last < size, sizes.count < 1_000 {
      try await sync(container, sizes.count)
      sizes.append(try container.logSize)
    }
    // The open read still has its first snapshot.
    #expect(try await reader.read { try Tag.fetchOne($0)?.name.first } == "0")
    return sizes
  }

  @Test func walSizeWarningIsLoggedOncePerDoubling() async throws {
    let container = try open(limit: Self.limit)
    let sizes = try await fill(container, to: 10 * Self.limit)
    var expected: [Int] = []
    for size in sizes where size > Self.limit && size / 2 >= expected.last ?? 0 { expected.append(size) }
    #expect(expected.count >= 3)
    #expect(
      lines.warnings
        == expected.map {
          "The write-ahead log is \($0 / 1_000_000) MB. A large transaction, or a read that stays open, keeps SQLite from reusing it"
        })
  }

  @Test func walSizeWarningIsLoggedAgainAfterACheckpoint() async throws {
    let container = try open(limit: Self.limit)
    for round in 1...2 {
      _ = try await fill(container, to: Self.limit + 1)
      #expect(lines.warnings.count == round)
      // The log keeps its size, although SQLite can overwrite it.
      try await sync(container, 7)
      #expect(try container.logSize > Self.limit)
      #expect(lines.warnings.count == round)
      try await container.checkpoint()
      #expect(try container.logSize == 0)
    }
  }

  @Test func noWarningIsLoggedBelowOrWithoutALimit() async throws {
    for limit in [nil, SyncConfiguration().logSizeWarning] {
      _ = try await fill(open(limit: limit), to: 3 * Self.limit)
    }
    #expect(lines.warnings == [])
  }

  /// For a symbolic link, SQLite names the log after the target.
  @Test func walOfAStoreOpenedBySymlinkIsMonitored() async throws {
    let link = try folder.file("link.sqlite")
    let file = try folder.file("store.sqlite")
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let container = try open(limit: 0, link)
    try await sync(container, 1)
    #expect(lines.warnings.count == 1)
  }
}
