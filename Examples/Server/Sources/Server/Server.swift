import Foundation
import Hummingbird
import ServiceLifecycle
import Syncline

/// Serves notes from a Syncline store.
@main
struct NotesServer {
  static let help = """
    usage: Server [PORT] [STORE]

    Listens on 127.0.0.1, on PORT (8080), or on any free port if PORT is 0. Keeps the notes in the SQLite file STORE,
    or in memory.
    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count <= 2, let port = UInt16(arguments.first ?? "8080") else {
      print(help)
      exit(1)
    }
    let storage = arguments.count == 2 ? SyncStorage.file(URL(fileURLWithPath: arguments[1])) : .inMemory
    do {
      try await serve(storage, port: Int(port))
    } catch {
      print("The server failed: \(error)")
      exit(1)
    }
  }

  /// Serves the notes until SIGTERM or SIGINT.
  private static func serve(_ storage: SyncStorage, port: Int) async throws {
    // All routes share one container.
    let container = try await SyncContainer.open(for: ServerSchema.self, storage: storage)
    let router = Router()
    router.add(middleware: SyncErrors())
    NoteRoutes(container: container).add(to: router)
    addEvents(of: container, to: router)
    let server = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))

    // Without the limit, as with `server.runService()`, a client that stops reading or sending keeps the server from
    // stopping. Requests that take longer are cancelled, and their syncs write nothing.
    var configuration = ServiceGroupConfiguration(
      services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: server.logger)
    configuration.maximumGracefulShutdownDuration = .milliseconds(500)
    try await ServiceGroup(configuration: configuration).run()
    // All requests have ended.
    try container.database.close()
  }
}
