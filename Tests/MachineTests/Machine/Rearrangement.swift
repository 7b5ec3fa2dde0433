import Syncline
import TestSupport

/// Other payloads that say the same: in another order, or cut into several.
struct Rearrangement {
  /// A nested object and what it is a row of.
  struct Nested {
    let path: JSONPath
    let model: String
    /// Whether a row with a stamp is in it: said in two calls, it would be older than itself the second time.
    var hasStamps: Bool
  }

  // MARK: Order

  /// The payload with its rows, the members of its objects and the elements of its relationships in any order.
  static func shuffled(_ json: SyncJSON, using random: inout SeededGenerator) -> SyncJSON {
    switch json {
    case .array(let elements):
      return .array(elements.map { shuffled($0, using: &random) }.shuffled(using: &random))
    case .object(let object):
      let members = object.map { key, value in
        (key, valuesInOrder.contains(key) ? value : shuffled(value, using: &random))
      }
      return .object(SyncJSONObject(members.shuffled(using: &random)))
    default: return json
    }
  }

  private static let valuesInOrder: Set = [
    "words", "numbers", "json", "places", "near", "grid", "part", "parts", "watchers", "watcher_ids", "edges",
    // Rows that are lists.
    "marks",
  ]

  // MARK: Nesting

  /// The objects nested in a row, or in the rows of a list, outermost first.
  static func nestedObjects(in json: SyncJSON, of model: String, at path: JSONPath = []) -> [Nested] {
    if let elements = json.array {
      return elements.enumerated().flatMap { index, element in
        nestedObjects(in: element, of: model, at: path + [.element(index)])
      }
    }
    return Relation.all.flatMap { relation in
      [(relation.ends[0], relation.ends[1].model), (relation.ends[1], relation.ends[0].model)].flatMap {
        end, other -> [Nested] in
        // The key in its place would be another: within a text, or among the members of the row.
        guard end.model == model, let key = end.nested, key != ".", end.keyTexts.isEmpty else { return [] }
        let steps = key.split(separator: ".").map { JSONStep.member(String($0)) }
        guard let value = json[steps] else { return [] }
        let places = value.array.map { $0.indices.map { [JSONStep.element($0)] } } ?? [[]]
        return places.flatMap { place -> [Nested] in
          guard let object = value[place], object.object != nil else { return [] }
          let inner = nestedObjects(in: object, of: other, at: path + steps + place)
          let hasStamps = stamped.contains(other) || inner.contains(where: \.hasStamps)
          return [Nested(path: path + steps + place, model: other, hasStamps: hasStamps)] + inner
        }
      }
    }
  }

  private static let stamped: Set = ["Ticket", "Comment"]

  /// The calls that a call is when one of its nested objects is said by itself, and its key in its place.
  static func cut(_ call: Call, at nested: Nested) -> (rest: Call, object: Call)? {
    guard case .json(let json) = call.payload, let object = json[nested.path],
      let key = object[
        Shape.named(nested.model).identityPath.split(separator: ".").map { .member(String($0)) }]
    else { return nil }
    var rest = call
    rest.payload = .json(json.replacing(nested.path, by: key))
    return (rest, Call(model: nested.model, form: .item, payload: .json(object)))
  }
}
