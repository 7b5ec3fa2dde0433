import Foundation

/// Nested objects of one model that equal their stored rows. If the same bytes occur again, as the author of many posts does, no
/// lookup is needed.
struct SeenObjects {
  private var entries: [UInt64: (text: UnsafeBufferPointer<UInt8>, identity: SyncIdentity)] = [:]
  /// How often rows of the model had been written when the objects were seen.
  private var writeCount = 0
  private static let limit = 4_096
  private static let hashedBytes = 128

  /// The row of an object, if it was seen and no row of the model was written since.
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
    entries[hash] = (text, identity)
  }

  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let hash = SyncIdentity.hash(
      of: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text).prefix(hashedBytes)))
    return hash ^ UInt64(truncatingIfNeeded: text.count)
  }
}
