import Foundation
import Syncline

/// Syncs the issues of a paged API into a store: all pages, an interrupted run, changes, and an unchanged
/// response.
@main
struct PagedClient {
  static func main() async throws {
    // The default client for apps is based on URLSession. With `swift run --traits Server` it is the one for
    // servers, based on AsyncHTTPClient.
    #if Server
      let http = AsyncHTTP()
    #else
      let http = SessionHTTP()
    #endif
    let file = FileManager.default.temporaryDirectory.appending(path: "issues-\(UUID()).sqlite")
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    }
    let container = try SyncContainer(for: PagedClientSchema.self, storage: .file(file))

    // In a real app this would be a remote server. Here it runs in this process.
    let service = Service()
    let api = IssuesAPI(root: try await Server.start(service), http: http)
    let sync = IssueSync(api: api, container: container)
    try await followIssues(sync, service)
    try await followUsers(sync, service)
  }

  private static func followIssues(_ sync: IssueSync, _ service: Service) async throws {
    heading("All issues, ten a page. The server is busy once, and fails at the third page.")
    do {
      show(try await sync.issues()[Issue.self])
    } catch let failure as IssuesAPI.Failure {
      print("  interrupted: \(failure)")
    }
    try await showStore(sync.container)

    heading("The next call goes on where that one was interrupted.")
    show(try await sync.issues()[Issue.self])
    try await showStore(sync.container)

    heading("Others close, delete and make issues. The server tells what has changed.")
    await service.change(closing: 3, deleting: [7, 8], making: ["Issue 26"])
    show(try await sync.issues()[Issue.self])
    try await showStore(sync.container)

    heading("Nothing has changed, so nothing is written.")
    show(try await sync.issues()[Issue.self])
    try await showStore(sync.container)

    heading("The server has forgotten what changed. All is read, and what no page has is deleted at the end.")
    await service.change(closing: 4, deleting: [11, 12])
    await service.forgetChanges()
    show(try await sync.issues()[Issue.self])
    try await showStore(sync.container)
  }

  private static func followUsers(_ sync: IssueSync, _ service: Service) async throws {
    heading("All users, in one answer, which has an ETag.")
    show(try await sync.users()[User.self])

    heading("The server has none that is newer.")
    show(try await sync.users()[User.self])

    heading("One of them has another name.")
    await service.rename("grace", to: "Rear Admiral Grace")
    show(try await sync.users()[User.self])
  }

  private static func heading(_ text: String) {
    print("\n— \(text)\n")
  }

  /// Prints the report of a sync, without its duration.
  private static func show(_ counts: SyncReport.Counts) {
    let parts = [
      ("inserted", counts.inserted), ("updated", counts.updated), ("unchanged", counts.unchanged),
      ("deleted", counts.deleted),
    ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    print("  " + (parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")))
  }

  private static func showStore(_ container: SyncContainer) async throws {
    let (all, open) = try await container.database.read { db in
      let open = try Issue.filter(Issue.Columns.state == IssueState.open).fetchCount(db)
      return (try Issue.fetchCount(db), open)
    }
    let cursor = try await container.cursor(for: Issue.self)
    print("  stored: \(all) issues, \(open) open; the cursor is \(cursor ?? "none")")
  }
}
