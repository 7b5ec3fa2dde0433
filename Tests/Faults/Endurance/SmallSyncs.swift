import Foundation
import Syncline
import TestSupport

/// The small syncs of a long run, by number. After the first thousands, the size of the store stays constant.
struct SmallSyncs {
  private static let first = #"""
    model Board {
      id: Int
      name: String
      notes: [Note]
    }

    model Note {
      id: Int
      text: String
      rank: Int = 0
      board: Board?
      @Relationship(inverse: \Tag.notes) tags: [Tag]
    }

    model Tag {
      id: Int
      name: String
      notes: [Note]
    }
    """#

  /// The schema of a version: a column is removed, and another one is added. A store never returns to an earlier version.
  static func schema(ofVersion version: Int) -> String {
    version == 0 ? first : first.replacing("rank: Int = 0", with: "extra\(version): String = \"none\"")
  }

  static let noteCount = 500
  private static let boardCount = 40

  let store: TextStore

  /// Runs a sync. One in a hundred fails, and one in a hundred is cancelled.
  ///
  /// - Returns: the problems with its result.
  func sync(_ number: Int) async throws -> [String] {
    let id = number / 10 * 7 % Self.noteCount
    switch number % 10 {
    case 0, 1:
      try await store.sync(note(id, number), as: "Note")
    case 2:
      let payload = note(id, number)
      try await store.sync(payload, as: "Note")
      let report = try await store.sync(payload, as: "Note")
      if !report.isUnchanged { return ["sync \(number) changed something again"] }
    case 3:
      let tags = (0..<20).map { #"{"id": \#($0), "name": "tag \#($0 == number % 20 ? number : 0)"}"# }
      try await store.sync("[\(tags.joined(separator: ", "))]", as: "Tag")
    case 4:
      try await store.sync(
        changes: #"{"updated": [\#(note(id, number))], "deleted": [\#(id + 1)]}"#, as: "Note")
    case 5:
      let board = number % Self.boardCount
      let notes = (0..<8).map { String((id + $0 * 3) % Self.noteCount) }.joined(separator: ", ")
      try await store.sync(
        #"{"id": \#(board), "name": "b \#(number)", "note_ids": [\#(notes)]}"#, as: "Board")
    case 6:
      let half = Self.boardCount / 2
      try await store.sync(
        pages: [
          SyncPage(boards(0..<half, number), cursor: "\(half)"),
          SyncPage(boards(half..<Self.boardCount, number)),
        ], as: "Board")
    case 7:
      // A pending link, and then its row.
      let tag = 1_000 + number % 7
      try await store.sync(
        #"{"id": \#(id), "text": "waits", "tag_ids": [\#(tag), \#(number % 20)]}"#, as: "Note")
      if number % 3 == 0 { try await store.sync(#"{"id": \#(tag), "name": "late"}"#, as: "Tag") }
    case 8 where number % 100 == 8:
      return try await fail(number)
    case 9 where number % 100 == 9:
      return try await cancel(number)
    default:
      try await store.sync(note(id, number % 30), as: "Note")
    }
    return []
  }

  private func note(_ id: Int, _ number: Int) -> String {
    #"""
    {"id": \#(id), "text": "note \#(number)", "board_id": \#(number % Self.boardCount), "tags": \#
    [{"id": \#(number % 20), "name": "tag \#(number)"}, {"id": \#(number % 13), "name": "tag"}]}
    """#
  }

  private func boards(_ range: Range<Int>, _ number: Int) -> String {
    "[" + range.map { #"{"id": \#($0), "name": "page \#(number % 3)"}"# }.joined(separator: ", ") + "]"
  }

  private func fail(_ number: Int) async throws -> [String] {
    do {
      try await store.sync(#"[{"id": 1, "text": "a"}, {"id": 2, "text": "#, as: "Note")
      return ["sync \(number) read a payload that ends early"]
    } catch SyncError.invalidPayload {
      return []
    }
  }

  private func cancel(_ number: Int) async throws -> [String] {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.sync(note(1, number), as: "Note")
    }
    do {
      _ = try await task.value
      return ["sync \(number) was not cancelled"]
    } catch SyncError.cancelled {
      return []
    }
  }
}
