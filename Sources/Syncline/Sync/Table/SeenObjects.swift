import Foundation

/// Nested objects of one model that say what is stored of their rows. Where one comes again, byte by byte, as the author of
/// many posts does, there is nothing to look up.
struct SeenObjects {
  private struct Entry {
    let text: UnsafeBufferPointer<UInt8>
    let identity: SyncIdentity
  }

  private var entries: [UInt64: Entry] = [:]
  /// How often rows of the model had been written when they were seen.
  private var writeCount = 0
  /// How many objects are remembered.
  private static let limit = 4_096
  /// How many bytes of an object it is looked for by.
  private static let hashedBytes = 128

  /// The row of an object, where it was seen since rows of the model were written.
  fileprivate func identity(of text: UnsafeBufferPointer<UInt8>, writeCount: Int) -> SyncIdentity? {
    guard self.writeCount == writeCount, !entries.isEmpty, let entry = entries[SeenObjects.hash(text)],
      entry.text.count == text.count, let old = entry.text.baseAddress, let new = text.baseAddress,
      memcmp(old, new, text.count) == 0
    else { return nil }
    return entry.identity
  }

  fileprivate mutating func insert(
    _ text: UnsafeBufferPointer<UInt8>, _ identity: SyncIdentity, writeCount: Int
  ) {
    if self.writeCount != writeCount { (entries, self.writeCount) = ([:], writeCount) }
    let hash = SeenObjects.hash(text)
    guard entries.count < SeenObjects.limit || entries[hash] != nil else { return }
    entries[hash] = Entry(text: text, identity: identity)
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
    guard run.remembersObjects,
      let identity = seenObjects.identity(of: object.content, writeCount: journal.writeCount),
      table.isFlat || !mayWait
    else { return nil }
    let row = RowKey(identity: identity)
    // What else the payload said of the row may take another object to make up for.
    guard !notes.setAside.contains(row, .named), !table.isMerged || !notes.unstamped.contains(row, .named)
    else { return nil }
    return identity
  }

  /// Remembers an object that says what is stored of its row, by its bytes in the payload. One with rows nested in it may say something of them.
  func noteSeen(_ object: PayloadObject, _ row: RowKey) {
    guard object.level > 1, run.remembersObjects, object.scope == nil, object.givenIdentity == nil,
      object.isAlone, !object.tape.isOwner, table.parentScope == nil, !table.isComposite,
      table.isFlat || !object.hasNestedRows
    else { return }
    seenObjects.insert(object.value.content, row.identity, writeCount: journal.writeCount)
  }
}
