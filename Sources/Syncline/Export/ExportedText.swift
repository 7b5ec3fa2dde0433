import Foundation

/// The text of an export in memory, held once: it grows where it is, and is handed over as it is.
final class ExportedText {
  private var base: UnsafeMutableRawPointer?
  private var count = 0
  private var capacity = 0

  deinit { free(base) }

  /// - Throws: an error of the system when there is no memory.
  func append(_ part: UnsafeRawBufferPointer) throws {
    guard let source = part.baseAddress else { return }
    let (needed, isTooLong) = count.addingReportingOverflow(part.count)
    if isTooLong { throw POSIXError(.ENOMEM) }
    if needed > capacity {
      // What is not written to yet takes no memory, and the system moves pages rather than bytes.
      try resize(to: max(needed, capacity + capacity / 2))
    }
    base?.advanced(by: count).copyMemory(from: source, byteCount: part.count)
    count = needed
  }

  /// The text, which is not here any more.
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
