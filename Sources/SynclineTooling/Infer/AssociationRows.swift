/// Finds rows that only link the row that contains them to other rows, and have no identity of their own, such as the elements of
/// `"memberships": [{"project": {"gid": "7"}, "section": {"gid": "9"}}]`.
enum AssociationRows {
  /// The maximum number of members of an object that links a single row.
  private static let memberLimit = 4

  /// The keys of the rows that identify an element together with the row that contains the list; nil if the elements are
  /// not such rows.
  ///
  /// - Parameter areSeveral: whether a list with several elements was seen.
  static func keys(of shape: SampleShape, named name: String, areSeveral: Bool) -> [String]? {
    guard !shape.keys.isEmpty, shape.union == nil, shape.entries == nil else { return nil }
    let model = KeyWords.words(of: name)
    let rows = shape.keys.filter { isRow($0, in: shape) }
    let others = shape.keys.filter { !rows.contains($0) }
    // An element with a name or a key of its own is more than a link.
    let isNamed = others.contains { key in
      KeyWords.rank(of: key, model: model) == .name || KeyWords.isForeign(key, model: model)
        || SampleShape.identityKeys.contains(key)
    }
    // An element with a time may be an event, and later lists may have several events of one user.
    guard !isNamed, areSeveral || !others.contains(where: KeyWords.isTurn),
      let first = rows.first(where: { !shape.repeatedRows.contains($0) })
    else { return nil }
    let describesLink =
      shape.keys.count <= memberLimit && others.contains(where: KeyWords.describesLink)
      && others.allSatisfy { shape.members[$0]?.isScalar ?? false }
    return rows.count > 1 || describesLink ? [first] : nil
  }

  static func identity(_ keys: [String], of owner: SampleShape) -> RowIdentity {
    let name = keys.map { "“\($0)”" }.joined(separator: " and ")
    return RowIdentity(
      source: .owned(by: owner, keys: keys),
      comments: [
        "\(name) is unique in each list, so it identifies a row together with the row that has the list."
      ])
  }

  /// Whether each element has a row with an identity under a key.
  private static func isRow(_ key: String, in shape: SampleShape) -> Bool {
    guard RowKinds.isPlain(key), let value = shape.members[key], value.isObject, value.nulls == 0,
      value.count == shape.objects
    else { return false }
    return RowKinds.identity(of: value, named: DraftName.type(key)) != nil
  }
}
