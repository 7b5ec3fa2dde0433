import Foundation
import GRDB
import Syncline
import SynclineInterpreter
import TestSupport

/// Exports, reads that follow the store, and writes in transactions of the app.
extension Workload {
  static let userCalls = [export, membership, following]

  private static let exportName = "export.json"

  private static let export = Workload(
    name: "export", schema: Payloads.schema, files: .output(exportName),
    prepare: { try await $0.sync(list: Payloads.issues(0..<Payloads.rowCount), as: "Issue") },
    call: { site in
      let store = try site.open()
      func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws {
        try await store.container.exportData(as: model, to: site.folder.appending(path: exportName))
      }
      try await export(store.model("Issue"))
      return "exported"
    })

  // MARK: Membership

  private static let membership = Workload(
    name: "membership", schema: Payloads.schema, errors: .ofDatabase, traps: [.transaction],
    prepare: { try await $0.sync(list: Payloads.issues(0..<100), as: "Issue") },
    call: { site in
      let store = try site.open()
      let label = try store.model("Label")
      guard let issue = try store.model("Issue") as? any SyncGeneratedModel.Type else { return "no model" }
      try await store.container.database.write { database in
        try setMembers(of: issue, to: label, "labels", database)
      }
      return "set"
    })

  /// Gives the first rows the same few members.
  private static func setMembers<Owner: SyncGeneratedModel, Related: SyncUpdatableModel>(
    of owner: Owner.Type, to related: Related.Type, _ relationship: String, _ database: Database
  ) throws {
    let owners = try Owner.limit(20).fetchAll(database).map { $0[keyPath: Owner.syncIdentity] }
    let members = try Related.limit(3).fetchAll(database).map { $0[keyPath: Related.syncIdentity] }
    for identity in owners {
      let path = Owner.path(toMany: relationship, Related.self)
      try Owner.membership(path, of: identity).set(members, database)
    }
  }

  // MARK: Following

  /// A follower reads the first rows, and again after each of two syncs. It may fail after the last sync.
  private static let following = Workload(
    name: "following", schema: Payloads.schema, errors: .ofDatabase, traps: [.connection],
    mayFailWhenDone: true,
    prepare: { try await $0.sync(list: Payloads.articles(0..<30, titled: "old"), as: "Article") },
    call: { site in
      let store = try site.open()
      func follow<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> String {
        let values = store.container.values(of: model, where: Column("title") == "new 7")
        var results = values.makeAsyncIterator()
        var count: Int?
        for (title, expected) in [("other", 0), ("new", 1)] {
          // If the call is repeated after a failure, it may find the rows of the last sync. Both syncs change something in any
          // case.
          if count == nil { count = try await results.next()?.count }
          try await store.sync(list: Payloads.articles(0..<30, titled: title), as: "Article")
          if expected == 0 { try await site.didCommit(store) }
          while let last = count, last != expected { count = try await results.next()?.count }
        }
        // The rows end without an error if the task is cancelled.
        try Task.checkCancellation()
        return "followed \(count ?? -1)"
      }
      return try await follow(store.model("Article"))
    })
}
