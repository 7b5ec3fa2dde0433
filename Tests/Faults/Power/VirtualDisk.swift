import Foundation

/// A folder on a disk that may lose power: the contents that programs see, and the durable part of them.
///
/// A write is durable after its file was synced. The creation or deletion of a name is durable after its folder was synced.
/// SQLite does this when it first syncs a new log or journal, and on request when it deletes a file.
struct VirtualDisk: Sendable {
  /// The contents of a file, independent of its name.
  struct Contents: Sendable {
    var certain: Data
    var current: Data
    var pending: [Pending<DiskEvent.Change>] = []
    /// Whether the first sync of the file syncs its folder.
    var syncsFolder = false
  }

  /// A change that a power loss may undo, with the number of its event.
  struct Pending<Change: Sendable>: Sendable {
    let event: Int
    let change: Change
  }

  /// A name in the folder, and the contents that it refers to; nil if it does not exist.
  struct Name: Sendable {
    var certain: Int?
    var pending: [Pending<Int?>] = []

    var current: Int? { pending.last.map(\.change) ?? certain }
  }

  private(set) var contents: [Contents]
  private(set) var names: [String: Name]
  /// The number of applied events.
  private(set) var events = 0

  /// Creates a disk on which the given files are durable.
  init(_ files: [String: Data]) {
    let files = files.sorted { $0.key < $1.key }
    contents = files.map { Contents(certain: $0.value, current: $0.value) }
    names = Dictionary(
      uniqueKeysWithValues: files.enumerated().map { ($0.element.key, Name(certain: $0.offset)) })
  }

  mutating func apply(_ event: DiskEvent) throws {
    defer { events += 1 }
    switch event.change {
    case .mark: break
    case .create:
      var new = Contents(certain: Data(), current: Data())
      new.syncsFolder = event.file.hasSuffix("-wal") || event.file.hasSuffix("-journal")
      contents.append(new)
      names[event.file, default: Name()].pending.append(Pending(event: events, change: contents.count - 1))
    case .delete(let syncsFolder):
      names[event.file, default: Name()].pending.append(Pending(event: events, change: nil))
      if syncsFolder { syncFolder() }
    case .write, .truncate:
      let index = try index(of: event.file)
      contents[index].pending.append(Pending(event: events, change: event.change))
      contents[index].current.apply(event.change)
    case .sync:
      let index = try index(of: event.file)
      contents[index].certain = contents[index].current
      contents[index].pending = []
      guard contents[index].syncsFolder else { return }
      contents[index].syncsFolder = false
      syncFolder()
    }
  }

  /// The files as programs see them.
  var current: [String: Data] {
    names.compactMapValues { name in name.current.map { contents[$0].current } }
  }

  /// The contents of a file as programs see it; empty if it does not exist.
  func bytes(of file: String) -> Data { names[file]?.current.map { contents[$0].current } ?? Data() }

  private func index(of file: String) throws -> Int {
    guard let index = names[file]?.current else { throw UnknownFile(name: file, event: events) }
    return index
  }

  private mutating func syncFolder() {
    names = names.compactMapValues { name in name.current.map { Name(certain: $0) } }
  }

  private struct UnknownFile: Error, CustomStringConvertible {
    let name: String
    let event: Int
    var description: String { "event \(event) is about \(name), which was never created" }
  }
}

extension Data {
  /// Writes or truncates like a file system: a write after the end fills the gap with zeros.
  mutating func apply(_ change: DiskEvent.Change) {
    switch change {
    case .write(let offset, let bytes): replace(at: offset, with: bytes)
    case .truncate(let size): resize(to: size)
    case .create, .delete, .sync, .mark: break
    }
  }

  mutating func replace(at offset: Int, with bytes: Data) {
    if count < offset + bytes.count { resize(to: offset + bytes.count) }
    replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  private mutating func resize(to size: Int) {
    if size < count { removeLast(count - size) } else { append(Data(count: size - count)) }
  }
}
