import Foundation
import Syncline
import SynclineInterpreter
import TestSupport

/// A call of `sync`, with its arguments as values.
struct SimulatedCall: Sendable {
  enum Form: Sendable {
    case list(DeletionPolicy?)
    case item
    case changes
    /// The rows of a parent.
    case children(relationship: String, parent: SyncJSON)
  }

  let model: String
  let form: Form
  var payload: SyncJSON

  /// Makes the call. If the caller is isolated to an actor, the call enters the store's queue before it first suspends.
  func run(
    on store: TextStore, isolation: isolated (any Actor)? = #isolation
  ) async throws -> SyncReport {
    try await run(store.model(model), on: store.container, isolation: isolation)
  }

  private func run<Model: SyncUpdatableModel>(
    _ model: Model.Type, on store: SyncContainer, isolation: isolated (any Actor)?
  ) async throws -> SyncReport {
    let bytes = [UInt8](try payload.data())
    switch form {
    case .list(let policy):
      return try await store.sync(payload: bytes, as: model, deletionPolicy: policy, isolation: isolation)
    case .item: return try await store.sync(item: bytes, as: model, isolation: isolation)
    case .changes: return try await store.sync(changes: bytes, as: model, isolation: isolation)
    case .children(let relationship, let parent):
      let descriptor = model.syncRelationshipSchemaDescriptors.first { $0.name == relationship }
      guard let related = descriptor?.relatedType as? any SyncUpdatableModel.Type else {
        throw SimulationError(description: "\(model) has no relationship \(relationship)")
      }
      return try await run(
        model, under: related, of: relationship, identity: parent, on: store, isolation: isolation)
    }
  }

  private func run<Model: SyncUpdatableModel, Parent: SyncUpdatableModel>(
    _ model: Model.Type, under _: Parent.Type, of relationship: String, identity: SyncJSON,
    on store: SyncContainer, isolation: isolated (any Actor)?
  ) async throws -> SyncReport {
    let uuid = identity.string.flatMap { UUID(uuidString: $0) }
    guard
      let parent = identity.int as? Parent.SyncID ?? uuid as? Parent.SyncID
        ?? identity.string as? Parent.SyncID
    else { throw SimulationError(description: "\(identity) identifies no \(Parent.self)") }
    return try await store.sync(
      payload: [UInt8](try payload.data()), as: model, parent: parent,
      relationship: Model.path(toOne: relationship, Parent.self), isolation: isolation)
  }
}

extension SimulatedCall: CustomStringConvertible {
  var description: String {
    switch form {
    case .list(let policy):
      "sync(payload:, as: \(model)\(policy.map { ", deletionPolicy: .\($0)" } ?? "")) \(payload)"
    case .item: "sync(item:, as: \(model)) \(payload)"
    case .changes: "sync(changes:, as: \(model)) \(payload)"
    case .children(let relationship, let parent):
      "sync(payload:, as: \(model), parent: \(parent), relationship: \(relationship)) \(payload)"
    }
  }
}

/// An error of the simulator itself.
struct SimulationError: Error, CustomStringConvertible {
  let description: String
}
