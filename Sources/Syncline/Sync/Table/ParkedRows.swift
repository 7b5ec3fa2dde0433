import Foundation
import GRDB

/// Rows whose required one-to-one partner another row took. Until the payload gives them another or they are deleted, their
/// columns hold identities that nothing has.
final class ParkedRows {
  private struct Entry {
    let place: LinkPlace
    let placeholder: SyncIdentity
    let error: SyncError
  }

  private unowned(unsafe) let run: Run
  private var entries: [Entry] = []
  /// What is wrong with new rows where nothing gives them what they require, by what their columns hold.
  private(set) var provisional: [SyncIdentity: SyncError] = [:]
  /// Where integers are looked for that nothing has.
  private var firstFree: [LinkEnd: Int64] = [:]
  /// What the columns of those rows held.
  private var originals: [SyncIdentity: SyncIdentity] = [:]

  init(_ run: Run) {
    self.run = run
  }

  /// What a column held before its row was parked.
  func original(of identity: SyncIdentity) -> SyncIdentity {
    originals.isEmpty ? identity : originals[identity] ?? identity
  }

  /// Takes the partner of a row that requires one, for another row.
  ///
  /// - Throws: ``PartnerTaken`` where invalid rows are skipped.
  func park(_ place: LinkPlace, _ target: SyncIdentity, for other: RowKey) throws {
    let model = run.rows(place.end.owner)
    let position = place.end.position
    let error = SyncError(
      RowProblem(
        model: model.table.name, property: place.end.name, identity: place.owner.identity.description,
        reason: .cannotGiveUp(target: target.description, to: other.identity.description)))
    if run.skipsInvalidRows { throw PartnerTaken(error: error) }
    guard let old = try model.storedValues(of: place.owner), let placeholder = try placeholder(at: place.end)
    else { throw error }
    var new = old
    new[position] = placeholder.databaseValue
    try model.write([position], of: place.owner, from: old, to: new)
    entries.append(Entry(place: place, placeholder: placeholder, error: error))
    originals[placeholder] = original(of: target)
  }

  /// Frees the partner of a row that requires one, and gets another in the same write.
  func giveUp(_ place: LinkPlace) throws {
    let model = run.rows(place.end.owner)
    guard let old = try model.storedValues(of: place.owner), let placeholder = try placeholder(at: place.end)
    else { return }
    var new = old
    new[place.end.position] = placeholder.databaseValue
    try model.write([place.end.position], of: place.owner, from: old, to: new)
    if let target = SyncIdentity(old[place.end.position]) { originals[placeholder] = original(of: target) }
  }

  /// A target for a new row's required column, until the payload's links are decided.
  func provisional(at end: LinkEnd, _ error: SyncError) throws -> SyncIdentity? {
    let target = try placeholder(at: end)
    if let target { provisional[target] = error }
    return target
  }

  /// An identity of the related model's type that neither a row of it nor a column has.
  func placeholder(at end: LinkEnd) throws -> SyncIdentity? {
    let model = run.rows(end.owner)
    let target = run.rows(end.target)
    let isTaken = try ReadStatement(
      run.database, "SELECT 1 FROM \(model.table.quotedName) WHERE \(model.column(end.position)) = ?1")
    switch target.table.identityKind {
    case .uuid: return .uuid(UUID())
    case .text, .composite: return .text(UUID().uuidString)
    case .integer(let range):
      var value = firstFree[end] ?? range.lowerBound
      while value < range.upperBound {
        if try !isTaken.exists(.integer(value)), try !target.exists(.integer(value)) {
          firstFree[end] = value + 1
          return .integer(value)
        }
        value += 1
      }
      return nil
    }
  }

  /// - Throws: the error of a row that was left without the partner it requires.
  func check() throws {
    for entry in entries {
      let model = run.rows(entry.place.end.owner)
      if try model.target(of: entry.place.owner, at: entry.place.end.position) == entry.placeholder {
        throw entry.error
      }
    }
  }
}

/// Thrown where invalid rows are skipped, and a row requires a partner that another row requires, or a row that the rest of
/// the payload may bring.
struct PartnerTaken: Error {
  let error: SyncError
}
