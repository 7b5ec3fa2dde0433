import Foundation

/// The states that a call commits, and those that may be on the disk after each event.
struct Timeline: Sendable {
  /// The states in the order of their commits, beginning with the state before the call.
  let states: [StoredState]
  /// The range of states that a power loss may leave, for each number of events.
  let possible: [ClosedRange<Int>]

  /// - Parameter folder: the folder in which files are written to read them.
  init(_ recording: Recording, _ mode: PowerMode, in folder: URL) throws {
    var disk = VirtualDisk(recording.base)
    var states = [try Timeline.state(of: disk, in: folder)]
    var certain = 0
    var possible = [0...0]
    for event in recording.events {
      try disk.apply(event)
      if Timeline.mayCommit(event, disk) {
        let state = try Timeline.state(of: disk, in: folder)
        if state != states.last { states.append(state) }
      }
      let last = states.count - 1
      certain = max(certain, Timeline.certainState(after: event, mode, last: last))
      possible.append(certain...last)
    }
    (self.states, self.possible) = (states, possible)
  }

  /// The state that an event makes durable.
  private static func certainState(after event: DiskEvent, _ mode: PowerMode, last: Int) -> Int {
    switch event.change {
    // Syncing the log makes all transactions in it durable.
    case .sync where event.file.hasSuffix("-wal"): last
    case .mark(Recording.checkpoint) where mode == .normal || mode == .full: last
    case .mark where mode == .full: last
    // The deletion of the last journal may be undone, which undoes its transaction.
    case .mark where mode == .journal: last - 1
    default: 0
    }
  }

  /// Whether an event may complete a transaction: the last frame of a transaction in a log, or the end of a journal. If another
  /// event does, the images after it show this.
  private static func mayCommit(_ event: DiskEvent, _ disk: VirtualDisk) -> Bool {
    switch event.change {
    case .write(let offset, let bytes) where event.file.hasSuffix("-wal"):
      endsTransaction(offset + bytes.count, in: disk.bytes(of: event.file))
    case .write(0, let bytes) where event.file.hasSuffix("-journal"): bytes.allSatisfy { $0 == 0 }
    case .delete, .truncate: event.file.hasSuffix("-journal")
    default: false
    }
  }

  /// Whether the frame that ends at an offset of a log is the last frame of a transaction.
  private static func endsTransaction(_ end: Int, in log: Data) -> Bool {
    let (header, frameHeader) = (32, 24)
    guard log.count >= header else { return false }
    let frame = frameHeader + number(at: 8, in: log)
    guard end > header, (end - header).isMultiple(of: frame) else { return false }
    // The size of the database after the transaction; 0 in frames that do not end one.
    return number(at: end - frame + 4, in: log) != 0
  }

  /// A big-endian 32-bit number.
  private static func number(at offset: Int, in bytes: Data) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func state(of disk: VirtualDisk, in folder: URL) throws -> StoredState {
    try DiskImage(files: disk.current).write(to: folder)
    let found = try CheckedState(of: folder.appending(path: Site.fileName))
    guard found.problems.isEmpty else { throw Failure(problems: found.problems) }
    return found.state
  }

  private struct Failure: Error, CustomStringConvertible {
    let problems: [String]
    var description: String { "damaged without a power loss: \(problems.joined(separator: "; "))" }
  }
}
