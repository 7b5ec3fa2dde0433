import Foundation

/// Exports as JSON text, which is written from the columns without creating models. Use them to send many rows.
extension SyncContainer {
  /// Returns all rows of a model as the text of a JSON array, ordered by `@Position` or identity.
  ///
  /// ```swift
  /// request.httpBody = try await container.exportData(as: Task.self)
  /// ```
  ///
  /// The whole text is held in memory, once. For a large text, use ``exportData(as:nulls:to:)`` or ``exportChunks(as:nulls:)``.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func exportData<Model: SyncUpdatableModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) async throws -> Data {
    try await readExport(of: Model.syncTable, nulls: nulls) { try $0.data(model) }
  }

  /// Returns all rows of a model as the text of a JSON array. Blocks until they are read.
  ///
  /// - Throws: the database's error.
  public func exportData<Model: SyncUpdatableModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) throws -> Data {
    try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.data(model) }
  }

  /// Returns the rows of one parent as the text of a JSON array, ordered by `@Position` or identity.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the key path is not a stored relationship of the model,
  ///   ``SyncError/cancelled``, or the database's error.
  public func exportData<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) async throws -> Data {
    let scope = try parentScope(relationship, parent)
    return try await readExport(of: Model.syncTable, nulls: nulls) { try $0.data(model, parent: scope) }
  }

  /// Returns the rows of one parent as the text of a JSON array. Blocks until they are read.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the key path is not a stored relationship of the model, or the
  ///   database's error.
  public func exportData<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) throws -> Data {
    let scope = try parentScope(relationship, parent)
    return try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.data(model, parent: scope) }
  }

  // MARK: Files

  /// Writes all rows of a model to a file, as the text of a JSON array, ordered by `@Position` or identity.
  ///
  /// The text is written to a hidden file in the same folder, which is renamed when it is complete. So after an error, a
  /// cancellation or a crash, the previous file is unchanged. A file that is replaced keeps its mode, and a symbolic link stays:
  /// its target is replaced. A device or a pipe is written directly. Memory does not grow with the number of rows.
  ///
  /// - Throws: ``SyncError/cancelled``, the file system's error, or the database's.
  public func exportData<Model: SyncUpdatableModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil, to file: URL
  ) async throws {
    try await readExport(of: Model.syncTable, nulls: nulls) { context in
      try ExportFile.replace(file) { try context.write(model, to: $0) }
    }
  }

  /// Writes the rows of one parent to a file, as the text of a JSON array, ordered by `@Position` or identity.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the key path is not a stored relationship of the model, and the
  ///   errors of ``exportData(as:nulls:to:)``.
  public func exportData<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil, to file: URL
  ) async throws {
    let scope = try parentScope(relationship, parent)
    try await readExport(of: Model.syncTable, nulls: nulls) { context in
      try ExportFile.replace(file) { try context.write(model, parent: scope, to: $0) }
    }
  }

  // MARK: Chunks

  /// Returns all rows of a model as the text of a JSON array, in chunks of up to 256 KiB, ordered by `@Position` or identity.
  ///
  /// The first chunk writes the export to a temporary file. So no read of the store stays open while you send the others, and memory
  /// does not grow with the number of rows. Iterating throws ``SyncError/cancelled``, the file system's error, or the database's.
  ///
  /// ```swift
  /// for try await chunk in container.exportChunks(as: Task.self) { try await upload.write(chunk) }
  /// ```
  public func exportChunks<Model: SyncUpdatableModel>(
    as model: Model.Type, nulls: SyncExportNulls? = nil
  ) -> SyncExportChunks {
    SyncExportChunks(container: self, table: Model.syncTable, nulls: nulls) { try $0.write(model, to: $1) }
  }

  /// Returns the rows of one parent as the text of a JSON array, in chunks of up to 256 KiB.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the key path is not a stored relationship of the model.
  public func exportChunks<Model: SyncUpdatableModel, Link: SyncParentLink>(
    as model: Model.Type, parent: Link.Parent.SyncID, relationship: KeyPath<Model, Link>,
    nulls: SyncExportNulls? = nil
  ) throws -> SyncExportChunks {
    let scope = try parentScope(relationship, parent)
    return SyncExportChunks(container: self, table: Model.syncTable, nulls: nulls) {
      try $0.write(model, parent: scope, to: $1)
    }
  }
}

extension SyncExportContext {
  func rows<Model: SyncUpdatableModel>(
    _ model: Model.Type, parent: ParentScope? = nil
  ) throws -> [SyncJSON] {
    var rows: [SyncJSON] = []
    try all(model, parent: parent) { rows.append($0) }
    return rows
  }

  func data<Model: SyncUpdatableModel>(_ model: Model.Type, parent: ParentScope? = nil) throws -> Data {
    let text = ExportedText()
    try write(model, parent: parent) { try text.append($0) }
    return text.takeData()
  }
}
