import SynclineNaming

/// Lists of pairs whose elements other paths read in another way: exports write one list.
enum PairRule: ModelRule {
  /// The step behind a list, and the property that has it.
  private struct Use {
    let step: String
    let property: Property
  }

  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    let keys = model.properties.flatMap { property in property.snakeKeys.map { (property, $0) } }
    guard keys.contains(where: { $0.1.utf8.contains(UInt8(ascii: ":")) }) else { return }
    var uses: [String: Use] = [:]
    var reported: Set<String> = []
    for (property, key) in keys where !property.isIncomplete && property.orderedList == nil {
      for (list, step) in PairRule.steps(of: key) {
        guard let other = uses[list] else {
          uses[list] = Use(step: step, property: property)
          continue
        }
        let isPair = [step, other.step].contains { $0.contains(":") }
        guard isPair, step != other.step, reported.insert(property.name).inserted else { continue }
        bag.error(
          .mixedPairs,
          "“\(property.name)” of “\(model.name)” reads “\(list)” by “\(step)”, and “\(other.property.name)” by “\(other.step)”: an export can write only one of them",
          at: property.range,
          notes: [.init(message: "“\(other.property.name)” is here", range: other.property.range)])
      }
    }
  }

  /// The paths of the lists and maps that a path steps into, and the steps.
  private static func steps(of key: String) -> [(list: String, step: String)] {
    guard let path = try? RemotePath(key) else { return [] }
    var text = ""
    var steps: [(list: String, step: String)] = []
    for step in path.steps {
      if case .member(let name) = step {
        text += text.isEmpty ? name : ".\(name)"
        continue
      }
      steps.append((text, step.text))
      text += step.text
    }
    return steps
  }
}

extension RemotePath.Step {
  /// The step as it is written; places are alike.
  fileprivate var text: String {
    switch self {
    case .member(let name): name
    case .index: "[0]"
    case .each: "[]"
    case .members: "{}"
    case .pairs(let name, let value): "[\(name):\(value)]"
    }
  }
}
