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
  func identity(of text: UnsafeBufferPointer<UInt8>, writeCount: Int) -> SyncIdentity? {
    guard self.writeCount == writeCount, !entries.isEmpty, let entry = entries[SeenObjects.hash(text)],
      entry.text.count == text.count, let old = entry.text.baseAddress, let new = text.baseAddress,
      memcmp(old, new, text.count) == 0
    else { return nil }
    return entry.identity
  }

  mutating func insert(
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
