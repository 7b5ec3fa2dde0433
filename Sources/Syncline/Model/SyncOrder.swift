import Foundation
import GRDB

/// Reads the order of a list, `@Ordered tags: [Tag]`: the identities of its rows, nested or named by keys. Generated code names it.
public enum SyncOrder<Model: SyncUpdatableModel>: SyncTransform, ListOrder {
  public static func read(_ json: SyncJSON) throws -> [Model.SyncID]? {
    let text = Array(json.description.utf8)
    return try text.withUnsafeBytes { bytes in
      let tape = try JSONDocument.scan(bytes)
      defer { tape.close() }
      return try read(tape.value(at: 0), form: SyncForm(dates: .iso8601, style: .snakeCase))
    }
  }

  /// Reads the identities. What names no row has no place.
  ///
  /// - Throws: for what is no list.
  public static func read(_ value: SyncValue, form: SyncForm) throws -> [Model.SyncID]? {
    guard value.isArray else { throw NoList() }
    let table = Model.syncTable
    let keys = table.keyTable(form.style ?? .snakeCase)
    var listed: Set<SyncIdentity> = []
    return value.elements.compactMap { element in
      let identity =
        element.isObject
        ? keys.identity(of: table, in: element)
        : table.identityReader.key(in: element, own: [], isLoose: true)
      guard let identity, listed.insert(identity).inserted else { return nil }
      return Model.SyncID(identity)
    }
  }

  /// Whether a list is in the order that is stored, with those that this does not have behind the others, by their identities: as it
  /// is read and exported.
  public static func isSame(_ stored: [Model.SyncID]?, _ new: [Model.SyncID]) -> Bool {
    if let stored, stored == new { return true }
    var places: [SyncIdentity: Int] = [:]
    for identity in stored ?? [] { places[identity.syncIdentity] = places.count }
    var last: (place: Int, identity: SyncIdentity)?
    for identity in new.lazy.map(\.syncIdentity) {
      let place = places[identity] ?? .max
      if let last, (place, identity) < last { return false }
      last = (place, identity)
    }
    return true
  }

  public static func write(_ value: [Model.SyncID]) -> SyncJSON { .array(value.map(\.syncIdentity.json)) }

  private struct NoList: Error {}
}

extension SyncOrder: SyncNamedType {
  package static var syncName: String { "list" }
}

extension SyncTransformed where Transform.Value: Collection {
  /// The order of a new row's list: an empty one has none, as one that was never there. Generated code calls it.
  public var order: Transform.Value? { value.isEmpty ? nil : value }
}

/// An order, of which the list itself is reported where it cannot be read.
protocol ListOrder {}

extension KeyTable {
  /// The identity that an object of a model has.
  func identity(of table: SyncTable, in object: SyncValue) -> SyncIdentity? {
    for candidate in candidates[table.identity] {
      guard names.indices.contains(candidate.name), let member = object.member(names[candidate.name]),
        case .found(let value) = member.follow(candidate.rest),
        let identity = table.identityReader.identity(in: value)
      else { continue }
      return identity
    }
    return nil
  }
}

extension QueryInterfaceRequest where RowDecoder: SyncUpdatableModel {
  /// The rows in an order of their identities, others behind them. Generated code calls it.
  public func syncOrdered<ID: SyncIdentityValue>(by identities: [ID]?) -> QueryInterfaceRequest<RowDecoder> {
    guard let identities, identities.count > 1 else { return self }
    let column = Column(RowDecoder.syncTable.identityProperty.name)
    let (separator, isUUID) = ("\u{1F}", ID.self == UUID.self)
    let texts = identities.map { identity in
      let text = identity.syncIdentity.description
      return isUUID ? text.replacing("-", with: "") : text
    }
    // Where an identity stands in the text of all: SQLite would read a list of JSON anew for each row.
    let list = separator + texts.joined(separator: separator) + separator
    let listed: SQL = isUUID ? "hex(\(column))" : "\(column)"
    let place: SQL = "nullif(instr(\(list), \(separator) || \(listed) || \(separator)), 0)"
    return order(SQL("ifnull(\(place), 9223372036854775807)").sqlExpression, column)
  }
}

extension SyncTable {
  /// The column of the order that a list is kept in; nil for one without.
  func order(of list: Int) -> Int? {
    properties.firstIndex { $0.orderedList == properties[list].name }
  }
}
