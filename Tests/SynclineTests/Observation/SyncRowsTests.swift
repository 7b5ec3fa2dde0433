import Foundation
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Results as collections, and the differences between two results.
@Suite struct SyncRowsTests {
  private func rows(_ tags: [Tag], limit: Int = .max) -> SyncRows<Tag> {
    var rows = MaintainedRows<Tag>()
    for tag in tags { rows.append(FollowedRow(number: Int64(tag.id), hash: tag.name.hashValue, model: tag)) }
    return SyncRows(rows.list.first(limit))
  }

  private func tags(_ count: Int) -> [Tag] { (0..<count).map { Tag(id: $0, name: "\($0)") } }

  @Test func rowsAreACollection() {
    for count in [0, 1, 255, 256, 257, 1_000] {
      let list = rows(tags(count))
      #expect(list.count == count && Array(list) == tags(count) && list.isEmpty == (count == 0))
      #expect(list.first == tags(count).first && list.last == tags(count).last)
      #expect(list.reversed().map(\.id) == (0..<count).reversed())
      for limit in [0, 1, 256, 300] {
        #expect(Array(rows(tags(count), limit: limit)) == Array(tags(count).prefix(limit)))
      }
    }
    #expect(SyncRows<Tag>().isEmpty && SyncRows<Tag>() == rows([]))
    #expect(rows(tags(3)) == rows(tags(3)) && rows(tags(3)) != rows(tags(4)))
    #expect(rows(tags(2)).description == Array(rows(tags(2))).description)
  }

  @Test(arguments: 0..<20)
  func maintainedRowsMatchAnArray(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var expected = tags(Int.random(in: 0...700, using: &random))
    var list = MaintainedRows<Tag>()
    for tag in expected { list.append(FollowedRow(number: Int64(tag.id), hash: 0, model: tag)) }
    var next = 1_000
    var published: [(SyncRows<Tag>, [Tag])] = []
    for step in 0..<1_500 {
      let position = Int.random(in: 0...expected.count, using: &random)
      switch Int.random(in: 0..<(step < 800 ? 5 : 8), using: &random) {
      case 0, 1, 2:
        let tag = Tag(id: next, name: "n")
        next += 1
        list.insert(FollowedRow(number: Int64(tag.id), hash: 0, model: tag), at: position)
        expected.insert(tag, at: position)
      case 3 where position < expected.count:
        expected[position].name += "!"
        list.replace(
          FollowedRow(number: Int64(expected[position].id), hash: step, model: expected[position]),
          at: position)
      default:
        guard position < expected.count else { continue }
        list.remove(at: position)
        expected.remove(at: position)
      }
      if step.isMultiple(of: 100) { published.append((SyncRows(list.list), expected)) }
    }
    published.append((SyncRows(list.list), expected))
    // Published results do not change.
    for (rows, expected) in published { #expect(Array(rows) == expected) }
    for (position, tag) in expected.enumerated() { #expect(list.position(of: Int64(tag.id)) == position) }
    #expect(list.position(of: 999) == nil)
  }

  @Test(arguments: 0..<40)
  func differenceTransformsOldRowsIntoNewRows(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let old = tags(Int.random(in: 0...600, using: &random)).shuffled(using: &random)
    var new = old
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let position = Int.random(in: 0...new.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        new.insert(Tag(id: 1_000 + Int.random(in: 0...1_000_000, using: &random), name: "n"), at: position)
      case 1 where position < new.count: new.remove(at: position)
      case 2 where position < new.count: new[position].name += "!"
      case 3 where position < new.count:
        let moved = new.remove(at: position)
        new.insert(moved, at: Int.random(in: 0...new.count, using: &random))
      default: break
      }
    }
    let step = rows(new).difference(from: rows(old))
    #expect(Array(step.rows) == new)
    #expect(step.isEmpty == (old == new))
    let applied = try #require(old.applying(step.difference))
    #expect(applied.map(\.id) == new.map(\.id))
    // The rows that remain, with changed values.
    let names = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.name) })
    let changed = new.indices.filter { index in
      let name = names[new[index].id]
      return name != nil && name != new[index].name
    }
    #expect(step.changed == changed)
    // A moved row is not a removal and an insertion.
    for change in step.difference {
      if case .insert(_, let tag, let origin) = change { #expect((origin != nil) == (names[tag.id] != nil)) }
    }
  }

  @Test func storeChangesArePublishedAsDifferences() async throws {
    let store = try makeStore()
    try await store.sync(payload: payload(1...3) { #"{"id": \#($0), "name": "\#($0)"}"# }, as: Tag.self)
    var steps = store.values(of: Tag.self, orderBy: [Tag.Columns.name]).differences.makeAsyncIterator()
    let first = try #require(try await steps.next())
    #expect(first.difference.insertions.count == 3 && first.changed.isEmpty)
    try await store.sync(item: #"{"id": 1, "name": "9"}"#, as: Tag.self)
    let second = try #require(try await steps.next())
    #expect(second.rows.map(\.id) == [2, 3, 1])
    #expect(second.difference.count == 2 && second.changed == [2])
    guard case .insert(2, _, 0) = second.difference.insertions[0] else {
      Issue.record("no move from 0 to 2")
      return
    }
  }
}
