/// Writes lists, and references to rows that are not written whole.
extension RowWriter {
  /// The elements of a list, including the pending keys, in the order of the identities.
  private struct List {
    var waiting: ArraySlice<SyncIdentity>
    var isEmpty = true
    let link: SyncExportContext.Link?
    let context: SyncExportContext

    /// Starts the next element. Its identity is only read if there are pending keys.
    mutating func startElement(_ identity: () -> SyncIdentity?, _ output: inout JSONWriter) throws {
      if !waiting.isEmpty, let identity = identity() {
        while let key = waiting.first, key < identity {
          waiting.removeFirst()
          try write(key, &output)
        }
        // The row with that identity exists now.
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
      try output.write(link.map { context.json(key, by: $0) } ?? key.json)
    }

    private mutating func separate(_ output: inout JSONWriter) throws {
      output.write(byte: isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      isEmpty = false
      try output.drainIfFull()
    }
  }

  /// Writes the rows of a statement that has not been stepped yet.
  func writeList(
    _ row: Row, by link: SyncExportContext.Link? = nil, waiting: [SyncIdentity] = [],
    to output: inout JSONWriter
  ) throws {
    var list = List(waiting: waiting[...], link: link, context: context)
    let plan = try plan(of: row, by: link)
    while try row.statement.step() {
      try list.startElement({ SyncIdentity(row.column(row.table.identity)) }, &output)
      try write(row, by: plan, link, to: &output)
    }
    try list.end(&output)
  }

  func writeReferences(
    to identities: [SyncIdentity], in table: SyncTable, by link: SyncExportContext.Link,
    waiting: [SyncIdentity], to output: inout JSONWriter
  ) throws {
    var list = List(waiting: waiting[...], link: link, context: context)
    for identity in identities {
      try list.startElement({ identity }, &output)
      try writeReference(to: identity, in: table, to: &output)
    }
    try list.end(&output)
  }

  /// Writes a reference to a row that is not written whole, in the form of ``SyncExportContext/reference(to:in:)``.
  func writeReference(
    to identity: SyncIdentity, in table: SyncTable, to output: inout JSONWriter
  ) throws {
    let plan = references.value(of: ObjectIdentifier(table)) {
      ExportPlan(referenceTo: table, context.configuration.style)
    }
    let values =
      table.isComposite ? SyncIDReader.parts(of: identity.description) : [table.identityReader.json(identity)]
    let positions = table.identifyingProperties
    // The identity is not exported, or its path leads through a list.
    guard let plan, values.count == positions.count else {
      return try output.write(context.reference(to: identity, in: table))
    }
    try plan.text.withUnsafeBufferPointer { text in
      for step in plan.steps {
        output.write(bytes: UnsafeBufferPointer(rebasing: text[step.text]))
        // The plan writes values with paths into one object next to each other, so their order may differ.
        guard let index = positions.firstIndex(of: step.position) else { continue }
        let link = SyncExportContext.Link(table: table, position: step.position)
        try output.write(table.isComposite ? context.json(values[index], of: link) : values[index])
      }
      output.write(bytes: UnsafeBufferPointer(rebasing: text[plan.lastText]))
    }
  }
}
