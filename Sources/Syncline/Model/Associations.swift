import GRDB

@_spi(Generated)
extension SyncUpdatableModel {
  /// The association of a many-to-many relationship, through its join table. Generated code calls it.
  public static func syncLinks<Related: SyncUpdatableModel>(
    to related: Related.Type, through link: SyncLinkTable
  ) -> HasManyThroughAssociation<Self, Related> {
    // The key differs for each end, so both can be joined in one request.
    let key = "\(link.name)_\(link.ownColumn)"
    let table = Table(link.name)
    let own = ForeignKey([link.ownColumn], to: [syncTable.identityProperty.name])
    let other = ForeignKey([link.otherColumn], to: [related.syncTable.identityProperty.name])
    return hasMany(
      related, through: hasMany(table, using: own).forKey(key), using: table.belongsTo(related, using: other))
  }
}
