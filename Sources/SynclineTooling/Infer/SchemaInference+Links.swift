import Foundation
import SynclineNaming

/// Finds keys whose values are identities of other rows in the sample.
extension SchemaInference {
  /// A model whose rows a key may refer to.
  private struct Target {
    /// The index of its kind.
    let kind: Int
    let name: String
    let key: String
    let identity: SampleShape
    let lastWord: String
  }

  /// The values of a property.
  struct Source {
    let path: String
    /// The last key of the path.
    var key: String
    var value: SampleShape
    /// The values at the keys of the path that mean null.
    var nulls: [String] = []
  }

  /// A relationship that is read from a key.
  private struct Link {
    let target: Target
    let name: String
    let comment: String
  }

  /// The minimum number of distinct values for finding a relationship by values alone, and the minimum for integers, also in
  /// strings, because small integers are identities in many models.
  private static let valueLimits = (count: 3, integer: 10_000)

  /// Turns keys that are the identities of other rows into relationships, such as `userId` if there is a model `User`.
  mutating func link() {
    let targets = kinds.kinds.indices.compactMap { target($0) }
    for number in kinds.kinds.indices {
      let shape = kinds.kinds[number].shape
      let index = models[number]
      for place in draft.declarations[index].properties.indices {
        let property = draft.declarations[index].properties[place]
        guard !property.isIdentity, !property.isIdentityPart, !draft.isRelationship(property),
          let source = source(of: property, in: shape),
          let found = link(source, of: property, from: number, targets),
          !draft.declarations[index].properties.indices.contains(where: {
            $0 != place && draft.declarations[index].properties[$0].name == found.name
          })
        else { continue }
        replace(place, in: index, source, shape, by: found)
      }
    }
    leaveOutUnused()
  }

  private func target(_ number: Int) -> Target? {
    let kind = kinds.kinds[number]
    guard let key = kind.identity.key, let identity = kind.shape.members[key] else { return nil }
    let name = draft.declarations[models[number]].name
    return Target(
      kind: number, name: name, key: key, identity: identity,
      lastWord: KeyWords.words(of: name).last ?? "")
  }

  /// The values that a property reads, which may be in an object such as `fields`; nil if its key is not a path of members.
  func source(of property: SchemaDraft.Property, in shape: SampleShape) -> Source? {
    guard let path = property.key, let steps = (try? RemotePath(path))?.steps else { return nil }
    var source = Source(path: path, key: path, value: shape)
    for step in steps {
      guard case .member(let key) = step, let value = source.value.members[key] else { return nil }
      source.key = key
      source.value = value
      source.nulls += value.nullWords.filter { !source.nulls.contains($0) }
    }
    return source
  }

  private mutating func replace(
    _ place: Int, in index: Int, _ source: Source, _ shape: SampleShape, by link: Link
  ) {
    let model = models[link.target.kind]
    var property = SchemaDraft.Property(
      name: link.name, type: source.value.isList ? .list(.declared(model)) : .declared(model),
      key: source.path, comments: [link.comment])
    addWords(source.nulls, isOneOrMany: source.value.isOneOrMany, to: &property)
    let candidates = property.settleRelationship(style: style)
    property.isKeyExplicit =
      !candidates.contains(source.path) || clashes(candidates, source.path, shape)
    draft.declarations[index].properties[place] = property
  }

  /// The relationship that a property becomes. One that is named after an object around it keeps the words of that object.
  private func link(
    _ source: Source, of property: SchemaDraft.Property, from kind: Int, _ targets: [Target]
  ) -> Link? {
    guard let link = link(source.key, source.value, from: kind, targets) else { return nil }
    if source.path == source.key || property.name == DraftName.property(source.key) { return link }
    return Link(
      target: link.target, name: RowKey.name(of: property.name, isList: source.value.isList),
      comment: link.comment)
  }

  private func link(_ key: String, _ value: SampleShape, from kind: Int, _ targets: [Target]) -> Link? {
    let identities = value.isList ? value.element : value
    guard let identities, identities.nulls == 0 || !value.isList, identities.isText || identities.isInteger
    else { return nil }
    let fitting = targets.filter { SchemaInference.haveOneType(identities, $0.identity) }
    // Comparing all words of the key with those of each model would take most of the time if there are many models.
    let words = RowKey.namedWords(in: key, isList: value.isList)
    for target in fitting where words.contains(target.lastWord) {
      if let found = link(named: key, like: target.name, value, identities, from: kind, to: target) {
        return found
      }
    }
    // Rows of another place that were merged into a model have a name of their own: `Author` of a `User`.
    for target in fitting where target.kind != kind && kinds.kinds[target.kind].order.count > 1 {
      for name in kinds.kinds[target.kind].order {
        if let found = link(named: key, like: name, value, identities, from: kind, to: target) {
          return found
        }
      }
    }
    return link(role: key, value, identities, from: kind, to: fitting)
      ?? link(key, value, identities, from: kind, to: fitting)
  }

  static func haveOneType(_ first: SampleShape, _ second: SampleShape) -> Bool {
    if first.isInteger { return second.isInteger }
    return first.isText && second.isText && first.texts.areUUIDs == second.texts.areUUIDs
  }

  /// The relationship of a key whose name matches the model.
  ///
  /// - Parameter model: the name of the model, or another name of its rows.
  private func link(
    named key: String, like model: String, _ value: SampleShape, _ identities: SampleShape, from kind: Int,
    to target: Target
  ) -> Link? {
    guard let name = RowKey(key, of: model, identity: target.key, isList: value.isList) else { return nil }
    let count = identities.values.count
    let known = identities.values.count { target.identity.values.contains($0) }
    // Integers and UUIDs may be identities of rows on other pages.
    let mayBeElsewhere = (identities.isInteger || identities.texts.areUUIDs) && !name.isBare
    let isOwn = target.kind == kind
    guard !isOwn || (known == count && !SchemaInference.mayBeCopies(identities, of: target.identity)),
      mayBeElsewhere || known * 2 >= count
    else { return nil }
    let rows = count == 1 ? "no row for its only value" : "rows for \(known) of its \(count) values"
    let comment =
      known == count
      ? SchemaInference.comment(count, target.name)
      : "The key is named like an identity of \(model); the sample has \(rows)."
    return Link(target: target, name: name.name, comment: comment)
  }

  /// The relationship of a key with the name of a user's role, to the only model of users, or with that of a row in a tree, to its
  /// own model: `author_id`, `created_by`, `parent_id`. All values must be identities, because owners may also be organizations.
  private func link(
    role key: String, _ value: SampleShape, _ identities: SampleShape, from kind: Int, to targets: [Target]
  ) -> Link? {
    let name = RowKey.name(of: key, isList: value.isList)
    let role = DraftName.type(name, isList: value.isList)
    let isOfTree = KeyWords.isOfTree(role)
    guard isOfTree || KeyWords.isOfUser(role) else { return nil }
    let found = targets.filter { target in
      isOfTree ? target.kind == kind : kinds.kinds[target.kind].order.allSatisfy(KeyWords.isOfUser)
    }
    guard found.count == 1, let target = found.first, !identities.hasManyValues,
      identities.values.isSubset(of: target.identity.values),
      target.kind != kind
        || (isOfTree
          ? SchemaInference.areDistinctive(identities) && identities.values != target.identity.values
          : !SchemaInference.mayBeCopies(identities, of: target.identity))
    else { return nil }
    return Link(
      target: target, name: name, comment: SchemaInference.comment(identities.values.count, target.name))
  }

  /// The relationship of a key whose values are identities of exactly one model.
  private func link(
    _ key: String, _ value: SampleShape, _ identities: SampleShape, from kind: Int, to targets: [Target]
  ) -> Link? {
    let values = identities.values
    guard values.count >= SchemaInference.valueLimits.count, !identities.hasManyValues,
      SchemaInference.areDistinctive(identities), !KeyWords.isFree(key), !KeyWords.isTag(key),
      !KeyWords.isName(key)
    else { return nil }
    let found = targets.filter { target in
      values.allSatisfy { target.identity.values.contains($0) }
        && KeyWords.words(of: target.key) != KeyWords.words(of: key)
        && (target.kind != kind || !SchemaInference.mayBeCopies(identities, of: target.identity))
        && !SchemaInference.isByChance(values.count, among: target.identity)
    }
    guard found.count == 1, let target = found.first else { return nil }
    return Link(
      target: target, name: RowKey.name(of: key, isList: value.isList),
      comment: SchemaInference.comment(values.count, target.name))
  }

  /// Whether it is unlikely that rows of other kinds have the same identities.
  static func areDistinctive(_ identities: SampleShape) -> Bool {
    if identities.isInteger { return (identities.range?.lowerBound ?? 0) >= valueLimits.integer }
    let texts = identities.texts
    guard !texts.areDates, texts.datePattern == nil, !texts.areDecimals, !texts.areURLs else { return false }
    // Some APIs write all integers as strings.
    return !texts.areNumbers || identities.values.allSatisfy { Int($0) ?? Int.max >= valueLimits.integer }
  }

  /// Whether the integers may match a model's identities by chance, because these include most integers of their range.
  private static func isByChance(_ count: Int, among identities: SampleShape) -> Bool {
    guard count < 20, let range = identities.range else { return false }
    let share = Double(identities.values.count) / (Double(range.upperBound) - Double(range.lowerBound) + 1)
    return pow(share, Double(count)) > 0.001
  }

  /// Whether all values differ, or are all identities. They may then be copies of the rows' own identities.
  private static func mayBeCopies(_ values: SampleShape, of identities: SampleShape) -> Bool {
    values.values.count == values.present || values.values == identities.values
  }

  private static func comment(_ count: Int, _ model: String) -> String {
    count == 1
      ? "The only value that was seen is an identity of \(model)."
      : "Each of the \(count) values that were seen is an identity of \(model)."
  }

  /// Removes the enums of keys that became relationships.
  private mutating func leaveOutUnused() {
    let used = Set(draft.declarations.flatMap(\.properties).compactMap(\.type.declaration))
    for index in draft.declarations.indices where !used.contains(index) {
      if case .enumeration = draft.declarations[index].kind { draft.declarations[index].isLeftOut = true }
    }
  }
}
