extension SyncReport {
  /// The counts of a model.
  public subscript<Model: SyncModelable>(model: Model.Type) -> Counts {
    models[Model.databaseTableName] ?? Counts()
  }
}
