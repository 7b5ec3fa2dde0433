import Foundation
import GRDB

/// Parts of rows, as a `PATCH` takes them.
extension SyncContainer {
  /// Some properties of a row as JSON that an API takes: what a `PATCH` of it sends.
  ///
  /// ```swift
  /// let body = try await container.export(task, only: [\.title, \.state])
  /// ```
  ///
  /// What is `@NotExport` is left out. Related rows are written whole, as in any export.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for unknown properties, ``SyncError/cancelled``,
  ///   or the database's error.
  public func export<Model: SyncGeneratedModel>(
    _ model: Model, only properties: [PartialKeyPath<Model> & Sendable]
  ) async throws -> SyncJSON {
    let positions = try SyncContainer.positions(of: properties)
    return try await readExport { try $0.json(model, only: positions) }
  }

  /// Some properties of a row as JSON that an API takes. Blocks until related rows are read.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for unknown properties, or the database's error.
  public func export<Model: SyncGeneratedModel>(
    _ model: Model, only properties: [PartialKeyPath<Model> & Sendable]
  ) throws -> SyncJSON {
    let positions = try SyncContainer.positions(of: properties)
    return try blockingExport { try $0.json(model, only: positions) }
  }

  /// What a row has that another value of it has not, as JSON that an API takes: an empty object where they are the same.
  ///
  /// ```swift
  /// let body = try await container.export(edited, changedFrom: task)
  /// ```
  ///
  /// Lists of other rows are no part of a value, and are not compared.
  ///
  /// - Throws: ``SyncError/cancelled``, or the database's error.
  public func export<Model: SyncGeneratedModel>(_ model: Model, changedFrom old: Model) async throws
    -> SyncJSON
  {
    let positions = try SyncContainer.differences(model, old)
    return try await readExport { try $0.json(model, only: positions) }
  }

  /// What a row has that another value of it has not. Blocks until related rows are read.
  ///
  /// - Throws: the database's error.
  public func export<Model: SyncGeneratedModel>(_ model: Model, changedFrom old: Model) throws -> SyncJSON {
    let positions = try SyncContainer.differences(model, old)
    return try blockingExport { try $0.json(model, only: positions) }
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
  /// Whether it is what the schema calls by a name, or one case of that.
  fileprivate func isCalled(_ name: String) -> Bool { self.name == name || union?.property == name }
}

extension SyncTable {
  /// A property, and where it is one case of a union, those of the others and of the type: they are written as one value.
  func withOtherCases(_ position: Int) -> [Int] {
    guard let gate = unionGates[position] ?? unionTypes[position]?.gate else { return [position] }
    return gate.positions + [gate.typePosition].compactMap(\.self)
  }
}

extension SyncExportContext {
  /// Some properties of a row as JSON.
  fileprivate func json<Model: SyncGeneratedModel>(_ model: Model, only positions: Set<Int>) throws
    -> SyncJSON
  {
    only = positions
    return try json(model)
  }
}
