import Syncline

/// Schemas of one model each. They are in a module of their own, since a store with an `@Offline` model looks for edits at each
/// sync.
package enum OfflineStores: Sendable {
  case drafts, prints

  package var schema: any SyncSchema.Type {
    switch self {
    case .drafts: Drafts.self
    case .prints: Prints.self
    }
  }

  private enum Drafts: SyncSchema {
    static var models: [any SyncUpdatableModel.Type] { [Draft.self] }
  }

  private enum Prints: SyncSchema {
    static var models: [any SyncUpdatableModel.Type] { [Print.self] }
  }
}
