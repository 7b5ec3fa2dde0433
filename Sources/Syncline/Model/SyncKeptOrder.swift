/// Reads the order of a list that only adds links (`@Ordered @Relationship(missing: .keep) tags: [Tag]`): its rows follow the
/// other related rows, in the order of the payload. Generated code uses it.
@_spi(Generated)
public enum SyncKeptOrder<Model: SyncUpdatableModel>: SyncTransform, ListOrder {
  public static func read(_ json: SyncJSON) throws -> [Model.SyncID]? { try SyncOrder<Model>.read(json) }

  /// Reads the identities, without duplicates. Values that do not identify a row are skipped.
  ///
  /// - Throws: an error if the value is not a list.
  public static func read(_ value: SyncValue, form: SyncForm) throws -> [Model.SyncID]? {
    try SyncOrder<Model>.read(value, form: form)
  }

  /// Whether the stored order already ends with the rows of a list, in the same order.
  public static func isSame(_ stored: [Model.SyncID]?, _ new: [Model.SyncID]) -> Bool {
    (stored ?? []).suffix(new.count).hasIdentities(of: new)
  }

  public static func write(_ value: [Model.SyncID]) -> SyncJSON { SyncOrder<Model>.write(value) }

  /// The stored order, followed by the rows of a list.
  static func adding(_ listed: [Model.SyncID], to stored: [Model.SyncID]?) -> [Model.SyncID] {
    let names = Set(listed.map(\.syncIdentity))
    return (stored ?? []).filter { !names.contains($0.syncIdentity) } + listed
  }
}

extension SyncKeptOrder: SyncNamedType {
  package static var syncName: String { "list" }
}
