import Foundation
import GRDB
import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming

/// A copy of an SQLite file's rows in a new store with the schema that is proposed for the file.
///
/// The rows are synced like a payload, so values that the schema cannot represent are reported in the same way.
package struct SQLiteCopy: Sendable {
  /// The numbers of the rows of a table, or of the links in a column or join table.
  package struct Count: Sendable, Equatable {
    package let source: String
    package let target: String
    package let found: Int
    package let copied: Int
  }

  package private(set) var counts: [Count] = []
  /// Descriptions of the first values and rows that could not be copied.
  package private(set) var problems: [String] = []
  package private(set) var problemCount = 0
  private static let problemLimit = 20

  /// Whether all rows and links were copied and all values could be read.
  package var isComplete: Bool { problemCount == 0 && counts.allSatisfy { $0.found == $0.copied } }

  /// Copies the rows of a file, which is opened read-only.
  ///
  /// - Parameters:
  ///   - path: the path of the SQLite file.
  ///   - store: the file of the new store. If the copy throws, it is removed.
  /// - Throws: ``Failure/storeExists`` if the file exists already, or the error of SQLite or of the store.
  package init(of path: String, to store: URL) async throws {
    guard !FileManager.default.fileExists(atPath: store.path) else { throw Failure.storeExists }
    do {
      try await copy(path, to: store)
    } catch {
      for ending in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: store.path + ending)
      }
      throw error
    }
  }

  package enum Failure: Error {
    case storeExists
    /// The proposed schema has the described error.
    case invalidSchema(String)
  }

  private mutating func copy(_ path: String, to store: URL) async throws {
    let proposal = try SQLiteImport(path)
    let source = proposal.source
    let file = SourceFile(path: "Import.syncline", text: proposal.text)
    let analysis = CompilerPipeline.analyse(CompilerInput(target: "Schema", files: [file]))
    guard let schema = analysis.schema else {
      throw Failure.invalidSchema(analysis.diagnostics.first?.message ?? "")
    }
    for column in proposal.columnsLeftOut { addProblem("Left out: the column \(column).") }
    let models = InterpretedSchema(schema)
    var configuration = SyncConfiguration()
    configuration.invalidRows = .skip
    let container = try SyncContainer(
      models: models.models, isWhole: true, storage: .file(store), configuration: configuration,
      recoverOnFailure: false)
    do {
      try await fill(container, models, with: proposal, from: source)
      counts = try source.snapshot { source in
        try container.database.snapshot { try proposal.counts(of: schema, in: source, copiedTo: $0) }
      }
      try await container.checkpoint()
    } catch {
      // If the connection were closed after the files are removed, it could remove the WAL of a new store with that name.
      try? container.database.close()
      throw error
    }
    // Close it here, because the caller may move the file immediately.
    try container.database.close()
  }

  private mutating func fill(
    _ container: SyncContainer, _ models: InterpretedSchema, with proposal: SQLiteImport,
    from source: DatabaseQueue
  ) async throws {
    for table in proposal.tablesInOrder {
      guard let index = proposal.models[table.name.lowercased()],
        let model = models.model(proposal.draft.declarations[index].name)
      else { continue }
      let links = try source.snapshot { try proposal.links(from: index, in: $0) }
      for (column, count) in try source.snapshot({ try table.invalidStrings(in: $0) }) {
        let strings = count == 1 ? "A string is" : "\(count) strings are"
        addProblem("\(table.name).\(column): \(strings) not UTF-8. Invalid bytes are replaced.", count: count)
      }
      let rows = SQLiteRows(of: table, in: proposal, links)
      var last: [DatabaseValue]?
      repeat {
        let place = last
        let (objects, next) = try source.snapshot { try rows.next(after: place, in: $0) }
        last = next
        if !objects.isEmpty, let report = try await synced(objects, as: model, in: container) {
          problemCount += report.problemCount
          problems += report.problems.prefix(SQLiteCopy.problemLimit - problems.count).map(\.description)
          let name = proposal.draft.declarations[index].name
          addMerged(report.models[name]?.merged ?? 0, of: table.name)
        }
      } while last != nil
    }
  }

  /// Syncs rows. If none can be synced, records a problem and returns nil, and the other tables are still copied.
  private mutating func synced<Model: SyncUpdatableModel>(
    _ rows: [SyncJSON], as model: Model.Type, in container: SyncContainer
  ) async throws -> SyncReport? {
    do {
      return try await container.sync(
        payload: SyncJSON.array(rows), as: model, deletionPolicy: DeletionPolicy.none)
    } catch let error as SyncError {
      guard case .invalidPayload = error else { throw error }
      addProblem(error.description, count: rows.count)
      return nil
    }
  }

  private mutating func addMerged(_ count: Int, of table: String) {
    guard count > 0 else { return }
    let (rows, end) = count == 1 ? ("A row has", "was") : ("\(count) rows have", "were")
    addProblem("\(rows) the same identity as another row of \(table), and \(end) merged with it.")
  }

  private mutating func addProblem(_ text: String, count: Int = 1) {
    problemCount += count
    if problems.count < SQLiteCopy.problemLimit { problems.append(text) }
  }
}

extension SQLiteTable {
  /// The columns with strings that are not UTF-8, whose invalid bytes GRDB replaces, and the number of these strings.
  fileprivate func invalidStrings(in database: Database) throws -> [(column: String, count: Int)] {
    guard try String.fetchOne(database, sql: "PRAGMA encoding") == "UTF-8" else { return [] }
    let isUTF8 = DatabaseFunction("is_utf8", argumentCount: 1, pure: true) { values in
      Data.fromDatabaseValue(values[0]).map { String(data: $0, encoding: .utf8) != nil }
    }
    database.add(function: isUTF8)
    let counts = columns.map { column in
      let name = SQLiteTable.quoted(column.name)
      return "coalesce(sum(typeof(\(name)) = 'text' AND NOT is_utf8(CAST(\(name) AS BLOB))), 0)"
    }
    let sql = "SELECT \(counts.joined(separator: ", ")) FROM \(SQLiteTable.quoted(name))"
    guard let row = try Row.fetchOne(database, sql: sql) else { return [] }
    return columns.indices.map { (columns[$0].name, row[$0]) }.filter { $0.count > 0 }
  }
}

extension SQLiteImport {
  /// The columns of models that no property reads, such as one of two columns that differ only in the style of their names.
  fileprivate var columnsLeftOut: [String] {
    tablesInOrder.flatMap { table in
      let properties = models[table.name.lowercased()].map { draft.declarations[$0].properties } ?? []
      let keys = Set(properties.compactMap(\.key))
      return table.columns.map(\.name).filter { !keys.contains(SQLiteImport.key(of: $0)) }
        .map { "\(table.name).\($0)" }
    }
  }

  /// The tables of models. Each follows the tables that its rows require, unless they form a cycle.
  var tablesInOrder: [SQLiteTable] {
    var rest = tables.filter { models[$0.name.lowercased()] != nil }
    var result: [SQLiteTable] = []
    var done: Set<Int> = []
    while !rest.isEmpty {
      // In a cycle, the tables keep their order. Rows without a required row are then skipped and reported.
      let place = rest.firstIndex { requiredModels(of: $0).isSubset(of: done) } ?? 0
      let table = rest.remove(at: place)
      if let index = models[table.name.lowercased()] { done.insert(index) }
      result.append(table)
    }
    return result
  }

  private func requiredModels(of table: SQLiteTable) -> Set<Int> {
    guard let index = models[table.name.lowercased()] else { return [] }
    let required = draft.declarations[index].properties.filter { !$0.isOptional && $0.key != nil }
    return Set(required.compactMap(\.type.declaration)).subtracting([index])
  }

  /// The rows of the join tables whose first end is the model.
  fileprivate func links(from model: Int, in database: Database) throws -> [SQLiteRows.Links] {
    try tables.compactMap { table in
      guard let columns = linkColumns(of: table), let link = link(of: table), link.model == model,
        let target = link.list.type.declaration
      else { return nil }
      let form = identityForm(of: target)
      var identities: [DatabaseValue: [SyncJSON]] = [:]
      let rows = try Row.fetchCursor(
        database, sql: SQLiteImport.pairs(of: table, columns.first, columns.second))
      while let row = try rows.next() {
        let (owner, other): (DatabaseValue, DatabaseValue) = (row[0], row[1])
        identities[owner, default: []].append(SQLiteRows.json(other, form))
      }
      return SQLiteRows.Links(
        key: KeyCandidates.toManyKey(link.list.name, style: .snakeCase), identities: identities)
    }
  }

  /// The SQL that selects the distinct links of a join table.
  static func pairs(of table: SQLiteTable, _ first: String, _ second: String) -> String {
    let values = [first, second].map(SQLiteRows.expression).joined(separator: ", ")
    let (first, second) = (SQLiteTable.quoted(first), SQLiteTable.quoted(second))
    return """
      SELECT DISTINCT \(values) FROM \(SQLiteTable.quoted(table.name))
      WHERE \(first) IS NOT NULL AND \(second) IS NOT NULL
      """
  }
}
