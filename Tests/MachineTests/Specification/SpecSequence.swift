import Syncline
import SynclineInterpreter
import TestSupport
import Testing

/// Calls on one store, and what the executable specification expects after each: a line that `Tests/Spec/sequences.py`
/// writes.
struct SpecSequence: Sendable {
  let json: SyncJSON

  var schema: String { json["schema"]?.string ?? "" }
  var skipsRows: Bool { json["skip"]?.bool ?? false }
  var steps: [SpecStep] { (json["steps"]?.array ?? []).map(SpecStep.init) }
  /// What a kept sequence shows.
  var title: String? { json["shows"]?.string }
  /// What the runtime does instead, where it is known to differ.
  var known: String? { json["known"]?.string }

  /// The calls alone.
  var withoutExpectations: SpecSequence {
    let steps = steps.map { step in
      var object = step.json.object ?? SyncJSONObject()
      for key in ["expected", "again"] { object[key] = nil }
      return SyncJSON.object(object)
    }
    return SpecSequence(json: json.replacing([.member("steps")], by: .array(steps)))
  }

  /// The calls, for people.
  var text: String {
    let head =
      "\(schema), seed \(json["seed"] ?? .null), \(skipsRows ? "rows are skipped" : "rows fail the call")"
    return ([head] + withoutExpectations.steps.map { "\($0.json)" }).joined(separator: "\n")
  }
}

extension SpecSequence: CustomTestStringConvertible {
  var testDescription: String { title ?? "\(schema) \(json["seed"]?.description ?? "")" }
}

/// One call of `sync`.
struct SpecStep: Sendable {
  let json: SyncJSON

  var expected: SpecOutcome { SpecOutcome(expected: json["expected"]) }
  /// What the same call once more leads to.
  var again: SpecOutcome { json["again"].map { SpecOutcome(expected: $0) } ?? expected }
  /// Whether the same call once more changes nothing.
  var isSettled: Bool { json["again"] == nil }
  /// Whether a report may be held to what changed: with some operations it tells of rows that these leave out.
  var hasAllOperations: Bool { json["operations"] == nil }

  func run(in schema: SpecSchema, on store: SyncContainer) async throws -> SyncReport {
    try await run(schema.model(json["model"]?.string ?? ""), on: store)
  }

  private func run<Model: SyncUpdatableModel>(
    _ model: Model.Type, on store: SyncContainer
  ) async throws -> SyncReport {
    if let parent = json["parent"] {
      return try await run(model, parent, related(parent, of: model), on: store)
    }
    let children = try children(of: model)
    return isItem
      ? try await store.sync(
        item: bytes, as: model, relationshipOperations: operations, children: children)
      : try await store.sync(
        payload: bytes, as: model, relationshipOperations: operations, deletionPolicy: deletionPolicy,
        children: children)
  }

  private func run<Model: SyncUpdatableModel, Parent: SyncUpdatableModel>(
    _ model: Model.Type, _ parent: SyncJSON, _ parentModel: Parent.Type, on store: SyncContainer
  ) async throws -> SyncReport {
    let id = parent["id"] ?? .null
    guard let identity = id.int as? Parent.SyncID ?? id.string as? Parent.SyncID else {
      throw UnreadableSequence(json: parent)
    }
    let path = Model.path(toOne: parent["relationship"]?.string ?? "", parentModel)
    let children = try children(of: model)
    return isItem
      ? try await store.sync(
        item: bytes, as: model, parent: identity, relationship: path, relationshipOperations: operations,
        children: children)
      : try await store.sync(
        payload: bytes, as: model, parent: identity, relationship: path, relationshipOperations: operations,
        deletionPolicy: deletionPolicy, children: children)
  }

  // MARK: Arguments

  private var isItem: Bool { json["item"]?.bool ?? false }

  private var bytes: [UInt8] {
    get throws { [UInt8](try (json["payload"] ?? .null).data()) }
  }

  private var deletionPolicy: DeletionPolicy? {
    json["deletionPolicy"]?.string.flatMap(DeletionPolicy.init)
  }

  private var operations: SyncRelationshipOperations {
    guard let names = json["operations"]?.array else { return .all }
    let all: [String: SyncRelationshipOperations] = [
      "insert": .insert, "update": .update, "delete": .delete,
    ]
    return SyncRelationshipOperations(names.compactMap { $0.string.flatMap { all[$0] } })
  }

  private func children<Model: SyncUpdatableModel>(of model: Model.Type) throws -> [SyncChildPolicy<Model>] {
    try (json["children"]?.array ?? []).map { child in
      func policy<Child: SyncUpdatableModel>(_ related: Child.Type) -> SyncChildPolicy<Model> {
        let list = Model.path(toMany: child["relationship"]?.string ?? "", related)
        let policy = child["policy"]?.string.flatMap(DeletionPolicy.init) ?? DeletionPolicy.none
        return .policy(list, policy, requireNonEmpty: child["requireNonEmpty"]?.bool ?? false)
      }
      return policy(try related(child, of: model))
    }
  }

  /// The model that a named relationship leads to.
  private func related(
    _ named: SyncJSON, of model: (some SyncUpdatableModel).Type
  ) throws -> any SyncUpdatableModel.Type {
    let descriptors = model.syncRelationshipSchemaDescriptors
    guard let related = descriptors.first(where: { $0.name == named["relationship"]?.string })?.relatedType,
      let type = related as? any SyncUpdatableModel.Type
    else { throw UnreadableSequence(json: named) }
    return type
  }
}

/// Something in a sequence that has no sense.
struct UnreadableSequence: Error {
  let json: SyncJSON
}
