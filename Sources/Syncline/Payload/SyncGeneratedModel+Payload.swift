extension SyncGeneratedModel {
  /// Does nothing, for a model that has no values besides its identity and its relationships.
  public mutating func apply(_ payload: SyncPayload) throws -> Bool { false }
}
