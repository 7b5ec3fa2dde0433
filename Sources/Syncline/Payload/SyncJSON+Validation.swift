extension SyncJSON {
  /// Checks that a payload is valid JSON, without creating values from it.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` with the position of the error.
  public static func validate(_ payload: some SyncPayloadSource) throws {
    try payload.syncPayloadBytes().withUnsafeBytes { bytes in
      do throws(JSONError) {
        var scanner = try JSONDocument.scanner(JSONDocument.pointer(bytes), count: bytes.count)
        try scanner.scanValue(onto: nil)
        try scanner.expectEnd()
      } catch {
        throw SyncError(error)
      }
    }
  }
}
