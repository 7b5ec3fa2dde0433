import Syncline

struct RowIdentity {
  enum Source {
    case path([String])
    case keys([String])
    /// The row that contains the list of these rows, and the rows at some keys.
    case owned(by: SampleShape, keys: [String])
    /// The key of each row in the object that contains the rows.
    case memberKey
    case nothing
  }

  let source: Source
  /// The reasons for the choice, or for finding no identity.
  var comments: [String] = []

  /// Whether the row that contains the rows is part of their identity.
  var isOwned: Bool { if case .owned = source { true } else { false } }

  /// The key, if the value of a single key identifies a row.
  var key: String? {
    if case .path(let names) = source, names.count == 1 { names[0] } else { nil }
  }
}

/// Finds the identity of sample rows: a key with unique values and with a plausible name and type.
struct IdentitySearch {
  /// A key or path that may identify a row.
  private struct Candidate {
    let path: [String]
    let rank: KeyWords.Rank
  }

  /// The compared values of a row and its payload. Several payloads may contain the same row.
  private struct Values: Hashable {
    let payload: Int
    let values: [SyncJSON?]
  }

  private let rows: [SampleRows.Row]
  private let shape: SampleShape
  /// The words of the model's name.
  private let model: [String]

  /// The maximum lengths of identities in bytes: for keys with a name of an identity, and for others.
  private static let longest = (named: 200, others: 64)
  /// The number of rows from which a unique string may be an identity regardless of its name.
  private static let anyNameRows = 20
  private static let pairLimits = (first: 8, second: 40)
  /// The maximum number of keys in a composite identity of a series.
  private static let partLimit = 4
  private static let isUnique = "Chosen as the identity: its values are unique in the sample."
  private static let rowTextLimit = 80

  /// - Parameter shape: the values of the rows, after `settle` was called.
  init(of rows: [SampleRows.Row], _ shape: SampleShape, named name: String) {
    var seen: Set<SyncJSON> = []
    self.rows = rows.filter { $0.key != nil || seen.insert($0.value).inserted }
    self.shape = shape
    model = KeyWords.words(of: name)
  }

  /// The identity: one key, the key in the enclosing object, or several keys.
  var identity: RowIdentity {
    let candidates = candidates
    let hasKeys = !rows.isEmpty && rows.allSatisfy { $0.key != nil }
    let unique = candidates.first { $0.rank != .actor && repeated([$0.path]) == nil }
    if let unique, unique.rank <= .own || (hasKeys && isKey(unique)) { return found(unique, candidates) }
    if hasKeys {
      let comment = "The key of each row in the object that contains the rows."
      return RowIdentity(source: .memberKey, comments: [comment])
    }
    if let unique, unique.rank < .address { return found(unique, candidates) }
    if let usual = usualInMostRows { return usual }
    if let unique { return found(unique, candidates) }
    if let pair = nestedPair(candidates) ?? pair(candidates) { return pair }
    if let other = otherUnique ?? series ?? innerUnique { return other }
    return RowIdentity(source: .nothing, comments: [reason(candidates)])
  }

  /// Whether each row's key in the enclosing object is also one of its values: `{"11": {"pageid": 11}}`.
  private func isKey(_ candidate: Candidate) -> Bool {
    rows.allSatisfy { row in
      let value = row.value[candidate.path[0]]
      return candidate.path.count == 1 && value.map { $0.string ?? $0.description } == row.key
    }
  }

  // MARK: One key

  /// The keys and paths that may identify a row, most likely first.
  private var candidates: [Candidate] {
    var found: [Candidate] = []
    for key in shape.keys {
      guard let rank = KeyWords.rank(of: key, model: model), isPlain(key), let value = shape.members[key],
        isInEachRow(value, of: shape)
      else { continue }
      if canIdentify(value, rank) {
        found.append(Candidate(path: [key], rank: rank))
      } else if rank == .usual, let path = objectID(in: value, key) {
        found.append(Candidate(path: path, rank: .usual))
      }
    }
    if let own = ownNestedIdentity { found.append(Candidate(path: own, rank: .ending)) }
    if let nested = nestedIdentity,
      RowKinds.holdsIdentity(nested[0], of: shape) || !found.contains(where: { $0.rank == .name })
    {
      found.append(Candidate(path: nested, rank: .ending))
    }
    if let link = selfLink { found.append(Candidate(path: link, rank: .address)) }
    let order = SampleShape.identityKeys
    func place(_ candidate: Candidate) -> Int { order.firstIndex(of: candidate.path[0]) ?? order.count }
    // Sorted by rank and position, otherwise in the order of the keys.
    return found.enumerated().sorted {
      ($0.element.rank.rawValue, place($0.element), $0.offset)
        < ($1.element.rank.rawValue, place($1.element), $1.offset)
    }.map(\.element)
  }

  /// The path of the only identity in an object, such as `_id.$oid` in exports of MongoDB, and `id.videoId`.
  private func objectID(in value: SampleShape, _ key: String) -> [String]? {
    guard value.isObject else { return nil }
    let keys = value.keys.filter { $0 == "$oid" || (KeyWords.words(of: $0).last == "id" && isPlain($0)) }
    guard keys.count == 1, let id = value.members[keys[0]], isInEachRow(id, of: value), id.isText else {
      return nil
    }
    return [key, keys[0]]
  }

  /// The path `_links.self.href`, which contains the address of a row in HAL.
  private var selfLink: [String]? {
    let path = ["_links", "self", "href"]
    var value = shape
    for name in path {
      guard let member = value.members[name], isInEachRow(member, of: value) else { return nil }
      value = member
    }
    return value.isText ? path : nil
  }

  /// The path of a nested row's identity, if every row has exactly one nested row.
  private var nestedIdentity: [String]? {
    let paths = nestedIdentities
    let holder = paths.filter { RowKinds.holdsIdentity($0[0], of: shape) }
    return paths.count == 1 ? paths[0] : holder.count == 1 ? holder[0] : nil
  }

  /// The path of a key that is named after the model, in an object that describes the row:
  /// `{"transaction_info": {"transaction_id": "a"}}` of a transaction.
  private var ownNestedIdentity: [String]? {
    for key in shape.keys where isPlain(key) && KeyWords.words(of: key).starts(with: model) {
      guard let value = shape.members[key], value.isObject, isInEachRow(value, of: shape) else { continue }
      let inner = value.keys.first { name in
        guard isPlain(name), KeyWords.rank(of: name, model: model) == .own, let member = value.members[name]
        else { return false }
        return isInEachRow(member, of: value) && canIdentify(member, .own)
      }
      if let inner, RowKinds.identity(of: value, named: DraftName.type(key)) == nil { return [key, inner] }
    }
    return nil
  }

  private var nestedIdentities: [[String]] {
    var paths: [[String]] = []
    for key in shape.keys where isPlain(key) && !KeyWords.isActor(key) {
      guard let value = shape.members[key], value.isObject, isInEachRow(value, of: shape),
        let identity = RowKinds.identity(of: value, named: DraftName.type(key))
      else { continue }
      paths.append([key, identity])
    }
    return paths
  }

  private func found(_ candidate: Candidate, _ candidates: [Candidate]) -> RowIdentity {
    if let pair = linkRow(candidate, candidates) { return pair }
    let name = candidate.path.joined(separator: ".")
    let isUsual = candidate.rank == .usual
    let reason =
      rows.count == 1
      ? "Chosen as the identity because of its name: one row was seen."
      : IdentitySearch.isUnique
    return RowIdentity(
      source: .path(candidate.path),
      comments: isUsual ? [] : [candidate.path.count > 1 ? reason + " It is read from “\(name)”." : reason])
  }

  /// A string with any name that is unique in many rows.
  private var otherUnique: RowIdentity? {
    guard rows.count >= IdentitySearch.anyNameRows else { return nil }
    let key = shape.keys.first { key in
      guard isPlain(key), !KeyWords.isFree(key), !KeyWords.isTurn(key), let value = shape.members[key],
        value.isText, isInEachRow(value, of: shape), canIdentify(value, nil)
      else { return false }
      return repeated([[key]]) == nil
    }
    return key.map {
      RowIdentity(source: .path([$0]), comments: [IdentitySearch.isUnique])
    }
  }

  /// A key with an identity's usual name that more than half of the rows have. The others may report deletions.
  private var usualInMostRows: RowIdentity? {
    for key in SampleShape.identityKeys {
      guard let value = shape.members[key], isPlain(key), canIdentify(value, .usual),
        case let holders = rows.filter({ $0.value[key]?.isNull == false }), holders.count < rows.count,
        holders.count * 2 > rows.count, repeated([[key]], in: holders) == nil
      else { continue }
      let others = rows.count - holders.count
      let comment =
        others == 1
        ? "One row has no value for this key, so a sync would skip it."
        : "\(others) rows have no value for this key, so a sync would skip them."
      return RowIdentity(source: .path([key]), comments: [comment])
    }
    return nil
  }

  /// The only `identifier`, or key that is named after the model, that is unique in an object of each row: `header.identifier`.
  private var innerUnique: RowIdentity? {
    var found: [[String]] = []
    for key in shape.keys where isPlain(key) && !KeyWords.isActor(key) {
      guard let value = shape.members[key], value.isObject, isInEachRow(value, of: shape) else { continue }
      for name in value.keys where isPlain(name) {
        guard let rank = KeyWords.rank(of: name, model: model), rank == .own || name == "identifier",
          let inner = value.members[name], isInEachRow(inner, of: value), canIdentify(inner, rank),
          repeated([[key, name]]) == nil
        else { continue }
        found.append([key, name])
      }
    }
    return rows.count > 1 && found.count == 1 ? self.found(Candidate(path: found[0], rank: .ending), []) : nil
  }

  // MARK: Two keys

  /// The identity of a row that links two other rows: their keys, even if one of them is unique in a small sample.
  private func linkRow(_ candidate: Candidate, _ candidates: [Candidate]) -> RowIdentity? {
    let own = Set(candidates.filter { $0.path.count == 1 }.compactMap(\.path.first))
    let foreign = shape.keys.filter { own.contains($0) && KeyWords.isForeign($0, model: model) }
    // A row with a name is more than a link between rows.
    guard let first = foreign.first, candidate.path.count == 1, case let second = candidate.path[0],
      foreign.contains(second), !hasName
    else { return nil }
    // A single row shows nothing but its keys.
    if rows.count == 1 { return foreign.count == 2 ? together(foreign) : nil }
    return first != second && repeated([[first]]) != nil ? together([first, second]) : nil
  }

  private var hasName: Bool {
    shape.keys.contains { KeyWords.rank(of: $0, model: model) == .name }
  }

  /// The identity of a row that links two nested rows: `{"user": {"id": 1}, "team": {"id": 7}, "role": "owner"}`.
  private func nestedPair(_ candidates: [Candidate]) -> RowIdentity? {
    let paths = nestedIdentities
    guard candidates.isEmpty, paths.count == 2, !hasName, repeated(paths) == nil else { return nil }
    return together(paths.map { $0[0] })
  }

  /// Two keys that are unique together, of which at least one is named like an identity.
  private func pair(_ candidates: [Candidate]) -> RowIdentity? {
    guard rows.count > 1 else { return nil }
    let firsts = candidates.filter { $0.path.count == 1 && $0.rank != .address }
    let names = firsts.compactMap(\.path.first)
    let others = names + shape.keys.filter { !names.contains($0) && canBePart($0) }
    for candidate in firsts.prefix(IdentitySearch.pairLimits.first) {
      let first = candidate.path[0]
      for second in others.prefix(IdentitySearch.pairLimits.second) where second != first {
        guard candidate.rank != .actor || KeyWords.isTurn(second), repeated([[first], [second]]) == nil else {
          continue
        }
        return together([first, second])
      }
    }
    return nil
  }

  private func canBePart(_ key: String) -> Bool {
    guard isPlain(key), let value = shape.members[key], isInEachRow(value, of: shape) else { return false }
    if value.isInteger { return KeyWords.mayCountUp(key, model: model) }
    return value.isText && !value.texts.areDecimals && value.texts.longest <= IdentitySearch.longest.others
      && !KeyWords.isFree(key)
  }

  private func together(_ keys: [String]) -> RowIdentity {
    let names = keys.dropLast().map { "“\($0)”" }.joined(separator: ", ") + " and “\(keys[keys.count - 1])”"
    let reason =
      rows.count == 1
      ? "\(names) together were chosen as the identity because of their names: one row was seen."
      : "\(names) together are unique in the sample."
    return RowIdentity(source: .keys(keys), comments: [reason])
  }

  // MARK: Series

  /// The identity of the rows of a time series: their time, and the subject to which their values belong.
  private var series: RowIdentity? {
    // Measurements have no title.
    guard rows.count > 1, !hasName else { return nil }
    let times = shape.keys.filter { isTime($0) }
    let subjects = shape.keys.filter {
      !times.contains($0) && shape.members[$0]?.isText == true && canBePart($0)
    }
    if let time = times.first(where: { repeated([[$0]]) == nil }) {
      // All rows of the sample may have the same subject. If many keys are constant, most of them are not subjects.
      let constants = subjects.filter { shape.members[$0]?.texts.counts.count == 1 }
      guard 1...IdentitySearch.partLimit - 2 ~= constants.count else {
        return RowIdentity(source: .path([time]), comments: [IdentitySearch.isUnique])
      }
      return together(shape.keys.filter { $0 == time || constants.contains($0) })
    }
    let keys = shape.keys.filter { times.contains($0) || subjects.contains($0) }
    guard !times.isEmpty, 2...IdentitySearch.partLimit ~= keys.count, repeated(keys.map { [$0] }) == nil
    else {
      return nil
    }
    return together(keys)
  }

  /// Whether a key contains the time of a row in a series, as a string or an integer.
  private func isTime(_ key: String) -> Bool {
    guard isPlain(key), KeyWords.isPeriod(key), let value = shape.members[key], isInEachRow(value, of: shape)
    else { return false }
    return value.isInteger || (value.isText && value.texts.longest <= IdentitySearch.longest.others)
  }

  // MARK: Values

  private func isPlain(_ key: String) -> Bool { RowKinds.isPlain(key) }

  private func isInEachRow(_ value: SampleShape, of owner: SampleShape) -> Bool {
    value.nulls == 0 && value.count == owner.objects
  }

  /// Whether values can be identities: integers, or short strings that are neither dates nor decimal numbers.
  ///
  /// - Parameter rank: the rank of the key's name; nil if the name gives no information.
  private func canIdentify(_ value: SampleShape, _ rank: KeyWords.Rank?) -> Bool {
    if value.isInteger { return rank.map { $0 < .address } ?? false }
    let length = rank == nil ? IdentitySearch.longest.others : IdentitySearch.longest.named
    guard value.isWholeOrText, value.texts.longest <= length else { return false }
    // Values of both types can be read as strings.
    guard value.isText else { return rank.map { $0 <= .own } ?? false }
    let texts = value.texts
    return rank == .usual || (!texts.areDates && texts.datePattern == nil && !texts.areDecimals)
  }

  /// The first two of some rows, or of all, that have the same values in one payload; nil if there are none.
  private func repeated(_ paths: [[String]], in some: [SampleRows.Row]? = nil) -> (Int, Int)? {
    var seen: [Values: Int] = [:]
    for (number, row) in (some ?? rows).enumerated() {
      let values: [SyncJSON?] = paths.map { path in
        path.reduce(Optional(row.value)) { (value: SyncJSON?, key: String) -> SyncJSON? in value?[key] }
      }
      if let first = seen.updateValue(number, forKey: Values(payload: row.payload, values: values)) {
        return (first, number)
      }
    }
    return nil
  }

  // MARK: Reasons

  /// The reason why no key identifies a row, with two rows as an example.
  private func reason(_ candidates: [Candidate]) -> String {
    let others = shape.keys.filter { key in
      guard let value = shape.members[key], isPlain(key) else { return false }
      return value.isText && isInEachRow(value, of: shape)
    }
    for path in candidates.map(\.path) + others.map({ [$0] }) {
      guard let (first, second) = repeated([path]) else { continue }
      return
        "“\(path.joined(separator: "."))” does not identify a row, because two rows have the same value: \(text(of: first)) and \(text(of: second))."
    }
    let sample = rows.indices.prefix(2).map(text(of:)).joined(separator: " and ")
    return
      "No key with the name of an identity, such as “id”, has a string or a whole number in each row: \(sample)."
  }

  private func text(of row: Int) -> String {
    let text = rows[row].value.description
    return text.count > IdentitySearch.rowTextLimit ? text.prefix(IdentitySearch.rowTextLimit) + "…" : text
  }
}
