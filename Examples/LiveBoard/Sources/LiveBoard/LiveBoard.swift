import Foundation
import Syncline

/// Shows the tasks of a project in the terminal and on a web page, and updates both when a sync has changed
/// the tasks.
@main
struct LiveBoard {
  static let help = """
    usage: LiveBoard [STORE]

    Keeps its tasks in the SQLite file STORE, or in memory. The screen says which keys there are, and where the page is.
    """

  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
      print(help)
      return
    }
    let storage = arguments.first.map { SyncStorage.file(URL(fileURLWithPath: $0)) } ?? .inMemory
    let container = try SyncContainer(for: LiveBoardSchema.self, storage: storage)

    // In a real app this would be a remote server. Here it runs in this process, and also serves the page.
    let server = try await Server.start(Service(), page: Page(container))
    let board = Board(container, API(root: server))

    let terminal = Terminal()
    defer { terminal.restore() }
    let drawing = observeContinuously { terminal.draw(board.lines) }
    defer { drawing.cancel() }
    for await key in terminal.keys where !board.press(key) { break }
  }
}
