import FaultStore
import Foundation

/// A call of SQLite that changed the disk, or a mark.
struct DiskEvent: Sendable {
  enum Change: Sendable, Equatable {
    case create
    case write(offset: Int, bytes: Data)
    case truncate(size: Int)
    case sync
    /// - Parameter syncsFolder: whether the deletion is durable when the call returns.
    case delete(syncsFolder: Bool)
    case mark(String)
  }

  /// The name of the file without its folder.
  let file: String
  let change: Change

  /// All recorded events.
  static func recorded() throws -> [DiskEvent] {
    try (0..<fault_store_event_count()).map { try DiskEvent(fault_store_event($0)) }
  }

  private init(_ event: fault_event) throws {
    let path = String(cString: event.path)
    file = URL(filePath: path).lastPathComponent
    switch event.kind {
    case EVENT_CREATE: change = .create
    case EVENT_WRITE:
      let bytes = UnsafeBufferPointer(start: event.bytes, count: Int(event.size))
      change = .write(offset: Int(event.offset), bytes: Data(buffer: bytes))
    case EVENT_TRUNCATE: change = .truncate(size: Int(event.offset))
    case EVENT_SYNC: change = .sync
    case EVENT_DELETE: change = .delete(syncsFolder: event.offset != 0)
    case EVENT_MARK: change = .mark(path)
    default: throw UnknownEvent()
    }
  }

  private struct UnknownEvent: Error, CustomStringConvertible {
    let description = "an event of an unknown kind was recorded"
  }
}
