extension SyncGeneratedModel {
  /// Does nothing, for a model whose only properties are its identity and its relationships.
  public mutating func apply(_ payload: SyncPayload) throws -> Bool { false }
}
