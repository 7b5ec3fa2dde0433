import Foundation

/// The text of an export in memory, held once: it grows in place, and is returned without a copy.
final class ExportedText {
  private var base: UnsafeMutableRawPointer?
  private var count = 0
  private var capacity = 0

  deinit { free(base) }

  /// - Throws: a system error if there is no memory.
  func append(_ part: UnsafeRawBufferPointer) throws {
    guard let source = part.baseAddress else { return }
    let (needed, isTooLong) = count.addingReportingOverflow(part.count)
    if isTooLong { throw POSIXError(.ENOMEM) }
    if needed > capacity {
      // Unused capacity takes no memory, and the system moves pages, not bytes.
      try resize(to: max(needed, capacity + capacity / 2))
    }
    base?.advanced(by: count).copyMemory(from: source, byteCount: part.count)
    count = needed
  }

  /// Returns the text, and removes it from here.
  func takeData() -> Data {
    guard count > 0 else { return Data() }
    try? resize(to: count)
    guard let base else { return Data() }
    defer { (self.base, count, capacity) = (nil, 0, 0) }
    return Data(bytesNoCopy: base, count: count, deallocator: .free)
  }

  private func resize(to size: Int) throws {
    guard let resized = realloc(base, size) else { throw POSIXError(.ENOMEM) }
    (base, capacity) = (resized, size)
  }
}
