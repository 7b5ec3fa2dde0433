/// The order of a text's values in the payload. A text that was written from a part of the payload may be longer than that part, so
/// its offsets cannot be compared with offsets elsewhere. Its values are placed within the range of that part instead.
struct PayloadOrder {
  /// The distance between the places of two adjacent bytes of the payload, so that a text that is longer than its part fits in
  /// between.
  private static let unit = 1 << 20

  private var first = 0
  private var unit = PayloadOrder.unit

  /// The order of the payload's own bytes.
  init() {}

  /// The order of a text that was written from a part of the payload.
  ///
  /// - Parameters:
  ///   - offsets: those of the text.
  ///   - places: those of the part.
  init(_ offsets: Range<Int>, within places: Range<Int>) {
    unit = max(1, places.count / max(offsets.count, 1))
    first = places.lowerBound &- offsets.lowerBound &* unit
  }

  /// The place of an offset of the text. A value with a greater place comes later in the payload.
  @inline(__always)
  func place(of offset: Int) -> Int { first &+ offset &* unit }

  func places(of value: SyncValue) -> Range<Int> { place(of: value.node.offset)..<place(of: value.end) }
}
