import GRDB

/// The associations of relationships, for generated code. Two relationships may lead to one model, and joined structs name their
/// columns after the properties, so the key of each association is the name of its property.
@_spi(Generated)
extension SyncUpdatableModel {
  /// The association of a to-one, which a column of this model stores.
  public static func syncBelongsTo<Related: SyncUpdatableModel>(
    _ name: String
  ) -> BelongsToAssociation<Self, Related> {
    belongsTo(Related.self, using: ForeignKey([name])).forKey(name)
  }

  /// The association of a one-to-one, which a column of the related model stores.
  public static func syncHasOne<Related: SyncUpdatableModel>(
    _ name: String
  ) -> HasOneAssociation<Self, Related> {
    hasOne(Related.self, using: syncTable.foreignKey(of: name)).forKey(name)
  }

  /// The association of a to-many, which a column of the related model stores.
  public static func syncHasMany<Related: SyncUpdatableModel>(
    _ name: String
  ) -> HasManyAssociation<Self, Related> {
    hasMany(Related.self, using: syncTable.foreignKey(of: name)).forKey(name)
  }

  /// The association of a many-to-many, through its join table.
  public static func syncHasMany<Related: SyncUpdatableModel>(
    _ name: String
  ) -> HasManyThroughAssociation<Self, Related> {
    let link = syncTable.linkTable(of: name)
    // The key differs for each end, so both can be joined in one request.
    let key = "\(link.name)_\(link.ownColumn)"
    let table = Table(link.name)
    let own = ForeignKey([link.ownColumn], to: [syncTable.identityProperty.name])
    let other = ForeignKey([link.otherColumn], to: [Related.syncTable.identityProperty.name])
    return hasMany(
      Related.self, through: hasMany(table, using: own).forKey(key),
      using: table.belongsTo(Related.self, using: other)
    ).forKey(name)
  }
}

extension SyncTable {
  private func kind(of name: String) -> SyncProperty.Kind? { position(of: name).map { properties[$0].kind } }

  /// The column of the related model that stores a relationship of this one. If the table lacks the relationship, SQLite reports a
  /// column that does not exist.
  fileprivate func foreignKey(of name: String) -> ForeignKey {
    guard case .inverse(let column, _) = kind(of: name) else { return ForeignKey([name]) }
    return ForeignKey([column], to: [identityProperty.name])
  }

  /// The join table of a relationship. If the table lacks the relationship, SQLite reports a table that does not exist.
  fileprivate func linkTable(of name: String) -> SyncLinkTable {
    guard case .link(let link) = kind(of: name) else { return .source(of: "\(self.name).\(name)") }
    return link
  }
}
