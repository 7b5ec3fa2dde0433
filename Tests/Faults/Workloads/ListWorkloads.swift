import Foundation
import GRDB
import Syncline
import TestSupport

/// Syncs of lists, each in one transaction.
extension Workload {
  static let listCalls = [
    sync("values", as: "Article", Payloads.articles(0..<100, titled: "first")),
    sync("insert", as: "Document", Payloads.documents(0..<Payloads.rowCount, titled: "first")),
    sync(
      "update", as: "Document", Payloads.documents(40..<190, titled: "second"),
      after: Payloads.documents(0..<150, titled: "first")),
    sync(
      "unchanged", as: "Document", Payloads.documents(0..<Payloads.rowCount, titled: "first"),
      after: Payloads.documents(0..<Payloads.rowCount, titled: "first")),
    sync("links", as: "Issue", Payloads.issues(0..<100)),
    sync("lists", as: "Label", Payloads.labels(0..<7), after: Payloads.issues(0..<100), of: "Issue"),
    nested("nested", storage: { .file($0) }),
    nested("checkpoint", storage: smallLog),
    changes,
  ]

  /// A sync of a list, with another list stored before.
  private static func sync(
    _ name: String, as model: String, _ payload: String, after earlier: String? = nil,
    of earlierModel: String? = nil
  ) -> Workload {
    Workload(
      name: name, schema: Payloads.schema,
      prepare: { store in
        if let earlier { try await store.sync(list: earlier, as: earlierModel ?? model) }
      },
      call: { try await $0.open().sync(list: payload, as: model).text() })
  }

  /// A list in which a tenth of the rows, their nested rows and their links have changed.
  private static func nested(
    _ name: String, storage: @escaping @Sendable (URL) throws -> SyncStorage
  ) -> Workload {
    Workload(
      name: name, schema: Payloads.schema, storage: storage,
      prepare: { try await $0.sync(list: Payloads.issues(0..<Payloads.rowCount), as: "Issue") },
      call: {
        let payload = Payloads.issues(0..<Payloads.rowCount, version: 1)
        return try await $0.open().sync(list: payload, as: "Issue").text()
      })
  }

  /// A store with a checkpoint after every five pages of the log, which is at almost every commit. If the checkpoint fails, the
  /// commit has still succeeded.
  @Sendable
  private static func smallLog(_ file: URL) throws -> SyncStorage {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 5") }
    return .database(try DatabasePool(path: file.path, configuration: configuration))
  }

  private static let changes = Workload(
    name: "changes", schema: Payloads.schema,
    prepare: { try await $0.sync(list: Payloads.documents(0..<150, titled: "first"), as: "Document") },
    call: { site in
      let deleted = (60..<80).map { #""a-document-\#($0)""# }.joined(separator: ",")
      let body = """
        {"created": \(Payloads.documents(150..<180, titled: "new")), \
        "updated": \(Payloads.documents(0..<40, titled: "second")), "deleted": [\(deleted)]}
        """
      return try await site.open().sync(changes: body, as: "Document").text()
    })
}
