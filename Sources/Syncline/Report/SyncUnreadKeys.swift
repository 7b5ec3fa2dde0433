/// The keys that no property reads, and the properties whose keys are missing, in a sample of rows; and the rows whose objects
/// differ.
///
/// The most common mistake in a schema is a key that no payload has: the property is always nil. If an API renames a key, it is
/// found in the same way. ``SyncConfiguration/unreadKeys`` sets how many rows are checked.
public struct SyncUnreadKeys: Sendable, Hashable, Codable {
  /// A key that no property reads.
  public struct Key: Sendable, Hashable, Codable {
    /// The model or struct whose objects have it.
    public let model: String
    /// The key, or its path if other properties read the same object: `profile.age`.
    public let key: String
    /// How many of the rows have it.
    public internal(set) var rows: Int
  }

  /// A property whose keys no row has.
  public struct Property: Sendable, Hashable, Codable {
    /// The model or struct.
    public let model: String
    /// The property.
    public let property: String
    /// The keys that it is read from.
    public let keys: [String]
    /// An unread key with a similar name, whose values the property can read; nil if there is none.
    public let suggestion: String?
  }

  /// A key that a property is read from.
  package struct Read: Sendable {
    package struct Source: Sendable, Hashable {
      package let property: String
      package let key: String
    }

    package let model: String
    package let source: Source
    package internal(set) var rows: Int
  }

  /// The keys that were read. All values of this type are equal.
  package struct Reads: Sendable, Hashable {
    package internal(set) var all: [Read] = []

    package static func == (left: Reads, right: Reads) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
  }

  /// A row that several objects of the payload describe, with different values.
  public struct Merged: Sendable, Hashable, Codable {
    /// The model.
    public let model: String
    /// The identity that the objects have.
    public let identity: String
    /// The number of objects of this row, up to the last one that differs.
    public let objects: Int
    /// The properties to which they give different values.
    public let properties: [String]
  }

  private enum CodingKeys: CodingKey {
    case rows, keys, properties, merged
  }

  /// How many rows were checked, by model.
  public internal(set) var rows: [String: Int] = [:]
  /// The keys that no property reads, by model, the most frequent of each model first; at most a hundred for each model.
  public internal(set) var keys: [Key] = []
  /// The properties whose keys no row has. Lists, properties with a default and properties that are not exported may be missing
  /// on purpose, so they are listed only if an unread key is similar.
  public internal(set) var properties: [Property] = []
  /// The rows whose objects were merged and differ: the first hundred. The key that is read as the identity may not identify
  /// them. Unlike ``keys`` and ``properties``, they are found in all rows of the payload, not only in the sample.
  public internal(set) var merged: [Merged] = []

  /// The keys that properties read, in the order in which they came; they are neither compared nor encoded.
  package internal(set) var reads = Reads()

  /// How many keys are reported for each model.
  static let keyLimit = 100

  /// Creates an empty value, to compare with another.
  public init() {}

  /// Adds the result of another page of the same list.
  mutating func add(_ other: SyncUnreadKeys) {
    for key in other.keys {
      let known = keys.firstIndex { $0.model == key.model && $0.key == key.key }
      if let known { keys[known].rows += key.rows } else { keys.append(key) }
    }
    keys.sort { ($0.model, -$0.rows, $0.key) < ($1.model, -$1.rows, $1.key) }
    var counts: [String: Int] = [:]
    keys.removeAll { key in
      counts[key.model, default: 0] += 1
      return counts[key.model, default: 0] > SyncUnreadKeys.keyLimit
    }
    // A property is only missing if neither page has it.
    let others = other.properties.filter { lacks($0) }
    properties = properties.filter { other.lacks($0) }.map { property in
      property.suggestion == nil ? others.first { $0.isSame(as: property) } ?? property : property
    }
    for property in others where !properties.contains(where: { $0.isSame(as: property) }) {
      properties.append(property)
    }
    rows.merge(other.rows, uniquingKeysWith: +)
    merged += other.merged.prefix(max(0, SyncUnreadKeys.keyLimit - merged.count))
    for read in other.reads.all {
      let known = reads.all.firstIndex { $0.model == read.model && $0.source == read.source }
      if let known { reads.all[known].rows += read.rows } else { reads.all.append(read) }
    }
  }

  /// Whether the rows of this page also lack a property that those of another page lack.
  private func lacks(_ property: Property) -> Bool {
    if rows[property.model] == nil || properties.contains(where: { $0.isSame(as: property) }) { return true }
    // A property that may be missing on purpose is listed by a page only if that page has a similar key.
    return property.suggestion != nil
      && !reads.all.contains { $0.model == property.model && $0.source.property == property.property }
  }
}

extension SyncUnreadKeys? {
  /// Adds the result of another page or list, which is nil if it was not checked.
  mutating func add(_ other: SyncUnreadKeys?) {
    guard let other else { return }
    var keys = self ?? SyncUnreadKeys()
    keys.add(other)
    self = keys
  }
}

extension SyncUnreadKeys.Property: CustomStringConvertible {
  /// `Task.details is in none of the rows; did you mean @RemoteKey("description")?`
  public var description: String {
    // As it is written in a schema.
    let literal = suggestion.map { $0.contains("\"") ? "#\"\($0)\"#" : "\"\($0)\"" }
    return "\(model).\(property) is in none of the rows"
      + (literal.map { "; did you mean @RemoteKey(\($0))?" } ?? "")
  }

  fileprivate func isSame(as other: Self) -> Bool { model == other.model && property == other.property }
}

extension SyncUnreadKeys.Merged: CustomStringConvertible {
  /// `Element: 2 objects have the identity “1” and differ in “type”`
  public var description: String {
    let names = properties.map { "“\($0)”" }.joined(separator: ", ")
    return "\(model): \(objects) objects have the identity “\(identity)” and differ in \(names)"
  }
}

extension SyncUnreadKeys.Key: CustomStringConvertible {
  /// `Task.labels, in 98 rows`
  public var description: String { "\(model).\(key), in \(rows) row\(rows == 1 ? "" : "s")" }
}
