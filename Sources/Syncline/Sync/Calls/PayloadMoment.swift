import Foundation
import GRDB

/// When the payload of a call was asked for, and which rows its parts are about. Payloads may arrive in another order than they
/// were asked for.
struct PayloadMoment {
  let moment: SyncMoment
  /// The parts for whose rows a payload that was asked for later was synced.
  private(set) var late: Set<Int> = []
  /// The names of the slices, and their models, by part. An item without an identity has none.
  private var slices: [Int: (name: String, model: String)] = [:]
  private let moments: StoredMoments

  /// - Returns: nil if the call does not say when its payload was asked for.
  init?(of call: SyncCall, _ database: Database) throws {
    guard let moment = call.arguments.requestedAt else { return nil }
    self.moment = moment
    moments = StoredMoments(database)
    for (index, part) in call.parts.enumerated() {
      guard let name = try part.sliceName(in: call.bytes, database) else { continue }
      slices[index] = (name, part.table.name)
      if try moments.isLate(moment, slice: name, of: part.table.name) { late.insert(index) }
    }
    isLate = late.count == call.parts.count
  }

  /// Whether nothing of the payload is synced.
  private(set) var isLate = false

  /// Notes that the payload was synced, or some of its parts.
  ///
  /// - Parameter parts: nil for all parts.
  /// - Returns: whether any of them has a slice to note.
  func note(_ parts: Set<Int>?) throws -> Bool {
    let noted = slices.filter { parts?.contains($0.key) ?? true && !late.contains($0.key) }
    for (name, model) in noted.values { try moments.note(moment, slice: name, of: model) }
    return !noted.isEmpty
  }
}

extension CallPart {
  /// The part of the model's rows that the payload is about, as text; nil if an item has no identity.
  fileprivate func sliceName(in bytes: SyncPayloadBytes, _ database: Database) throws -> String? {
    let stored = try arguments.storedRows.name(database)
    let response = bytes.response?.name ?? ""
    switch kind {
    case .list, .document(isItem: false), .union(_, isItem: false): return "list \(stored) \(response)"
    case .page, .end: return "list \(stored) "
    case .changes: return "changes \(stored) \(response)"
    case .item, .document, .union:
      var steps = arguments.path.steps
      if case .document = kind { steps.append(.member(Array("data".utf8))) }
      let data = bytes.withUnsafeBytes { Data($0) }
      let identity = try arguments.container.identity(ofItem: data, at: steps, in: table)
      return identity.map { "item \(stored) \($0)" }
    }
  }
}

extension SyncContainer {
  /// The identity of the row that an item has; nil if it has none, or is no object.
  func identity(ofItem payload: Data, at steps: [PathStep] = [], in table: SyncTable) throws -> SyncIdentity?
  {
    do {
      let style = configuration.ofCall(about: table).style
      let object = try SyncPayload(SyncJSON(parsing: payload), keyStyle: style).object
      guard case .found(let value) = object.value.follow(steps), value.isObject else { return nil }
      return object.identity(of: value, in: table)
    } catch is JSONError {
      return nil
    } catch SyncError.invalidPayload {
      return nil
    }
  }
}
