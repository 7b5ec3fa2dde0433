import Syncline

/// The objects with an identity at one position. They show whether objects with equal identities are one row.
struct SeenRows {
  /// The hashes of the values of each row, by its identity and the values' keys.
  private var rows: [String: [String: Int]] = [:]
  /// The number of objects that agree with an earlier object of the same identity, and of those that contradict it.
  private var repeated = Comparison()

  /// The last values of each row, and how often one returned to an earlier value, which the values of one row rarely do.
  private var last: [String: [String: Int]] = [:]
  private var returns = 0
  /// Values of one row may return once by chance.
  private static let returnLimit = 1

  /// The values of keys such as `value` of each row, including null.
  private var own: [String: [String: Int]] = [:]
  /// Whether two objects with the same identity differ in such a value: the identity is that of a definition.
  private var haveOwnValues = false

  /// The maximum number of rows that are recorded at a position.
  private static let limit = 5_000

  /// Counts of how often two objects with the same identity agree or contradict each other.
  struct Comparison {
    private(set) var agreeing = 0
    private var contradicting = 0

    /// Whether the objects are several rows with equal identities, rather than one row that changed.
    var isContradiction: Bool { contradicting > 0 && contradicting >= agreeing }

    fileprivate mutating func add(_ other: Comparison) {
      agreeing += other.agreeing
      contradicting += other.contradicting
    }

    /// Compares the values under the keys that two objects have in common. If both are one row, most values are equal.
    fileprivate mutating func note(_ left: [String: Int], _ right: [String: Int]) {
      let common = left.filter { right[$0.key] != nil }
      if common.isEmpty { return }
      let differing = common.count { right[$0.key] != $0.value }
      if differing * 2 >= common.count { contradicting += 1 } else { agreeing += 1 }
    }
  }

  /// Whether several rows have the same identity: `{"id": 2, "name": "Severity", "value": "high"}` in one row and `"low"` in
  /// another.
  var areContradictory: Bool {
    haveOwnValues || returns > SeenRows.returnLimit || repeated.isContradiction
  }

  mutating func add(_ object: SyncJSONObject) {
    let keys = [SampleShape.identityKeys, KeyWords.accountKeys].lazy.joined()
    let found = keys.compactMap { key in object[key].map { (key, $0) } }.first
    guard let (key, identity) = found, identity.object == nil, identity.array == nil, identity != .null else {
      return
    }
    var values: [String: Int] = [:]
    for (name, value) in object where name != key && value != .null {
      guard KeyWords.holdsProperties(name), let members = value.object else {
        values[name] = value.hashValue
        continue
      }
      for (member, value) in members where value != .null { values["\(name).\(member)"] = value.hashValue }
    }
    add(values, of: identity.description)
    for (name, value) in object where KeyWords.isOwnValue(name) {
      noteOwn(value.hashValue, name, of: identity.description)
    }
  }

  private mutating func noteOwn(_ value: Int, _ name: String, of identity: String) {
    if let known = own[identity]?[name] {
      haveOwnValues = haveOwnValues || known != value
    } else if own[identity] != nil || own.count < SeenRows.limit {
      own[identity, default: [:]][name] = value
    }
  }

  private mutating func add(_ values: [String: Int], of identity: String) {
    if let known = rows[identity] {
      repeated.note(known, values)
      if let last = last[identity],
        values.contains(where: { last[$0.key] != $0.value && known[$0.key] == $0.value })
      {
        returns += 1
      }
      last[identity] = values
      rows[identity]?.merge(values) { first, _ in first }
    } else if rows.count < SeenRows.limit {
      rows[identity] = values
      last[identity] = values
    }
  }

  mutating func merge(_ other: SeenRows) {
    repeated.add(other.repeated)
    returns += other.returns
    for (identity, values) in other.rows { add(values, of: identity) }
    haveOwnValues = haveOwnValues || other.haveOwnValues
    for (identity, values) in other.own {
      for (name, value) in values { noteOwn(value, name, of: identity) }
    }
  }

  /// The number of rows at both positions, which have the same values under the given keys; 0 if one has others.
  func sameRows(as other: SeenRows, by keys: Set<String>) -> Int {
    var count = 0
    for (identity, values) in rows {
      guard let theirs = other.rows[identity] else { continue }
      guard keys.allSatisfy({ values[$0] == theirs[$0] }) else { return 0 }
      if keys.contains(where: { values[$0] != nil }) { count += 1 }
    }
    return count
  }

  mutating func forgetComparisons() { (repeated, returns) = (Comparison(), 0) }

  func compared(with other: SeenRows) -> Comparison {
    var comparison = Comparison()
    for (identity, values) in rows { other.rows[identity].map { comparison.note(values, $0) } }
    return comparison
  }
}
