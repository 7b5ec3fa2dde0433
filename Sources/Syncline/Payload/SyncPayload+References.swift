/// Reading to-one relationships: the identity of the related row, from a foreign key or from the nested
/// object.
@_spi(Generated)
extension SyncPayload {
  /// The reference of an optional to-one relationship of a new row.
  public func reference<Model: SyncUpdatableModel>(to type: Model.Type, for key: SyncKey) -> Reference<Model>?
  {
    guard object.readsReferences || object.scopeParent(for: key) != nil,
      let reference = object.reference(to: type, for: key)
    else { return nil }
    // A link to a row that is not stored yet is left pending.
    guard let reader = object.settings.reader, object.scopeParent(for: key) == nil else { return reference }
    return reader.isStored(reference.id.syncIdentity, of: type) ? reference : nil
  }

  /// The reference of a required to-one relationship of a new row.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` when the payload does not identify a related row.
  public func requiredReference<Model: SyncUpdatableModel>(
    to type: Model.Type, for key: SyncKey
  ) throws -> Reference<Model> {
    if let reference = object.reference(to: type, for: key) { return reference }
    let missing = object.valueOfNoRow(at: key, of: Model.syncTable)
    let error = SyncError(
      object.problem(
        object.name(key), key: object.candidates(of: key).first?.text ?? "",
        missing.map { RowProblem.Reason.noRow(model: Model.syncTable.name, identity: $0.description) }
          ?? .noRowNamed))
    let provisional = object.table.flatMap {
      object.settings.reader?.provisionalTarget(of: key, in: $0, error)
    }
    guard let id = provisional.flatMap(Model.SyncID.init) else { throw error }
    return Reference(id: id)
  }
}

extension PayloadObject {
  fileprivate func reference<Model: SyncUpdatableModel>(
    to type: Model.Type, for key: SyncKey
  ) -> Reference<Model>? {
    target(of: key, in: Model.syncTable).flatMap(Model.SyncID.init).map { Reference(id: $0) }
  }
}
