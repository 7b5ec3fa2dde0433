internal import SynclineBytes

extension JSONScanner {
  /// Moves behind the end of the containers that the cursor stands in, without validating what it passes over; of what is
  /// no JSON, anywhere.
  ///
  /// - Parameter depth: how many containers end.
  /// - Returns: whether they do.
  mutating func skipToEnd(ofContainers depth: Int) -> Bool {
    let next = syncline_skip(bytes, offset, end, depth)
    offset = next < 0 ? end : next
    return next >= 0
  }
}
