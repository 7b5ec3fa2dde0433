import Foundation
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// A file that has a page of something else: what is opened, synced and exported gives an error or succeeds.
@Suite(.enabled(if: TestKind.random.runs))
struct CorruptionTests {
  private static let pageSize = 4_096

  @Test func corruptPageCausesOnlyStoreErrors() async throws {
    let folder = TemporaryFolder()
    let sound = try await soundFile(in: folder)
    for seed in Soak.seeds(8_000_000, count: 8) {
      var random = SeededGenerator(seed: seed)
      let trail = Trail("corruptPageCausesOnlyStoreErrors", seed: seed)
      let file = try folder.file("\(seed).sqlite")
      let page = Int.random(in: 0..<sound.count / Self.pageSize, using: &random)
      trail.write("page \(page)")
      try damaged(sound, page, using: &random).write(to: file)
      let world = World(using: &random)
      await allowingErrors("seed \(seed), page \(page)") {
        let store = try SyncContainer(
          for: MachineTestsSchema.self, storage: .file(file), recoverOnFailure: random.chance(30))
        for _ in 0..<8 {
          let call = Call(from: world, using: &random)
          await allowingErrors("seed \(seed), page \(page), \(call)") { try await call.run(on: store) }
        }
        for model in MachineTestsSchema.models {
          await allowingErrors("seed \(seed), page \(page), export") { try await store.exportAll(model) }
        }
        await allowingErrors("seed \(seed), page \(page), close") { try store.database.close() }
      }
      trail.end()
    }
  }

  /// Any error but those of the store or of its file is a failure.
  private func allowingErrors(_ place: String, _ body: () async throws -> Void) async {
    do { try await body() } catch {
      #expect(error is SyncError || error is DatabaseError, "\(error), \(place)")
    }
  }

  /// The bytes of a store with some hundred rows and links.
  private func soundFile(in folder: TemporaryFolder) async throws -> Data {
    let file = try folder.file("sound.sqlite")
    let store = try SyncContainer(for: MachineTestsSchema.self, storage: .file(file))
    try await store.sync(
      payload: SyncJSON.rows(200) {
        [
          "id": .string("p\($0)"), "name": .string("Person \($0)"), "manager_id": .string("p\($0 / 2)"),
          "follow_ids": [.string("p\($0 + 1)")],
        ]
      }, as: Person.self)
    try await store.sync(
      payload: SyncJSON.rows(200) {
        [
          "id": .number($0), "text": .string(String(repeating: "text ", count: $0 % 40)),
          "words": ["a", "b"],
          "project": ["id": .number($0 % 6)],
        ]
      }, as: Sample.self)
    var random = SeededGenerator(seed: 1)
    let world = World(using: &random)
    for _ in 0..<30 { _ = try? await Call(from: world, using: &random).run(on: store) }
    try store.database.close()
    return try Data(contentsOf: file)
  }

  private func damaged(_ sound: Data, _ page: Int, using random: inout SeededGenerator) -> Data {
    var data = sound
    let start = random.chance(50) ? 0 : Int.random(in: 0..<Self.pageSize, using: &random)
    let length = random.chance(50) ? Self.pageSize - start : Int.random(in: 1...16, using: &random)
    for offset in start..<min(start + length, Self.pageSize) {
      data[page * Self.pageSize + offset] = UInt8.random(in: 0...255, using: &random)
    }
    return data
  }
}

extension SyncContainer {
  fileprivate func exportAll<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
    _ = try await exportData(as: model)
    _ = try await export(as: model)
  }
}
