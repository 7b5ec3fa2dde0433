import Foundation
import GRDB

/// When the payload of a call was requested, and which rows its parts concern. Payloads may arrive in another order than they were
/// requested in.
struct PayloadMoment {
  let moment: SyncMoment
  /// The names of the slices, and their models or unions, by part. An item without an identity has none.
  private var slices: [Int: (name: String, model: String)] = [:]
  private let moments: StoredMoments

  /// - Returns: nil if the call does not state when its payload was requested.
  init?(of call: SyncCall, _ database: Database) throws {
    guard let moment = call.arguments.context.requestedAt else { return nil }
    self.moment = moment
    moments = StoredMoments(database: database, sources: call.container.configuration.sources)
    let parts = call.parts
    let items = parts.compactMap { part in
      part.itemSteps.map { SyncContainer.Item(steps: $0, table: part.table, part: part) }
    }
    let found = try call.bytes.withUnsafeBytes { try call.container.rows(ofItems: items, in: $0) }
    var rows = found.makeIterator()
    let response = call.bytes.response?.name ?? ""
    for (index, part) in parts.enumerated() {
      let row = part.itemSteps == nil ? nil : rows.next() ?? nil
      guard let name = try part.sliceName(response, row?.identity, database) else { continue }
      slices[index] = (name, row?.table.name ?? part.name)
    }
  }

  /// The outdated parts: a payload for their rows that was requested later is already synced.
  func late() throws -> Set<Int> {
    Set(try slices.filter { try moments.isLate(moment, slice: $0.value.name, of: $0.value.model) }.keys)
  }

  /// Notes that the payload was synced, or some of its parts.
  ///
  /// - Parameter parts: nil for all parts.
  /// - Returns: whether any of them has a slice to note.
  func note(_ parts: Set<Int>?) throws -> Bool {
    let noted = slices.filter { parts?.contains($0.key) ?? true }
    for (name, model) in noted.values { try moments.note(moment, slice: name, of: model) }
    return !noted.isEmpty
  }
}

extension CallPart {
  /// The path to the item that the part is; nil for a list.
  fileprivate var itemSteps: [PathStep]? {
    guard kind.isItem else { return nil }
    if case .document = kind { return arguments.path.steps + [.member(Array("data".utf8))] }
    return arguments.path.steps
  }

  /// The name of the slice that the payload concerns; nil if an item has no identity.
  fileprivate func sliceName(
    _ response: String, _ identity: SyncIdentity?, _ database: Database
  ) throws -> String? {
    let stored = try arguments.storedRows.name(database)
    switch kind {
    case .list, .document(isItem: false), .union(_, isItem: false): return "list \(stored) \(response)"
    case .page(let notes, _), .end(_, let notes): return "list \(stored) \(notes.name)"
    case .changes: return "changes \(stored) \(response)"
    // The parent of the call is part of the row only if identities are unique within it.
    case .item, .document, .union:
      return identity.map { "item \(table.parentScope == nil ? "" : stored) \($0)" }
    }
  }
}

extension SyncContainer {
  /// The identity of the row that an item has; nil if it has none, or is no object.
  func identity(ofItem payload: Data, in table: SyncTable) throws -> SyncIdentity? {
    try payload.withUnsafeBytes {
      try rows(ofItems: [Item(steps: [], table: table, part: nil)], in: $0)[0]?.identity
    }
  }

  /// The place of an item in a payload, its model, or the first one of a union, and the call's part that it is.
  fileprivate typealias Item = (steps: [PathStep], table: SyncTable, part: CallPart?)

  /// The rows at some paths of a payload; nil for those that have no identity. The payload is read once for all.
  fileprivate func rows(
    ofItems items: [Item], in text: UnsafeRawBufferPointer
  ) throws -> [(table: SyncTable, identity: SyncIdentity)?] {
    if items.isEmpty { return [] }
    do {
      let places = try PayloadPlaces(of: items.map(\.steps), in: text).places
      return try zip(items, places).map { item, place in
        guard case .value(let offset, let depth) = place else { return nil }
        var tape = try JSONTape(
          scanning: JSONDocument.pointer(text), count: text.count, at: offset, outerDepth: depth)
        if item.table.rowPlaces > 0, tape.value(at: 0).isArray {
          tape = try scanAsObject(tape, of: item.table)
        }
        defer { tape.close() }
        let row = tape.value(at: 0)
        guard row.isObject else { return nil }
        var table = item.table
        if case .union(let union, _)? = item.part?.kind {
          guard let index = union.cases.index(of: row) else { return nil }
          table = union.entries[index].table
        }
        let object = PayloadObject(
          tape: tape, position: 0, table: nil, shape: nil, place: .item(prefix: ""),
          settings: PayloadSettings(style: configuration.ofCall(about: table).style))
        let identity =
          if case .document? = item.part?.kind, !table.isComposite {
            row.member(Array("id".utf8)).flatMap(table.identityReader.identity)
          } else {
            object.identity(of: row, in: table, item.part?.arguments.scope)
          }
        return identity.map { (table, $0) }
      }
    } catch is JSONError {
      // The sync reports it.
      return items.map { _ in nil }
    }
  }

  /// Converts a row that is a list to the object that a sync reads.
  private func scanAsObject(_ list: JSONTape, of table: SyncTable) throws(JSONError) -> JSONTape {
    var text = GatheredText(table, configuration.ofCall(about: table).style)
    text.write(row: list.value(at: 0))
    return try JSONTape(scanningCopyOf: text.row)
  }
}
