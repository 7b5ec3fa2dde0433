import Foundation
import GRDB
import SynclineSchema

/// Identities that no row has. Required columns hold them until the payload's links are decided.
final class Placeholders {
  private unowned(unsafe) let run: Run
  /// The errors of new rows that get no required target, by the placeholders in their columns. Several columns may have the same
  /// placeholder.
  var errors: [LinkEnd: [SyncIdentity: SyncError]] = [:]
  /// The errors of new rows whose required targets are not stored yet, in case nothing else gives them.
  var required: [LinkPlace: SyncError] = [:]
  /// Where the search for a free integer begins.
  private var firstFree: [LinkEnd: Int64] = [:]
  /// The targets of columns before their placeholders.
  private var originals: [LinkEnd: [SyncIdentity: SyncIdentity]] = [:]

  init(_ run: Run) {
    self.run = run
  }

  func original(of identity: SyncIdentity, at end: LinkEnd) -> SyncIdentity {
    originals.isEmpty ? identity : originals[end]?[identity] ?? identity
  }

  /// Restarts with a log of link statements if a target is still missing: a list or a pending link may give the row another.
  func checkRequired() throws {
    for place in required.keys {
      guard let target = try run.target(of: place) else { continue }
      if try !run.rows(place.end.target).exists(target) { try run.logLinks() }
    }
  }

  /// Replaces the required partner of a row with a placeholder, until its link is written.
  func replaceByPlaceholder(_ place: LinkPlace) throws {
    let model = run.rows(place.end.owner)
    guard let old = try model.storedValues(of: place.owner), let placeholder = try identity(for: place.end)
    else { return }
    var new = old
    new[place.end.position] = placeholder.databaseValue
    try model.write([place.end.position], of: place.owner, from: old, to: new)
    if let target = SyncIdentity(old[place.end.position]) {
      originals[place.end, default: [:]][placeholder] = original(of: target, at: place.end)
    }
  }

  /// An identity of the related model's type that no row of it and no column has.
  func identity(for end: LinkEnd) throws -> SyncIdentity? {
    let model = run.rows(end.owner)
    let target = run.rows(end.target)
    let isTaken = try ReadStatement(
      run.database, "SELECT 1 FROM \(model.table.quotedName) WHERE \(model.column(end.position)) = ?1")
    func isFree(_ identity: SyncIdentity) throws -> Bool {
      try !isTaken.exists(identity) && !target.exists(identity)
    }
    switch target.table.identityKind {
    case .uuid: return .uuid(run.configuration.sources.uuid())
    // The identity of a singleton has no parts.
    case .text,
      .composite where target.table.identityParts.isEmpty:
      return .text(run.configuration.sources.uuid().uuidString)
    case .composite:
      // Few identities may be left, if their parts are small integers.
      for _ in 0..<1000 {
        let identity = composite(of: target.table)
        if try isFree(identity) { return identity }
      }
      return nil
    case .integer(let range):
      for value in (firstFree[end] ?? range.lowerBound)..<range.upperBound where try isFree(.integer(value)) {
        firstFree[end] = value + 1
        return .integer(value)
      }
      return nil
    }
  }

  /// A composite identity with random parts, which can be read like those of rows.
  private func composite(of table: SyncTable) -> SyncIdentity {
    var sources = run.configuration.sources
    var parts = SyncIDWriter()
    for position in table.identityParts {
      let property = table.properties[position]
      if property.storedType?.scalar == .date {
        let seconds = Int64.random(in: 0..<1 << 36, using: &sources)
        let date = Date(timeIntervalSince1970: Double(seconds))
        parts.write(date.syncDatabaseValue, isComposite: false)
        continue
      }
      let kind = property.related?.syncTable.identityKind ?? property.storedType?.identityKind ?? .text
      switch kind {
      case .integer(let range):
        parts.write(Int64.random(in: range, using: &sources).databaseValue, isComposite: false)
      case .composite:
        let owner = property.related.map { composite(of: $0.syncTable) }
        parts.write(owner?.databaseValue ?? .null, isComposite: true)
      case .uuid, .text: parts.write(sources.uuid().uuidString.databaseValue, isComposite: false)
      }
    }
    return .text(parts.text)
  }
}

extension SyncStoredType {
  /// The kind of the type's values as parts of an identity. UUIDs and strings are written alike.
  fileprivate var identityKind: SyncIdentityKind { integers.map(SyncIdentityKind.integer) ?? .text }
}
