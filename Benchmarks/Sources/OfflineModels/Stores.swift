import Syncline

/// Schemas of one model each. They are in a separate module, because a store with an `@Offline` model reads edits in each sync.
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
