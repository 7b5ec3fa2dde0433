import Syncline
import TestSupport

/// A state that a server may be in: rows of each model, and links that agree at both ends.
///
/// Payloads that are made from one state do not contradict each other, nor themselves.
struct World: Sendable {
  /// The scalars of each row, by its model and number.
  private(set) var rows: [String: [Int: SyncJSONObject]] = [:]
  /// The links of each relation, from a row at its first end to one at its second.
  private(set) var links: [Set<Link>] = Relation.all.map { _ in [] }

  struct Link: Hashable, Sendable {
    let first: Int
    let second: Int
  }

  init(using random: inout SeededGenerator) {
    for model in Shape.models {
      for number in Shape.rowNumbers where random.chance(60) { put(model, number, using: &random) }
    }
    relink(percent: 60, using: &random)
  }

  /// Rows come, go and change, and so do links.
  mutating func evolve(using random: inout SeededGenerator) {
    for model in Shape.models {
      for number in Shape.rowNumbers where random.chance(20) {
        if rows[model]?[number] == nil || random.chance(60) {
          put(model, number, using: &random)
        } else {
          rows[model]?[number] = nil
        }
      }
    }
    relink(percent: 20, using: &random)
  }

  private mutating func put(_ model: String, _ number: Int, using random: inout SeededGenerator) {
    var object = SyncJSONObject()
    for scalar in Shape.named(model).scalars { object[scalar.path] = scalar.value(&random) }
    rows[model, default: [:]][number] = object
  }

  /// Drops the links of rows that are gone, and decides so many of the others anew. Rows that lack a link they
  /// require go.
  private mutating func relink(percent: Int, using random: inout SeededGenerator) {
    for (index, relation) in Relation.all.enumerated() {
      let (first, second) = (relation.ends[0], relation.ends[1])
      let targets = numbers(second.model)
      // In an order that the seed alone decides.
      for link in links[index].sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) })
      where rows[first.model]?[link.first] == nil || !targets.contains(link.second) || random.chance(percent)
      {
        links[index].remove(link)
      }
      for number in numbers(first.model) {
        if relation.isScope {
          let link = Link(first: number, second: Shape.board(of: number))
          if targets.contains(link.second) {
            links[index].insert(link)
          } else {
            rows[first.model]?[number] = nil
          }
          continue
        }
        let isLinked = links[index].contains { $0.first == number }
        if isLinked, !first.isToMany { continue }
        if !first.isRequired, !random.chance(percent) { continue }
        let free =
          second.isToMany ? targets : targets.filter { row in !links[index].contains { $0.second == row } }
        if !free.isEmpty {
          links[index].insert(Link(first: number, second: random.pick(free)))
        } else if first.isRequired {
          rows[first.model]?[number] = nil
        }
      }
    }
    // A row that went takes its links with it.
    for (index, relation) in Relation.all.enumerated() {
      links[index] = links[index].filter {
        rows[relation.ends[0].model]?[$0.first] != nil && rows[relation.ends[1].model]?[$0.second] != nil
      }
    }
  }

  /// The numbers of a model's rows, in order.
  func numbers(_ model: String) -> [Int] { (rows[model] ?? [:]).keys.sorted() }

  /// The numbers of the rows that a row is linked to, seen from one end of a relation.
  func related(_ relation: Int, from end: Int, _ number: Int) -> [Int] {
    links[relation].filter { (end == 0 ? $0.first : $0.second) == number }
      .map { end == 0 ? $0.second : $0.first }.sorted()
  }
}
