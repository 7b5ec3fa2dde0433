import Foundation
import Syncline

/// The values that were seen at one position of sample payloads.
final class SampleShape {
  /// The number of values, including null.
  private(set) var count = 0
  private(set) var nulls = 0
  private(set) var bools = 0
  private(set) var integers = 0
  private(set) var fractions = 0
  private(set) var objects = 0
  private(set) var lists = 0
  private(set) var texts = TextSample()
  /// Whether an integer is too large for `Int`.
  private(set) var hasHugeIntegers = false
  /// The smallest and the largest integer.
  private(set) var range: ClosedRange<Int>?
  /// The keys of objects, in the order of their first occurrence.
  private(set) var keys: [String] = []
  private(set) var members: [String: SampleShape] = [:]
  /// The elements of lists.
  private(set) var element: SampleShape?
  /// The distinct scalars, up to a limit.
  private(set) var values: Set<String> = []
  private(set) var hasManyValues = false
  /// The list in which each element's identity was seen, and whether an identity was in two lists.
  private(set) var owners: [String: Int] = [:]
  private(set) var isShared = false
  private(set) var listNumbers: Set<Int> = []

  private static let valueLimit = 50_000
  private static let levelLimit = 60
  /// The usual keys of an identity, the clearest first.
  static let identityKeys = ["id", "uuid", "guid", "_id", "ID", "Id", "remote_id", "remoteId", "id_str"]

  var present: Int { count - nulls }

  /// The kinds of values, ignoring null.
  var isObject: Bool { objects > 0 && objects == present }
  var isList: Bool { lists > 0 && lists == present }
  var isText: Bool { texts.count > 0 && texts.count == present }
  var isBool: Bool { bools > 0 && bools == present }
  var isInteger: Bool { integers > 0 && integers == present }
  var isNumber: Bool { integers + fractions > 0 && integers + fractions == present }
  /// Strings, together with numbers that may be strings.
  var isTextOrNumber: Bool { texts.count > 0 && texts.count + integers + fractions == present }
  var isScalar: Bool { present > 0 && objects == 0 && lists == 0 }

  // MARK: Adding

  func add(_ json: SyncJSON, level: Int = 0) {
    count += 1
    switch json {
    case .null: nulls += 1
    case .bool: bools += 1
    case .number(let number): add(number)
    case .string(let text):
      texts.add(text)
      remember(text)
    case .array(let elements):
      lists += 1
      guard level < SampleShape.levelLimit else { return }
      let element = element ?? SampleShape()
      self.element = element
      for value in elements {
        element.add(value, level: level + 1)
        element.note(value, inList: lists)
      }
    case .object(let object):
      objects += 1
      guard level < SampleShape.levelLimit else { return }
      for (key, value) in object { member(key).add(value, level: level + 1) }
    }
  }

  private func add(_ number: SyncNumber) {
    remember(number.text)
    guard let integer = number.integer.map(Int.init(truncatingIfNeeded:)) else {
      let isWhole = !number.text.contains { ".eE".contains($0) }
      if isWhole { hasHugeIntegers = true }
      fractions += 1
      return
    }
    integers += 1
    range = range.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
  }

  private func remember(_ value: String) {
    guard values.count < SampleShape.valueLimit else { return hasManyValues = true }
    values.insert(value)
  }

  private func member(_ key: String) -> SampleShape {
    if let known = members[key] { return known }
    let new = SampleShape()
    members[key] = new
    keys.append(key)
    return new
  }

  /// Records the list that contains a row.
  private func note(_ value: SyncJSON, inList list: Int) {
    guard let object = value.object,
      let identity = SampleShape.identityKeys.lazy.compactMap({ object[$0] }).first?.description
    else { return }
    listNumbers.insert(list)
    if let known = owners.updateValue(list, forKey: identity), known != list { isShared = true }
  }

  private struct Pair: Hashable {
    let left, right: ObjectIdentifier
  }

  /// Adds all values that were seen at another position.
  func merge(_ other: SampleShape) {
    var merged: Set<Pair> = []
    merge(other, &merged)
  }

  /// - Parameter merged: the pairs already being merged, since rows may contain rows of their own kind.
  private func merge(_ other: SampleShape, _ merged: inout Set<Pair>) {
    guard other !== self,
      merged.insert(Pair(left: ObjectIdentifier(self), right: ObjectIdentifier(other))).inserted
    else { return }
    count += other.count
    nulls += other.nulls
    bools += other.bools
    integers += other.integers
    fractions += other.fractions
    objects += other.objects
    lists += other.lists
    texts.merge(other.texts)
    hasHugeIntegers = hasHugeIntegers || other.hasHugeIntegers
    if let more = other.range {
      range = range.map { min($0.lowerBound, more.lowerBound)...max($0.upperBound, more.upperBound) } ?? more
    }
    values.formUnion(other.values)
    hasManyValues = hasManyValues || other.hasManyValues
    // An identity in lists at two positions has two owners.
    isShared = isShared || other.isShared || !owners.keys.allSatisfy { other.owners[$0] == nil }
    listNumbers.formUnion(other.listNumbers)
    owners.merge(other.owners) { first, _ in first }
    for key in other.keys {
      guard let theirs = other.members[key] else { continue }
      if let own = members[key] {
        own.merge(theirs, &merged)
      } else {
        members[key] = theirs
        keys.append(key)
      }
    }
    if let theirs = other.element {
      if let element { element.merge(theirs, &merged) } else { element = theirs }
    }
  }

  /// Replaces a shape by the one into which it was merged.
  func replace(_ old: SampleShape, by new: SampleShape) {
    if element === old { element = new }
    for key in keys where members[key] === old { members[key] = new }
  }
}

/// The strings that were seen.
struct TextSample {
  private(set) var count = 0
  /// The number of occurrences of each string, up to a limit.
  private(set) var counts: [String: Int] = [:]
  private(set) var areMany = false
  private(set) var areDates = true
  private(set) var areUUIDs = true
  private(set) var areURLs = true
  /// The date patterns that match all of the strings.
  private(set) var patterns = DatePatterns.all

  private static let limit = 64

  mutating func add(_ text: String) {
    count += 1
    if counts[text] != nil || counts.count < TextSample.limit {
      counts[text, default: 0] += 1
    } else {
      areMany = true
    }
    let json = SyncJSON.string(text)
    let hasDigits = text.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    // A string of digits is usually a number, not a date.
    areDates = areDates && hasDigits && !text.allSatisfy(\.isNumber) && Date(syncJSON: json) != nil
    patterns.removeAll { !hasDigits || !DatePatterns.matches(json, $0) }
    areUUIDs = areUUIDs && text.utf8.count == 36 && UUID(syncJSON: json) != nil
    areURLs =
      areURLs && (text.hasPrefix("https://") || text.hasPrefix("http://")) && URL(syncJSON: json) != nil
  }

  mutating func merge(_ other: TextSample) {
    guard other.count > 0 else { return }
    guard count > 0 else { return self = other }
    count += other.count
    areMany = areMany || other.areMany
    for (text, times) in other.counts {
      if counts[text] != nil || counts.count < TextSample.limit {
        counts[text, default: 0] += times
      } else {
        areMany = true
      }
    }
    areDates = areDates && other.areDates
    areUUIDs = areUUIDs && other.areUUIDs
    areURLs = areURLs && other.areURLs
    patterns.removeAll { !other.patterns.contains($0) }
  }

  /// The pattern of the dates if they have none of the standard formats.
  var datePattern: String? { count > 0 && !areDates ? patterns.first : nil }
}

/// Date formats that APIs use in addition to the standard ones.
enum DatePatterns {
  static let all = [
    "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z", "yyyy/MM/dd HH:mm:ss Z",
    "yyyy/MM/dd HH:mm:ss",
    "yyyy-MM-dd HH:mm", "yyyy/MM/dd", "dd.MM.yyyy HH:mm", "dd.MM.yyyy", "MM/dd/yyyy", "dd/MM/yyyy",
    "MMM d, yyyy",
  ]

  private static let formats = Dictionary(
    uniqueKeysWithValues: all.compactMap { text in
      (try? SyncDateFormat.pattern(text)).map { (text, SyncForm(dates: $0)) }
    })

  static func matches(_ json: SyncJSON, _ pattern: String) -> Bool {
    // The standard formats are read anyway; they include strings of digits.
    Date(syncJSON: json) == nil && (formats[pattern].map { Date(syncJSON: json, form: $0) != nil } ?? false)
  }
}
