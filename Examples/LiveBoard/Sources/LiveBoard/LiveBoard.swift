import Foundation
import Syncline

/// Shows a project's tasks in the terminal and on a page, and both again when a sync has changed them.
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

    // What would be somebody else's server answers on this machine; the page comes from it as well.
    let server = try await Server.start(Service(), page: Page(container))
    let board = Board(container, API(root: server))

    let terminal = Terminal()
    defer { terminal.restore() }
    let drawing = observeContinuously { terminal.draw(board.lines) }
    defer { drawing.cancel() }
    for await key in terminal.keys where !board.press(key) { break }
  }
}
