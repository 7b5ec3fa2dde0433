import SynclineNaming

/// Reports paths that read one value in two ways: as an object and as a list, or as a list of pairs and as another list. An
/// export could write only one of them.
enum StepRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    guard model.hasStepsIntoLists else { return }
    var steps = ModelSteps()
    for property in model.properties {
      guard let clash = steps.add(property) else { continue }
      bag.error(
        .mixedSteps,
        "“\(property.name)” of “\(model.name)” reads “\(clash.value)” \(clash.way), and “\(clash.other.name)” \(clash.otherWay): an export can write only one of them",
        at: property.range, notes: [clash.note])
    }
  }
}

/// Reports such paths of two rows that are read from one object by the path `.`.
enum FarStepRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    guard
      schema.models.contains(where: \.hasStepsIntoLists)
        || schema.imported.contains(where: \.hasStepsIntoLists)
    else { return }
    for model in schema.models where model.mayHaveObjectItself {
      for property in model.properties where property.isObjectItself && !property.isIncomplete {
        guard case .toOne = property.type else { continue }
        check(property, of: model, schema, &bag)
      }
    }
  }

  private static func check(
    _ itself: Property, of model: Model, _ schema: Schema, _ bag: inout DiagnosticBag
  ) {
    var steps = ModelSteps()
    for property in model.properties { _ = steps.add(property) }
    var seen: Set<String> = [model.name]
    var next = itself.target
    while let name = next, seen.insert(name).inserted, let far = schema.visibleModel(name) {
      let isMixed = model.hasStepsIntoLists || far.hasStepsIntoLists
      for property in far.properties where isMixed {
        guard let clash = steps.clash(of: property) else { continue }
        return bag.error(
          .mixedSteps,
          "“\(itself.name)” of “\(model.name)” is read from the same object: “\(property.name)” of “\(name)” reads “\(clash.value)” \(clash.way), and “\(clash.other.name)” \(clash.otherWay): an export can write only one of them",
          at: itself.range, notes: [clash.note])
      }
      next = far.properties.first(where: \.isObjectItself)?.target
    }
  }
}

/// The steps that the paths of a model's properties take into values.
private struct ModelSteps {
  private struct Use {
    let step: RemotePath.Step
    let property: Property
  }

  /// Two paths that read one value in different ways.
  struct Clash {
    /// The path of the value.
    let value: String
    let way, otherWay: String
    /// The property that reads it in the other way.
    let other: Property

    var note: Diagnostic.Note { .init(message: "“\(other.name)” is here", range: other.range) }
  }

  private var uses: [ArraySlice<RemotePath.Step>: Use] = [:]

  /// Adds the path of a property; returns the clash if it conflicts with a path that was added earlier.
  mutating func add(_ property: Property) -> Clash? {
    if let clash = clash(of: property) { return clash }
    let steps = ModelSteps.path(of: property)
    for index in steps.indices.dropFirst() where uses[steps[..<index]] == nil {
      uses[steps[..<index]] = Use(step: steps[index], property: property)
    }
    return nil
  }

  func clash(of property: Property) -> Clash? {
    let steps = ModelSteps.path(of: property)
    for index in steps.indices.dropFirst() {
      guard let other = uses[steps[..<index]],
        let (way, otherWay) = ModelSteps.ways(steps[index], other.step)
      else { continue }
      return Clash(
        value: ModelSteps.text(of: steps[..<index]), way: way, otherWay: otherWay, other: other.property)
    }
    return nil
  }

  /// The path under which an export writes a property. Its other paths are only read. If rows are arrays, the first step is not
  /// compared, because `RowListRule` checks it.
  private static func path(of property: Property) -> [RemotePath.Step] {
    guard !property.isIncomplete, property.orderedList == nil, let key = property.snakeKeys.first,
      let path = try? RemotePath(key), path.number(in: key) == nil
    else { return [] }
    return path.steps
  }

  /// The ways in which two steps read a value, if an export cannot write it for both.
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

extension Model {
  /// Whether a property has a path into a list.
  fileprivate var hasStepsIntoLists: Bool {
    properties.contains { $0.snakeKeys.first?.utf8.contains(UInt8(ascii: "[")) ?? false }
  }
}

extension RemotePath.Step {
  /// Whether the step leads into a list rather than an object.
  fileprivate var isOfList: Bool {
    switch self {
    case .member, .members: false
    case .index, .each, .pairs: true
    }
  }

  fileprivate var isOfPairs: Bool { if case .pairs = self { true } else { false } }

  /// The step as written.
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
