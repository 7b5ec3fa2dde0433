import GRDB

/// What happens to members of a nested to-many relationship that are missing from a payload's list.
///
/// ```swift
/// children: [.policy(\.rooms, .softDeleteMissing, children: [.policy(\.beds, .none)])]
/// ```
public struct SyncChildPolicy<Owner: SyncUpdatableModel>: Sendable {
  let name: String?
  let policy: DeletionPolicy
  let requireNonEmpty: Bool
  let children: @Sendable (SyncTable) throws -> [ChildPolicy]

  /// A policy for one relationship.
  ///
  /// - Parameters:
  ///   - relationship: the to-many relationship, such as `\.rooms`.
  ///   - policy: what happens to missing members; ``DeletionPolicy/none`` neither deletes nor unlinks them.
  ///   - requireNonEmpty: whether an empty list deletes nothing and is reported.
  ///   - children: the policies of the members' own relationships.
  public static func policy<Child: SyncUpdatableModel>(
    _ relationship: KeyPath<Owner, QueryInterfaceRequest<Child>>, _ policy: DeletionPolicy,
    requireNonEmpty: Bool = false, children: [SyncChildPolicy<Child>] = []
  ) -> SyncChildPolicy<Owner> {
    SyncChildPolicy(
      name: Owner.syncRelationshipName(relationship), policy: policy, requireNonEmpty: requireNonEmpty,
      children: { table in try children.map { try $0.resolved(in: table) } })
  }

  /// The policy with its relationships looked up.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for an unknown relationship, or a soft deletion of a
  ///   model that cannot be marked.
  func resolved(in table: SyncTable) throws -> ChildPolicy {
    guard let name, let position = table.position(of: name), let related = table.properties[position].related
    else {
      throw SyncError(.noChildRelationship, model: table.name)
    }
    let target = related.syncTable
    guard policy != .softDeleteMissing || target.softDelete != nil else {
      throw SyncError(.cannotMark, model: target.name)
    }
    return ChildPolicy(
      position: position, policy: policy, requireNonEmpty: requireNonEmpty, children: try children(target))
  }
}

/// A child policy with its relationship looked up.
struct ChildPolicy: Sendable {
  let position: Int
  let policy: DeletionPolicy
  var requireNonEmpty = false
  var children: [ChildPolicy] = []
}
