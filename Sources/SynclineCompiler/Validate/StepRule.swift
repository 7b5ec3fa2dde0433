import SynclineNaming

/// Paths that read one value in two ways: as an object and as a list, or as a list of pairs and as another list. An export can
/// write only one of them.
enum StepRule: ModelRule {
  /// The step that the path of a property takes into a value.
  private struct Use {
    let step: RemotePath.Step
    let property: Property
  }

  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    guard model.properties.contains(where: { $0.snakeKeys.first?.utf8.contains(UInt8(ascii: "[")) ?? false })
    else { return }
    var uses: [ArraySlice<RemotePath.Step>: Use] = [:]
    for property in model.properties where !property.isIncomplete && property.orderedList == nil {
      // Exports write the first key. The others are read where a payload has them instead.
      guard let key = property.snakeKeys.first, let path = try? RemotePath(key), path.number(in: key) == nil
      else { continue }
      let steps = path.steps
      // Rows that are lists are checked by `RowListRule`.
      for index in steps.indices.dropFirst() {
        let use = Use(step: steps[index], property: property)
        guard let other = uses[steps[..<index]] else {
          uses[steps[..<index]] = use
          continue
        }
        guard let (way, otherWay) = ways(use.step, other.step) else { continue }
        bag.error(
          .mixedSteps,
          "“\(property.name)” of “\(model.name)” reads “\(text(of: steps[..<index]))” \(way), and “\(other.property.name)” \(otherWay): an export can write only one of them",
          at: property.range,
          notes: [.init(message: "“\(other.property.name)” is here", range: other.property.range)])
        break
      }
    }
  }

  /// How two steps read a value, if an export cannot write it for both.
  private static func ways(
    _ step: RemotePath.Step, _ other: RemotePath.Step
  ) -> (way: String, otherWay: String)? {
    if step.isOfList != other.isOfList {
      return step.isOfList ? ("as a list", "as an object") : ("as an object", "as a list")
    }
    guard step.isOfPairs || other.isOfPairs, step != other else { return nil }
    return ("by “\(step.text)”", "by “\(other.text)”")
  }

  /// The path of a value.
  private static func text(of steps: ArraySlice<RemotePath.Step>) -> String {
    steps.reduce("") { (path: String, step: RemotePath.Step) -> String in
      if case .member = step, !path.isEmpty { "\(path).\(step.text)" } else { path + step.text }
    }
  }
}

extension RemotePath.Step {
  /// Whether it leads into a list, rather than into an object.
  fileprivate var isOfList: Bool {
    switch self {
    case .member, .members: false
    case .index, .each, .pairs: true
    }
  }

  fileprivate var isOfPairs: Bool { if case .pairs = self { true } else { false } }

  /// The step as it is written.
  fileprivate var text: String {
    switch self {
    case .member(let name): name
    case .index(let index): "[\(index)]"
    case .each: "[]"
    case .members(let property): "{\(property ?? "")}"
    case .pairs(let name, let value): "[\(name):\(value)]"
    }
  }
}
