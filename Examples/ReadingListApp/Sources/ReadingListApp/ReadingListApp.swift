#if canImport(SwiftUI)
  import SwiftUI
  import Syncline

  /// A reading list: the rows of a server's payload, shown while the store changes.
  @main struct ReadingListApp: App {
    private let container = openStore()

    var body: some Scene {
      WindowGroup { BookList().syncContainer(container) }
    }
  }

  /// A real app keeps the store in a file of its Application Support folder, and shows an error if it cannot be opened.
  @MainActor private func openStore() -> SyncContainer {
    do {
      return try SyncContainer(for: ReadingListAppSchema.self, storage: .inMemory)
    } catch {
      fatalError("The store cannot be opened: \(error)")
    }
  }

  /// The unread books, which follow the store.
  struct BookList: View {
    @SyncQuery(Book.self, where: Book.Columns.isRead == false, orderBy: [Book.Columns.title]) private
      var books
    @Environment(\.syncContainer) private var container

    var body: some View {
      List(books) { Text($0.title) }
        .task { await load() }
    }

    /// Stands for a request: an app passes the body of a response.
    private func load() async {
      let payload = #"[{"id": 1, "title": "Emma", "author": {"id": 7, "name": "Jane Austen"}}]"#
      do {
        try await container?.sync(payload: payload, as: Book.self)
      } catch {
        print("The list could not be synced: \(error)")
      }
    }
  }
#else
  @main struct ReadingListApp {
    static func main() { print("This example needs SwiftUI: build it on macOS.") }
  }
#endif
