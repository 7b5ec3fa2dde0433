#if canImport(SwiftUI)
  import SwiftUI
  import Syncline

  /// A reading list that shows the rows of a server's payload, and updates them when the store changes.
  @main struct ReadingListApp: App {
    private let container = openStore()

    var body: some Scene {
      WindowGroup { BookList().syncContainer(container) }
    }
  }

  /// In a real app, keep the store in a file in the Application Support folder, and show an error if it cannot be
  /// opened.
  @MainActor private func openStore() -> SyncContainer {
    do {
      return try SyncContainer(for: ReadingListAppSchema.self, storage: .inMemory)
    } catch {
      fatalError("The store cannot be opened: \(error)")
    }
  }

  /// The unread books. The list is updated when the store changes.
  struct BookList: View {
    @SyncQuery(Book.self, where: Book.Columns.isRead == false, orderBy: [Book.Columns.title]) private
      var books
    @Environment(\.syncContainer) private var container

    var body: some View {
      List(books) { Text($0.title) }
        .task { await load() }
    }

    /// In a real app, this payload is the body of a response.
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
