import Foundation

/// Nested objects of one model that say what is stored of their rows. Where one comes again, byte by byte, as the author of
/// many posts does, there is nothing to look up.
struct SeenObjects {
  private struct Entry {
    let text: UnsafeBufferPointer<UInt8>
    let identity: SyncIdentity
    /// How often rows of the model had been written.
    let writeCount: Int
  }

  private var entries: [UInt64: Entry] = [:]
  /// How many objects are remembered.
  private static let limit = 4_096
  /// How many bytes of an object it is looked for by.
  private static let hashedBytes = 128

  /// The row of an object, where it was seen since rows of the model were written.
  fileprivate func identity(of text: UnsafeBufferPointer<UInt8>, writeCount: Int) -> SyncIdentity? {
    guard !entries.isEmpty, let entry = entries[SeenObjects.hash(text)], entry.writeCount == writeCount,
      entry.text.count == text.count, let old = entry.text.baseAddress, let new = text.baseAddress,
      memcmp(old, new, text.count) == 0
    else { return nil }
    return entry.identity
  }

  fileprivate mutating func insert(
    _ text: UnsafeBufferPointer<UInt8>, _ identity: SyncIdentity, writeCount: Int
  ) {
    let entry = Entry(text: text, identity: identity, writeCount: writeCount)
    let hash = SeenObjects.hash(text)
    if entries.count < SeenObjects.limit || entries[hash] != nil { entries[hash] = entry }
  }

  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let hash = SyncIdentity.hash(
      of: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text).prefix(hashedBytes)))
    return hash ^ UInt64(truncatingIfNeeded: text.count)
  }
}

extension ModelRows {
  /// The row of an object that says what is stored of it, and was met before, without more being read of it; nil where it
  /// has to be looked at.
  func seenRow(_ object: SyncValue) -> SyncIdentity? {
    guard run.remembersObjects, run.incomplete.isEmpty, run.refused.isEmpty,
      let identity = seenObjects.identity(of: object.content, writeCount: journal.writeCount),
      table.isFlat || !run.pending.mayConcern(self),
      !table.isMerged || !unstamped.contains(RowKey(identity: identity), .named)
    else { return nil }
    return identity
  }

  /// Remembers an object that says what is stored of its row.
  func noteSeen(_ object: PayloadObject, _ row: RowKey) {
    guard object.level > 1, run.remembersObjects, object.scope == nil, object.givenIdentity == nil,
      object.isAlone,
      table.parentScope == nil
    else { return }
    seenObjects.insert(object.value.content, row.identity, writeCount: journal.writeCount)
  }
}
