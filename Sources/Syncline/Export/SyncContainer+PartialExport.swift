import Foundation
import GRDB

/// Exports of parts of rows, for `PATCH` requests.
extension SyncContainer {
  /// Returns some properties of a row as JSON for an API, such as the body of a `PATCH` request.
  ///
  /// ```swift
  /// let body = try await container.export(task, only: [\.title, \.state])
  /// ```
  ///
  /// `@NotExport` properties are left out. Related rows are written completely, as in any export. If one of the properties is
  /// read from a list, such as a list of pairs or a row that is a list, all properties that are read from that list are
  /// written.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for unknown properties, ``SyncError/cancelled``,
  ///   or the database's error.
  public func export<Model: SyncGeneratedModel>(
    _ model: Model, only properties: [PartialKeyPath<Model> & Sendable], nulls: SyncExportNulls? = nil
  ) async throws -> SyncJSON {
    let positions = try SyncContainer.positions(of: properties)
    return try await readExport(of: Model.syncTable, nulls: nulls) { try $0.json(model, only: positions) }
  }

  /// Returns some properties of a row as JSON for an API. Blocks until related rows are read.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for unknown properties, or the database's error.
  public func export<Model: SyncGeneratedModel>(
    _ model: Model, only properties: [PartialKeyPath<Model> & Sendable], nulls: SyncExportNulls? = nil
  ) throws -> SyncJSON {
    let positions = try SyncContainer.positions(of: properties)
    return try blockingExport(of: Model.syncTable, nulls: nulls) { try $0.json(model, only: positions) }
  }

  /// Returns the properties of a row that differ from an earlier value of it, as JSON for an API; an empty
  /// object, or an empty list, if none differs.
  ///
  /// ```swift
  /// let body = try await container.export(edited, changedFrom: task)
  /// ```
  ///
  /// To-many relationships are not part of the value, and are not compared. A property that has become nil is written as null,
  /// even if the configuration leaves nulls out. If one of the properties is read from a list, such as a list of pairs or a row
  /// that is a list, all properties that are read from that list are written.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncGeneratedModel>(_ model: Model, changedFrom old: Model) async throws
    -> SyncJSON
  {
    let positions = try SyncContainer.differences(model, old)
    return try await readExport(of: Model.syncTable, nulls: nil) {
      try $0.json(model, only: positions, isChange: true)
    }
  }

  /// Returns the properties of a row that differ from an earlier value of it. Blocks until related rows are
  /// read.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncGeneratedModel>(_ model: Model, changedFrom old: Model) throws -> SyncJSON {
    let positions = try SyncContainer.differences(model, old)
    return try blockingExport(of: Model.syncTable, nulls: nil) {
      try $0.json(model, only: positions, isChange: true)
    }
  }

  private static func positions<Model: SyncGeneratedModel>(
    of properties: [PartialKeyPath<Model> & Sendable]
  ) throws -> Set<Int> {
    let table = Model.syncTable
    return Set(
      try properties.flatMap { path in
        guard let name = Model.syncPropertyName(path),
          case let positions = table.properties.indices.filter({ table.properties[$0].isCalled(name) }),
          !positions.isEmpty
        else {
          throw SyncError(.noProperty(path: "\(path)"), model: Model.databaseTableName)
        }
        return positions.flatMap(table.withOtherCases)
      })
  }

  private static func differences<Model: SyncGeneratedModel>(_ model: Model, _ old: Model) throws -> Set<Int>
  {
    let (new, former) = (try model.columnValues(), try old.columnValues())
    let changed = new.indices.filter { !new[$0].isStoredLike(former[$0]) }
    return Set(changed.flatMap(Model.syncTable.withOtherCases))
  }
}

extension SyncProperty {
  /// Whether the schema gives this name to the property, or to the union that it is a case of.
  fileprivate func isCalled(_ name: String) -> Bool { self.name == name || union?.property == name }
}

extension SyncExportContext {
  /// Some properties of a row as JSON.
  ///
  /// - Parameter isChange: whether these are the properties that have changed.
  fileprivate func json<Model: SyncGeneratedModel>(
    _ model: Model, only positions: Set<Int>, isChange: Bool = false
  ) throws -> SyncJSON {
    only = try table(of: Model.self).withSharedLists(positions, in: configuration.style)
    writesChanges = isChange
    return try json(model)
  }
}
