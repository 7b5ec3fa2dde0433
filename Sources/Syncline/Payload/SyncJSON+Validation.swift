extension SyncJSON {
  /// Checks that a payload is valid JSON, without creating values from it. Each line of ``SyncLines`` must be valid.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` with the position of the error.
  public static func validate(_ payload: some SyncPayloadSource) throws {
    let payload = try payload.syncPayloadBytes()
    try payload.withUnsafeBytes { bytes in
      do throws(JSONError) {
        var scanner = try JSONDocument.scanner(JSONDocument.pointer(bytes), count: bytes.count)
        if payload.isLines, scanner.peek() == nil { return }
        while true {
          // As in a sync, a line is an element of a list. So lines may be nested one level less.
          try scanner.scanValue(onto: nil, outerDepth: payload.isLines ? 1 : 0)
          guard payload.isLines, try scanner.moveToNextElement(isLines: true) else { break }
        }
        try scanner.expectEnd()
      } catch {
        throw SyncError(error)
      }
    }
  }
}
