import AllocationCounter
import Foundation
import Syncline

/// Prints how often a sync, and reading, allocate for each row: `Article unchanged 1.000`.
///
/// It is the difference between syncs of 4,000 and of 2,000 rows, so what a call allocates once does not count.
@main
struct AllocationGate {
  static func main() async throws {
    if CommandLine.arguments.contains("links") { return try await LinkMemory.run() }
    guard countsAllocations else {
      print("Allocations are not counted here.")
      return
    }
    // What a process sets up once.
    _ = try await counts(rows: 10, of: Article.self, article) { $0 }
    try await report(Article.self, article)
    try await report(Document.self, document) { documentID($0) }
    try await report(Issue.self, issue)
    try await report(Candle.self, candle)
    try await reportRepeated()
  }

  /// Objects of one row, each with another key of a map that is merged.
  private static func reportRepeated() async throws {
    func allocations(_ count: Int) async throws -> Int {
      let folder = try makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let container = try makeStore(in: folder)
      let objects = payload(count) { "{\"id\":1,\"labels\":{\"k\($0)\":\($0)}}" }
      let start = allocation_count()
      try await container.sync(payload: objects, as: Device.self)
      return allocation_count() - start
    }
    let (small, large) = (try await allocations(2000), try await allocations(4000))
    print("Device repeated", String(format: "%.3f", Double(large - small) / 2000))
  }

  /// Whether the counter sees what Swift allocates.
  private static var countsAllocations: Bool {
    final class Object {}
    let start = allocation_count()
    let objects = (0..<100).map { _ in Object() }
    return withExtendedLifetime(objects) { allocation_count() - start >= 100 }
  }

  private struct Counts {
    var inserted = 0
    var unchanged = 0
    var changed = 0
    var read = 0
    var fetched = 0
  }

  private static func report<Model: SyncGeneratedModel>(
    _ model: Model.Type, _ object: (Int, _ title: String) -> String,
    _ identity: @Sendable (Int) -> any DatabaseValueConvertible = { $0 }
  ) async throws {
    let small = try await counts(rows: 2000, of: model, object, identity)
    let large = try await counts(rows: 4000, of: model, object, identity)
    for (name, count) in [
      ("inserted", \Counts.inserted), ("unchanged", \Counts.unchanged), ("changed", \Counts.changed),
      ("read", \Counts.read), ("fetched", \Counts.fetched),
    ] {
      let each = Double(large[keyPath: count] - small[keyPath: count]) / 2000
      print(model, name, String(format: "%.3f", each))
    }
  }

  private static func counts<Model: SyncGeneratedModel>(
    rows count: Int, of model: Model.Type, _ object: (Int, _ title: String) -> String,
    _ identity: @Sendable (Int) -> any DatabaseValueConvertible
  ) async throws -> Counts {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try makeStore(in: folder)
    let parents = payload(10) { "{\"id\":\($0)}" }
    try await container.sync(payload: parents, as: Folder.self)
    try await container.sync(payload: parents, as: Label.self)

    let rows = payload(count) { object($0, "A title that fits in no small string") }
    let otherRows = payload(count) { object($0, "Another title that fits in no small string") }
    let identities = (0..<count).map { identity($0).databaseValue }
    func allocations(of rows: Data) async throws -> Int {
      let start = allocation_count()
      try await container.sync(payload: rows, as: model)
      return allocation_count() - start
    }
    func allocations(of read: @Sendable (Database) throws -> Void) throws -> Int {
      try container.database.read { db in
        let start = allocation_count()
        try read(db)
        return allocation_count() - start
      }
    }
    return Counts(
      inserted: try await allocations(of: rows), unchanged: try await allocations(of: rows),
      changed: try await allocations(of: otherRows), read: try allocations { _ = try model.fetchAll($0) },
      fetched: try allocations { db in
        for identity in identities { _ = try model.fetchOne(db, key: identity) }
      })
  }

  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "syncline-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  static func makeStore(in folder: URL) throws -> SyncContainer {
    try SyncContainer(
      for: AllocationGateSchema.self, storage: .file(folder.appending(path: "store.sqlite")))
  }

  static func payload(_ count: Int, _ object: (Int) -> String) -> Data {
    Data("[\((0..<count).map(object).joined(separator: ","))]".utf8)
  }

  // MARK: Rows

  /// Each eighth has no details, and each eighth an escaped and a non-ASCII character.
  private static func article(_ id: Int, _ title: String) -> String {
    let details = id % 8 == 0 ? "null" : id % 8 == 1 ? #""a \"quoted\" café""# : #""what is there to say""#
    return """
      {"id":\(id),"title":"\(title)","description":\(details),"state":{"id":"open","label":"Open"},\
      "created_at":"2024-03-11T10:15:30Z","updated_at":"2024-04-12T11:45:12.250Z",\
      "is_published":\(id % 2 == 0),"score":\(Double(id % 1000) / 10),"author_id":\(id % 100)}
      """
  }

  private static func document(_ id: Int, _ title: String) -> String {
    #"{"id":"\#(documentID(id))","title":"\#(title)","folder_id":\#(id % 10)}"#
  }

  private static func documentID(_ id: Int) -> String { "a-document-with-number-\(100_000 + id)" }

  /// Five links each.
  private static func issue(_ id: Int, _ title: String) -> String {
    let labels = (0..<5).map { "\((id + $0) % 10)" }.joined(separator: ",")
    return #"{"id":\#(id),"title":"\#(title)","label_ids":[\#(labels)]}"#
  }

  /// The last place is missing.
  private static func candle(_ id: Int, _ title: String) -> String {
    "[\(id),\(title.utf8.count).5,\(Double(id % 1000) / 10),0]"
  }
}
