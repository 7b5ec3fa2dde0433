import Foundation
import GRDB
import Syncline

/// Syncs the same bytes in three ways into equal stores, and prints the times and their ratios.
@main
struct Benchmarks {
  static func main() async throws {
    let rows = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    var generator = ArticleData()
    let payload = generator.payload(rows: rows)
    generator = ArticleData()
    let changed = generator.payload(rows: rows, changedEvery: 100)
    print("\(rows) rows of 9 columns, \(payload.count / 1_000_000) MB\n")

    let store = try Store()
    var syncline: [Double] = []
    syncline.append(try await measure { try await store.container.sync(payload: payload, as: Article.self) })
    syncline.append(try await measure { try await store.container.sync(payload: payload, as: Article.self) })
    syncline.append(try await measure { try await store.container.sync(payload: changed, as: Article.self) })
    // For a profiler: nothing but the measured calls.
    if CommandLine.arguments.contains("--syncline-only") {
      print(syncline.map { milliseconds($0) }.joined())
      return
    }
    let articles = try await store.container.database.read { try Article.fetchAll($0) }
    let floorSelect = try await measure { try Floor.select(in: store.container.database) }
    let scan = try await measure { try SyncJSON.validate(payload) }

    let other = try Store()
    var handWritten: [Double] = []
    for payload in [payload, payload, changed] {
      handWritten.append(try await measure { try HandWritten.sync(payload, in: other.container.database) })
    }
    let floorStore = try Store()
    let floorInsert = try await measure { try Floor.insert(articles, in: floorStore.container.database) }

    let floors: [Double?] = [scan + floorInsert, scan + floorSelect, nil]
    let names = ["first sync", "the same again", "1 % changed"]
    print("workload         Syncline       floor  hand-written  × floor  × faster than hand-written")
    for index in names.indices {
      let floor = floors[index]
      print(
        names[index].padding(toLength: 14, withPad: " ", startingAt: 0), milliseconds(syncline[index]),
        floor.map { milliseconds($0) } ?? "          –", milliseconds(handWritten[index], width: 13),
        floor.map { ratio(syncline[index] / $0) } ?? "       –",
        ratio(handWritten[index] / syncline[index], width: 27))
    }
  }

  private static func milliseconds(_ seconds: Double, width: Int = 11) -> String {
    leftPadded(String(format: "%.1f ms", seconds * 1_000), width)
  }

  private static func ratio(_ value: Double, width: Int = 8) -> String {
    leftPadded(String(format: "%.1f", value), width)
  }

  private static func leftPadded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func measure<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    _ = try await body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
  }
}

/// A store in a file of its own, removed with it.
final class Store {
  let container: SyncContainer
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "syncline-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = try SyncContainer(
      for: BenchmarksSchema.self, storage: .file(folder.appending(path: "store.sqlite")))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
