import Foundation

/// A workspace of projects, tasks, users and tags, as an API nests them.
enum WorkspaceData {
  static let tasksPerProject = 100

  private static func list(_ elements: [String]) -> Data {
    Data(("[" + elements.joined(separator: ",") + "]").utf8)
  }

  static func projects(_ count: Int) -> Data {
    list((1...max(count, 1)).map { #"{"id":\#($0),"name":"Project \#($0) – été"}"# })
  }

  static func users(_ count: Int) -> Data { list((1...count).map(user)) }
  static func tags(_ count: Int) -> Data { list((1...count).map(tag)) }

  static func user(_ id: Int) -> String {
    #"{"id":\#(id),"name":"User \#(id) Ünïcode","email":"user\#(id)@example.com","avatar_url":"https://example.com/u/\#(id).png"}"#
  }

  static func tag(_ id: Int) -> String { #"{"id":\#(id),"name":"tag \#(id)"}"# }

  /// The numbers of a task's tags or watchers in a workspace of the given size.
  static func members(of task: Int, among size: Int, salt: Int, count: Int = 10) -> [Int] {
    let start = (task &* 31 &+ salt) % size
    return (0..<count).map { 1 + (start + $0 * 7) % size }
  }

  /// A task with its assignee, tags and watchers as objects.
  static func task(_ id: Int, size: Int, titled suffix: String = "") -> String {
    let tags = members(of: id, among: size, salt: 1).map(tag).joined(separator: ",")
    let watchers = members(of: id, among: size, salt: 5).map(user).joined(separator: ",")
    let project = 1 + (id - 1) / tasksPerProject
    return #"{"id":\#(id),"title":"Task \#(id)\#(suffix)","description":"Things \"to do\" 日本語 \#(id)","#
      + #""state":{"id":"open","label":"Open"},"updated_at":"2025-07-10T10:45:12Z","project_id":\#(project),"#
      + #""assignee":\#(user(1 + id % size)),"tags":[\#(tags)],"watchers":[\#(watchers)]}"#
  }

  /// The tasks of a range. Every `changedEvery`-th task has another title.
  static func tasks(
    _ ids: ClosedRange<Int>, size: Int, changedEvery: Int? = nil, isShuffled: Bool = false
  ) -> Data {
    var random = SeededRandom(row: 0)
    return list(
      (isShuffled ? ids.shuffled(using: &random) : Array(ids)).map { id in
        task(id, size: size, titled: changedEvery.map { id % $0 == 0 } ?? false ? " (edited)" : "")
      })
  }

  /// Tasks with the keys of the given number of tags. `churn` of each task's tags are replaced.
  static func tagged(_ ids: ClosedRange<Int>, size: Int, count: Int, churn: Int = 0) -> Data {
    list(
      ids.map { id in
        let tags = members(of: id, among: size, salt: 1, count: count + churn).dropFirst(churn)
        return
          #"{"id":\#(id),"title":"Task \#(id)","state":{"id":"open"},"updated_at":"2025-07-10T10:45:12Z","#
          + #""tag_ids":[\#(tags.map(String.init).joined(separator: ","))]}"#
      })
  }

  static func boards(_ boards: ClosedRange<Int>, cards: Int) -> Data {
    list(
      boards.map { board in
        let cards = (0..<cards).map { card(board * cards + $0, position: $0) }
        return #"{"id":\#(board),"name":"Board \#(board)","cards":[\#(cards.joined(separator: ","))]}"#
      })
  }
  /// The cards of a board. Every `changedEvery`-th card has another title.
  static func cards(of board: Int, changedEvery: Int? = nil) -> Data {
    list(
      (0..<100).map { index in
        card(
          board * 100 + index, position: index,
          titled: changedEvery.map { index % $0 == 0 } ?? false ? " (edited)" : "")
      })
  }

  private static func card(_ id: Int, position: Int, titled suffix: String = "") -> String {
    #"{"id":\#(id),"title":"Card \#(id) – \"été\"\#(suffix)","position":\#(position),"is_done":\#(position % 3 == 0)}"#
  }
}
