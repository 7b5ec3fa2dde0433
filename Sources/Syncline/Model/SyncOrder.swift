import Foundation
import GRDB

/// Reads the order of a list (`@Ordered tags: [Tag]`): the identities of its rows, from nested objects or keys. Generated code
/// uses it.
@_spi(Generated)
public enum SyncOrder<Model: SyncUpdatableModel>: SyncTransform, ListOrder {
  public static func read(_ json: SyncJSON) throws -> [Model.SyncID]? {
    try JSONDocument.read(Array(json.description.utf8)) {
      try read($0, form: SyncForm(dates: .iso8601, style: .snakeCase))
    }
  }

  /// Reads the identities, without duplicates. Values that do not identify a row are skipped.
  ///
  /// - Throws: an error if the value is not a list.
  public static func read(_ value: SyncValue, form: SyncForm) throws -> [Model.SyncID]? {
    guard value.isArray else { throw NoList() }
    let table = Model.syncTable
    let keys = table.keyTable(form.style ?? .snakeCase)
    var listed: Set<SyncIdentity> = []
    return value.elements.compactMap { element in
      let identity =
        element.isObject
        ? keys.identity(of: table, in: element)
        : element.isArray && table.rowPlaces > 0
          ? keys.identity(of: table, inList: element)
          : table.identityReader.key(in: element, own: [], isLoose: true)
      guard let identity, listed.insert(identity).inserted else { return nil }
      return Model.SyncID(identity)
    }
  }

  /// Whether a list has the stored order. Rows without a stored position must follow the others, sorted by identity, as in
  /// queries and exports.
  public static func isSame(_ stored: [Model.SyncID]?, _ new: [Model.SyncID]) -> Bool {
    if let stored, stored.hasIdentities(of: new) { return true }
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

@_spi(Generated)
extension SyncTransformed where Transform.Value: Collection {
  /// The order of a new row's list; nil if the list is empty or absent. Generated code calls it.
  public var order: Transform.Value? { value.isEmpty ? nil : value }
}

extension Collection where Element: SyncIdentityValue {
  /// Whether two lists have the same identities in the same order. Strings are compared byte by byte.
  func hasIdentities(of other: some Collection<Element>) -> Bool {
    elementsEqual(other) { $0.syncIdentity == $1.syncIdentity }
  }
}

/// An order. If it cannot be read, the list itself is reported instead.
protocol ListOrder {}

extension QueryInterfaceRequest where RowDecoder: SyncUpdatableModel {
  /// The rows in the order of the given identities, followed by all other rows in the order of their identities. Generated code
  /// calls it.
  ///
  /// SQLite joins the list with an automatic index, so it needs one lookup per row.
  public func syncOrdered<ID: SyncIdentityValue>(by identities: [ID]?) -> QueryInterfaceRequest<RowDecoder> {
    let identity = Column(RowDecoder.syncTable.identityProperty.name)
    guard let identities, !identities.isEmpty else { return order(identity) }
    var listed: Set<SyncIdentity> = []
    var json = Array("[".utf8)
    // A repeated identity would repeat its row.
    for identity in identities.lazy.map(\.syncIdentity) where listed.insert(identity).inserted {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.append(UInt8(ascii: "\""))
      identity.writeHex(to: &json)
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "]"))
    let places = CommonTableExpression<Void>(
      named: "syncline_places", columns: ["syncline_identity", "syncline_place"],
      literal: "SELECT value, key FROM json_each(\(String(decoding: json, as: UTF8.self)))")
    let place = TableAlias()
    let association = RowDecoder.association(to: places) { row, place in
      place[Column("syncline_identity")] == SQL("hex(\(row[identity]))")
    }
    return with(places).joining(optional: association.aliased(place))
      .order(place[Column("syncline_place")] == nil, place[Column("syncline_place")], identity)
  }
}

extension SyncIdentity {
  /// Writes the identity as SQLite's `hex` does. JSON can represent that for binary identities and strings with NUL too.
  fileprivate func writeHex(to output: inout [UInt8]) {
    func write(_ byte: UInt8) {
      output.append(hexadecimalDigit(byte >> 4))
      output.append(hexadecimalDigit(byte & 15))
    }
    if case .uuid(let uuid) = self {
      withUnsafeBytes(of: uuid.uuid) { $0.forEach(write) }
    } else {
      description.utf8.forEach(write)
    }
  }
}

extension SyncTable {
  /// The column that stores the order of a list; nil if the list has none.
  func order(of list: Int) -> Int? {
    properties.firstIndex { $0.orderedList == properties[list].name }
  }
}
