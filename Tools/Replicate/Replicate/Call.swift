import Syncline
import SynclineTesting
import TestSupport

/// A numbered call: a list, a part of a list, a row, or the tasks of a project. It writes its number into the store.
struct Call {
  enum Kind: CaseIterable { case list, part, item, children }

  let kind: Kind
  let parent: Int
  let payload: SyncJSON

  init(_ number: Int, seed: Int) {
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ number)
    // The first call inserts all projects.
    kind = number == 1 ? .list : random.pick(Kind.allCases)
    parent = random.pick(1...5)
    // Some calls are so large that SQLite writes pages before the commit, and soon runs a checkpoint.
    let isLarge = number % 40 == 0
    let ids: [Int]
    switch kind {
    case .list: ids = (1...(isLarge ? 600 : 200)).filter { _ in random.chance(90) } + [601]
    case .part: ids = (0..<20).map { _ in Int.random(in: 1...400, using: &random) }
    case .item: ids = [Int.random(in: 1...400, using: &random)]
    case .children: ids = (1...40).filter { _ in random.chance(80) } + [602]
    }
    var rows: [SyncJSON] = []
    for (place, id) in ids.enumerated() {
      let project = kind == .children ? parent : number == 1 ? 1 + place % 5 : random.pick(1...5)
      rows.append(
        Call.row(
          id, project: project, number: place == 0 ? number : nil, repeating: isLarge ? 250 : 20, &random))
    }
    payload = kind == .item ? rows[0] : .array(rows)
  }

  private static func row(
    _ id: Int, project: Int, number: Int?, repeating count: Int, _ random: inout SeededGenerator
  ) -> SyncJSON {
    let version = random.chance(80) ? 0 : Int.random(in: 1...9, using: &random)
    let label: SyncJSON = ["id": .string("label \(version)"), "name": "A label"]
    var row: SyncJSON = [
      "id": .number(id), "title": .string("Task \(id), version \(version)"),
      "details": .string(String(repeating: "Details \(version). ", count: count)), "level": .number(version),
      "project": ["id": .number(project), "name": .string("Project \(project)")],
      "label": label, "labels": [label],
    ]
    if let number { row = row.setting(["mark": ["id": 1, "number": .number(number)]]) }
    return row
  }
}
