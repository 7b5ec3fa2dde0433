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
    return value.elements.compactMap { element in
      let identity =
        element.isObject
        ? keys.identity(of: table, in: element)
        : table.identityReader.key(in: element, own: [], isLoose: true)
      return identity.flatMap { Model.SyncID($0) }
    }
  }

  public static func write(_ value: [Model.SyncID]) -> SyncJSON { .array(value.map(\.syncIdentity.json)) }

  private struct NoList: Error {}
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
    let list = SyncJSON.array(identities.map(\.syncIdentity.json)).description
    let column = Column(RowDecoder.syncTable.identityProperty.name)
    // The columns of `json_each` are called as those of models may be.
    let places: SQL =
      "SELECT \"key\" AS syncline_place, \"value\" AS syncline_listed FROM json_each(\(list))"
    let place: SQL =
      if ID.self == UUID.self {
        "(SELECT syncline_place FROM (\(places)) WHERE replace(syncline_listed, '-', '') = hex(\(column)))"
      } else {
        "(SELECT syncline_place FROM (\(places)) WHERE syncline_listed = \(column))"
      }
    return order(literal: "ifnull(\(place), 9223372036854775807), \(column)")
  }
}

extension SyncTable {
  /// The column of the order that a list is kept in; nil for one without.
  func order(of list: Int) -> Int? {
    properties.firstIndex { $0.orderedList == properties[list].name }
  }
}
