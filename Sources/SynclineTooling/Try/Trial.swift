import Foundation
import Syncline
import SynclineInterpreter

/// The result of syncing a payload into a temporary store with the runtime.
package struct Trial: Encodable, Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case rows, item, jsonAPI, lines
  }

  package enum Rows: Sendable {
    case model(any SyncUpdatableModel.Type)
    case union(any SyncUnion.Type)
  }

  /// The rows of one model that were stored.
  package struct Table: Encodable, Sendable {
    package let model: String
    package let rows: Int
    package let columns: [String]
    /// The first rows, with values as SQLite prints them.
    package let values: [[String]]
  }

  /// A property and the key that it was read from.
  package struct Reading: Encodable, Sendable {
    package let model: String
    package let key: String
    package let property: String
    package let type: String
    package let rows: Int
  }

  /// The error with which the sync failed. The other results then come from a second sync that skips the rejected rows.
  package private(set) var refusal: String?
  /// The error of the second sync, if it also fails.
  package private(set) var failure: String?
  package private(set) var report = SyncReport()
  package private(set) var readings: [Reading] = []
  package private(set) var tables: [Table] = []

  /// Whether the sync succeeded and all values could be read.
  package var isClean: Bool { refusal == nil && report.problems.isEmpty }

  /// Syncs a payload. Rows without a path may also be one per line.
  package init(
    of payload: [UInt8], at path: String? = nil, _ form: Form = .rows, as rows: Rows,
    in schema: InterpretedSchema, _ configuration: SyncConfiguration, rowLimit: Int = 5
  ) async throws {
    let form = form == .rows && path == nil && SampleRows.isOfLines(payload) ? .lines : form
    var configuration = configuration
    configuration.unreadKeys = .first(rows: .max)
    var container = try Trial.container(schema, configuration)
    do {
      report = try await Trial.sync(payload, at: path, form, as: rows, in: container)
    } catch {
      refusal = "\(error)"
      configuration.invalidRows = .skip
      container = try Trial.container(schema, configuration)
      do {
        report = try await Trial.sync(payload, at: path, form, as: rows, in: container)
      } catch {
        failure = "\(error)"
      }
    }
    readings = (report.unreadKeys?.reads.all ?? []).map { read in
      Reading(
        model: read.model, key: read.source.key, property: read.source.property,
        type: schema.type(of: read.source.property, in: read.model) ?? "", rows: read.rows)
    }
    tables = try await container.database.read { database in
      try schema.models.compactMap { try Table(of: $0.databaseTableName, rowLimit, in: database) }
    }
  }

  private static func container(
    _ schema: InterpretedSchema, _ configuration: SyncConfiguration
  ) throws -> SyncContainer {
    try SyncContainer(
      models: schema.models, isWhole: true, storage: .inMemory, configuration: configuration,
      recoverOnFailure: false)
  }

  private static func sync(
    _ payload: [UInt8], at path: String?, _ form: Form, as rows: Rows, in container: SyncContainer
  ) async throws -> SyncReport {
    switch rows {
    case .model(let model): try await syncRows(payload, at: path, form, as: model, in: container)
    case .union(let union): try await syncRows(payload, at: path, form, of: union, in: container)
    }
  }

  private static func syncRows<Model: SyncUpdatableModel>(
    _ payload: [UInt8], at path: String?, _ form: Form, as model: Model.Type, in container: SyncContainer
  ) async throws -> SyncReport {
    switch form {
    case .rows: try await container.sync(payload: payload, at: path, as: model)
    case .item: try await container.sync(item: payload, at: path, as: model)
    case .jsonAPI: try await container.sync(payload: SyncDocument(Data(payload)), at: path, as: model)
    case .lines: try await container.sync(payload: SyncLines(Data(payload)), as: model)
    }
  }

  private static func syncRows<Union: SyncUnion>(
    _ payload: [UInt8], at path: String?, _ form: Form, of union: Union.Type, in container: SyncContainer
  ) async throws -> SyncReport {
    switch form {
    case .rows: try await container.sync(payload: payload, at: path, as: union)
    case .item: try await container.sync(item: payload, at: path, as: union)
    // The types of the resources determine their models.
    case .jsonAPI: try await container.sync(jsonAPI: payload)
    case .lines: try await container.sync(payload: SyncLines(Data(payload)), as: union)
    }
  }
}

extension Trial.Table {
  /// The rows of a table; nil if it is empty.
  fileprivate init?(of name: String, _ limit: Int, in database: Database) throws {
    let table = name.quotedDatabaseIdentifier
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
    guard count > 0 else { return nil }
    let columns = try database.columns(in: name).map(\.name)
    let quoted = columns.map { "quote(\($0.quotedDatabaseIdentifier))" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      database, sql: "SELECT \(quoted) FROM \(table) ORDER BY \(columns[0].quotedDatabaseIdentifier) LIMIT ?",
      arguments: [limit])
    self.init(
      model: name, rows: count, columns: columns,
      values: rows.map { row in columns.indices.map { row[$0] ?? "" } })
  }
}
