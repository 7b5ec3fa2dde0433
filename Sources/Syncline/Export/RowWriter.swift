import GRDB
import GRDBSQLite

/// Writes rows as JSON text by the plans of their tables.
final class RowWriter {
  private let context: SyncExportContext
  private var plans: [ObjectIdentifier: ExportPlan?] = [:]
  private var statements: [StatementKey: ReadStatement] = [:]
  /// The keys around an identity that stands for its row; nil for identities that are not exported.
  private var references: [ObjectIdentifier: (start: [UInt8], end: [UInt8])?] = [:]

  /// Rows of one relationship are read while those around them are: each level has a statement of its own.
  private struct StatementKey: Hashable {
    let table: ObjectIdentifier
    let position: Int
    let level: Int
  }

  init(_ context: SyncExportContext) {
    self.context = context
  }

  /// Whether the rows of a table, and all that are written inside of them, have plans.
  func canWrite(_ table: SyncTable) throws -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var rest = [table]
    while let table = rest.popLast() {
      guard seen.insert(ObjectIdentifier(table)).inserted else { continue }
      guard let plan = plan(table) else { return false }
      for part in plan.parts {
        switch part {
        case .object(let position), .objects(let position), .identities(let position):
          // A plan has all its keys; a list that would contradict is left out.
          guard try !context.waiting.hasContradictions(table, position),
            let related = table.properties[position].related
          else { return false }
          if case .identities = part { continue }
          rest.append(try context.table(of: related))
        case .text, .column, .columnBeside, .key: break
        }
      }
    }
    return true
  }

  private func plan(_ table: SyncTable) -> ExportPlan? {
    if let known = plans[ObjectIdentifier(table)] { return known }
    let plan = ExportPlan(table, context.configuration)
    plans[ObjectIdentifier(table)] = plan
    return plan
  }

  // MARK: Lists

  /// The elements of a list, among which are the keys that wait, in the order of the identities.
  private struct List {
    private var waiting: ArraySlice<SyncIdentity>
    private var isEmpty = true

    init(waiting: [SyncIdentity]) {
      self.waiting = waiting[...]
    }

    /// Goes on to the element of an identity, which is read where anything waits.
    mutating func startElement(_ identity: () -> SyncIdentity?, _ output: inout JSONWriter) throws {
      if !waiting.isEmpty, let identity = identity() {
        while let key = waiting.first, key < identity {
          waiting.removeFirst()
          try write(key, &output)
        }
        // A row of that identity is there by now.
        if waiting.first == identity { waiting.removeFirst() }
      }
      try separate(&output)
    }

    mutating func end(_ output: inout JSONWriter) throws {
      for key in waiting { try write(key, &output) }
      if isEmpty { output.write(byte: UInt8(ascii: "[")) }
      output.write(byte: UInt8(ascii: "]"))
    }

    private mutating func write(_ key: SyncIdentity, _ output: inout JSONWriter) throws {
      try separate(&output)
      try output.write(key.json)
    }

    private mutating func separate(_ output: inout JSONWriter) throws {
      output.write(byte: isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      isEmpty = false
      try output.drainIfFull()
    }
  }

  /// Writes all rows of a statement, whose columns are the table's, as a list.
  func writeAll(_ table: SyncTable, _ statement: ReadStatement, to output: inout JSONWriter) throws {
    try writeList(table, statement, by: nil, waiting: [], to: &output)
  }

  private func writeList(
    _ table: SyncTable, _ statement: ReadStatement, by link: SyncExportContext.Link?, waiting: [SyncIdentity],
    to output: inout JSONWriter
  ) throws {
    var list = List(waiting: waiting)
    while try statement.step() {
      try list.startElement({ SyncIdentity(statement.column(table.identity)) }, &output)
      try writeRow(table, statement, by: link, to: &output)
    }
    try list.end(&output)
  }

  private func writeReferences(
    _ identities: [SyncIdentity], _ table: SyncTable, waiting: [SyncIdentity], to output: inout JSONWriter
  ) throws {
    var list = List(waiting: waiting)
    for identity in identities {
      try list.startElement({ identity }, &output)
      try writeReference(to: identity, table, to: &output)
    }
    try list.end(&output)
  }

  /// Writes what stands for a row that is not written whole, as ``SyncExportContext/reference(to:_:)`` makes it.
  private func writeReference(
    to identity: SyncIdentity, _ table: SyncTable, to output: inout JSONWriter
  ) throws {
    let around = references[ObjectIdentifier(table)] ?? makeReference(table)
    guard let around else { return output.writeNull() }
    output.write(around.start)
    try output.write(identity.json)
    output.write(around.end)
  }

  private func makeReference(_ table: SyncTable) -> (start: [UInt8], end: [UInt8])? {
    var around: (start: [UInt8], end: [UInt8])?
    if let key = table.exportKey(of: table.identity, context.configuration.keyStyle) {
      let path = SyncObjectWriter.path(key)
      var start = JSONWriter()
      for component in path {
        start.write(byte: UInt8(ascii: "{"))
        start.write(string: component)
        start.write(byte: UInt8(ascii: ":"))
      }
      around = (start.bytes, Array(repeating: UInt8(ascii: "}"), count: path.count))
    }
    references[ObjectIdentifier(table)] = .some(around)
    return around
  }

  // MARK: Rows

  private func writeRow(
    _ table: SyncTable, _ row: ReadStatement, by link: SyncExportContext.Link?, to output: inout JSONWriter
  ) throws {
    try context.countRow()
    guard let plan = plan(table) else { throw table.mismatch(table.identity) }
    guard plan.hasObjects else { return try write(plan, table, row, to: &output) }
    let key = try key(of: row, in: table)
    let isWritten = try context.entering(table, key, by: link) {
      try write(plan, table, row, to: &output)
    }
    if !isWritten { try writeReference(to: key.identity, table, to: &output) }
  }

  private func key(of row: ReadStatement, in table: SyncTable) throws -> RowKey {
    guard let identity = SyncIdentity(row.column(table.identity)) else {
      throw table.mismatch(table.identity)
    }
    return RowKey(identity: identity, parent: table.parentScope.flatMap { SyncIdentity(row.column($0)) })
  }

  private func write(
    _ plan: ExportPlan, _ table: SyncTable, _ row: ReadStatement, to output: inout JSONWriter
  ) throws {
    for part in plan.parts {
      switch part {
      case .text(let bytes): output.write(bytes)
      case .column(let column): try write(column, table, row.column(column.position), to: &output)
      case .columnBeside(let column, let link, let text):
        guard try agrees(column, link, table, row) else { continue }
        output.write(text)
        try write(column, table, row.column(column.position), to: &output)
      case .key(let column):
        if let key = try waitingKeys(table, column.position, row).first {
          try output.write(key.json)
        } else {
          try write(column, table, row.column(column.position), to: &output)
        }
      case .object(let position): try writeObject(table, position, row, to: &output)
      case .objects(let position): try writeObjects(table, position, row, to: &output)
      case .identities(let position):
        let link = SyncExportContext.Link(table: table, position: position)
        if link.property.isToMany {
          try output.write(.array(context.keys(link, of: key(of: row, in: table))))
        } else if let key = try waitingKeys(table, position, row).first {
          try output.write(key.json)
        } else {
          try output.write(context.keys(link, of: key(of: row, in: table)).first ?? .null)
        }
      }
    }
  }

  /// Whether a scalar has the key of the relationship that it stands beside.
  private func agrees(
    _ column: ExportPlan.Column, _ link: Int, _ table: SyncTable, _ row: ReadStatement
  ) throws -> Bool {
    let scalar = row.column(column.position)
    guard let key = try waitingKeys(table, link, row).first ?? SyncIdentity(row.column(link)) else {
      return scalar.isNull
    }
    return key.isStored(in: scalar) || SyncIdentity(scalar)?.description == key.description
  }

  private func waitingKeys(
    _ table: SyncTable, _ position: Int, _ row: ReadStatement
  ) throws -> [SyncIdentity] {
    guard try context.waiting.hasOwners(table, position) else { return [] }
    return try context.waiting.keys(table, position, of: key(of: row, in: table))
  }

  /// Writes the row that a relationship leads to, the key that waits for it, or null.
  private func writeObject(
    _ table: SyncTable, _ position: Int, _ row: ReadStatement, to output: inout JSONWriter
  ) throws {
    if let key = try waitingKeys(table, position, row).first { return try output.write(key.json) }
    let link = SyncExportContext.Link(table: table, position: position)
    let isStoredHere = position < table.columnCount
    guard let key = SyncIdentity(row.column(isStoredHere ? position : table.identity)),
      let related = try link.property.related.map(context.table(of:))
    else { return output.writeNull() }
    guard context.follows(link, to: related) else {
      guard let identity = isStoredHere ? key : try context.identities(link.property, of: key).first else {
        return output.writeNull()
      }
      return try writeReference(to: identity, related, to: &output)
    }
    let statement = try statement(link, related)
    key.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return output.writeNull() }
    try writeRow(related, statement, by: link, to: &output)
  }

  /// Writes the rows that a list leads to, and the keys that wait.
  private func writeObjects(
    _ table: SyncTable, _ position: Int, _ row: ReadStatement, to output: inout JSONWriter
  ) throws {
    let link = SyncExportContext.Link(table: table, position: position)
    guard let related = try link.property.related.map(context.table(of:)) else { return output.writeNull() }
    guard let identity = SyncIdentity(row.column(table.identity)) else {
      throw table.mismatch(table.identity)
    }
    let waiting = try waitingKeys(table, position, row)
    guard context.follows(link, to: related) else {
      let identities = try context.identities(link.property, of: identity)
      return try writeReferences(identities, related, waiting: waiting, to: &output)
    }
    let statement = try statement(link, related)
    identity.bind(to: statement.restart(), at: 1)
    defer { statement.reset() }
    try writeList(related, statement, by: link, waiting: waiting, to: &output)
  }

  /// The statement that reads the rows a relationship leads to.
  private func statement(_ link: SyncExportContext.Link, _ related: SyncTable) throws -> ReadStatement {
    let key = StatementKey(
      table: ObjectIdentifier(link.table), position: link.position, level: context.level)
    if let statement = statements[key] { return statement }
    let condition =
      context.membership(link.property, in: related) ?? "\(related.identityProperty.quotedName) = ?1"
    let statement = try ReadStatement(
      context.database,
      "SELECT \(related.columnList) FROM \(related.quotedName) WHERE \(condition)"
        + " ORDER BY \(related.identityProperty.quotedName)"
        + " -- level \(key.level) of \(link.table.name).\(link.property.name)"
    )
    statements[key] = statement
    return statement
  }

  // MARK: Values

  private func write(
    _ part: ExportPlan.Column, _ table: SyncTable, _ column: SyncColumn, to output: inout JSONWriter
  ) throws {
    let type = column.type
    if type == SQLITE_NULL {
      guard part.isOptional else { throw table.mismatch(part.position) }
      return output.writeNull()
    }
    switch (part.kind, type) {
    case (.integer(let range), SQLITE_INTEGER) where range.contains(column.int64):
      return output.write(integer: column.int64)
    case (.bool, SQLITE_INTEGER): return output.write(bool: column.int64 != 0)
    case (.text, SQLITE_TEXT): if output.write(text: column.text) { return }
    case (.date, SQLITE_TEXT): if part.isPlainDate, output.write(storedDate: column.text) { return }
    default: break
    }
    let property = table.properties[part.position]
    let format = property.format ?? context.configuration.dateFormat
    guard let json = property.storedJSON?(column, format) else { throw table.mismatch(part.position) }
    try output.write(json)
  }
}

extension SyncTable {
  func mismatch(_ position: Int) -> SyncError {
    .containerInitialization(
      reason: "the column “\(name).\(properties[position].name)” does not hold what its property takes")
  }
}
