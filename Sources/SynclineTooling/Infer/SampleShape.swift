import Syncline

/// The values that were seen at one position of sample payloads.
final class SampleShape {
  /// The number of values, including null.
  private(set) var count = 0
  private(set) var nulls = 0
  private(set) var bools = 0
  private(set) var trues = 0
  private(set) var integers = 0
  private(set) var fractions = 0
  private(set) var objects = 0
  private(set) var lists = 0
  /// Whether a list has null among its elements.
  private(set) var hasNullElements = false
  /// The number of elements of the longest list.
  private(set) var longestList = 0
  private(set) var texts = TextSample()
  /// How often `""` was seen, until ``settle(isElement:)`` decides what it means.
  private(set) var blanks = 0
  /// The values that were taken for null, as the schema writes them.
  private(set) var nullWords: [String] = []
  /// Whether one value was seen, and a list of values.
  private(set) var isOneOrMany = false
  /// The number of integers that are too large for `Int`. They are among the ``fractions``.
  private(set) var hugeIntegers = 0
  /// Whether a fraction has more digits than any `Double`.
  private(set) var hasLongFractions = false
  /// The smallest and the largest integer.
  private(set) var range: ClosedRange<Int>?
  /// The keys of objects, in the order of their first occurrence.
  private(set) var keys: [String] = []
  private(set) var members: [String: SampleShape] = [:]
  /// The members of objects whose keys are data, which then are no ``members``.
  private(set) var entries: SampleShape?
  /// The kinds of objects that a key distinguishes, whose members then are no ``members``.
  private(set) var union: SampleUnion?
  /// The elements of lists.
  private(set) var element: SampleShape?
  /// The distinct scalars, up to a limit.
  private(set) var values: Set<String> = []
  private(set) var hasManyValues = false
  /// The list in which each element's identity was seen, and whether an identity was in two lists.
  private(set) var owners: [String: Int] = [:]
  private(set) var isShared = false
  private(set) var listNumbers: Set<Int> = []
  private(set) var seenRows = SeenRows()

  private static let valueLimit = 50_000
  static let levelLimit = 60
  /// The number of keys above which they are data: a table has no more columns.
  private static let keyLimit = 2_000
  /// The usual keys of an identity, the clearest first.
  static let identityKeys = [
    "id", "uuid", "guid", "_id", "ID", "Id", "remote_id", "remoteId", "id_str", "gid", "sid", "uid",
  ]

  var present: Int { count - nulls }

  /// The kinds of values, ignoring null.
  var isObject: Bool { objects > 0 && objects == present }
  var isList: Bool { lists > 0 && lists == present }
  var isText: Bool { texts.count > 0 && texts.count == present }
  var isBool: Bool { bools > 0 && bools == present }
  var isInteger: Bool { integers > 0 && integers == present }
  var isNumber: Bool { integers + fractions > 0 && integers + fractions == present }
  /// Numbers that neither `Int` nor `Double` holds.
  var areLongNumbers: Bool { hugeIntegers > 0 || hasLongFractions }
  /// Strings and whole numbers, as identities are.
  var isWholeOrText: Bool { present > 0 && texts.count + integers + hugeIntegers == present }
  /// Strings, together with numbers that may be strings.
  var isTextOrNumber: Bool { texts.count > 0 && texts.count + integers + fractions == present }
  /// What may be a row at this position: an object, or those in a list or under keys that are data.
  var row: SampleShape? { isList ? element?.node ?? element : entries ?? self }
  /// The node of the edges of a GraphQL connection, which have nothing else than a cursor.
  var node: SampleShape? {
    guard isObject, let node = members["node"], node.isObject, node.count == objects,
      keys.allSatisfy(["node", "cursor", "__typename"].contains)
    else { return nil }
    return node
  }
  var isScalar: Bool { present > 0 && objects == 0 && lists == 0 }

  /// The text that each of the objects has under a key; nil if it differs.
  func onlyText(of key: String) -> String? {
    guard let value = members[key], value.isText, value.count == objects, value.texts.counts.count == 1 else {
      return nil
    }
    return value.texts.counts.keys.first
  }

  // MARK: Adding

  func add(_ json: SyncJSON, level: Int = 0) {
    count += 1
    switch json {
    case .null: nulls += 1
    case .bool(let value):
      bools += 1
      if value { trues += 1 }
    case .number(let number): add(number)
    case .string(""): blanks += 1
    case .string(let text):
      texts.add(text)
      remember(text)
    case .array(let elements):
      lists += 1
      longestList = max(longestList, elements.count)
      hasNullElements = hasNullElements || elements.contains(.null)
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
      seenRows.add(object)
      for (key, value) in object {
        if level > 0, members.count == SampleShape.keyLimit, members[key] == nil { takeEntries() }
        (entries ?? member(key)).add(value, level: level + 1)
      }
    }
  }

  private func add(_ number: SyncNumber) {
    remember(number.text)
    let isWhole = !number.text.utf8.contains { ".eE".utf8.contains($0) }
    guard isWhole, let integer = number.integer.map(Int.init(truncatingIfNeeded:)) else {
      if isWhole { hugeIntegers += 1 } else if Self.isLong(number.text) { hasLongFractions = true }
      fractions += 1
      return
    }
    integers += 1
    range = range.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
  }

  /// Whether a number has more than 17 digits, which no `Double` is written with, and not more than a `Decimal` has.
  private static func isLong(_ number: String) -> Bool {
    let digits = number.utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return !number.lowercased().contains("e") && digits.count <= 38
      && digits.drop { $0 == UInt8(ascii: "0") }.count > 17
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

  /// Treats the keys as data: all members are merged into one shape, ``entries``.
  private func takeEntries() {
    let values = SampleShape()
    for member in keys.compactMap({ members[$0] }) { values.merge(member) }
    (entries, keys, members) = (values, [], [:])
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
    trues += other.trues
    blanks += other.blanks
    longestList = max(longestList, other.longestList)
    hasNullElements = hasNullElements || other.hasNullElements
    nullWords += other.nullWords.filter { !nullWords.contains($0) }
    isOneOrMany = isOneOrMany || other.isOneOrMany
    integers += other.integers
    fractions += other.fractions
    objects += other.objects
    lists += other.lists
    texts.merge(other.texts)
    hugeIntegers += other.hugeIntegers
    hasLongFractions = hasLongFractions || other.hasLongFractions
    if let more = other.range {
      range = range.map { min($0.lowerBound, more.lowerBound)...max($0.upperBound, more.upperBound) } ?? more
    }
    values.formUnion(other.values)
    hasManyValues = hasManyValues || other.hasManyValues
    // An identity in lists at two positions has two owners.
    isShared = isShared || other.isShared || other.owners.keys.contains { owners[$0] != nil }
    listNumbers.formUnion(other.listNumbers)
    seenRows.merge(other.seenRows)
    owners.merge(other.owners) { first, _ in first }
    mergeUnion(of: other, &merged)
    if entries != nil || other.entries != nil {
      if entries == nil { takeEntries() }
      for theirs in other.keys.compactMap({ other.members[$0] }) { entries?.merge(theirs, &merged) }
      if let theirs = other.entries { entries?.merge(theirs, &merged) }
    }
    mergeMembers(of: other, &merged)
    if let theirs = other.element {
      if let element { element.merge(theirs, &merged) } else { element = theirs }
    }
  }

  private func mergeMembers(of other: SampleShape, _ merged: inout Set<Pair>) {
    for key in other.keys where entries == nil {
      guard let theirs = other.members[key] else { continue }
      if let own = members[key] {
        own.merge(theirs, &merged)
      } else {
        members[key] = theirs
        keys.append(key)
      }
    }
  }

  /// Merges the unions of two positions. If only one of the positions with objects has a union, or their keys differ, the result
  /// is no union.
  private func mergeUnion(of other: SampleShape, _ merged: inout Set<Pair>) {
    let isEmpty = keys.isEmpty && entries == nil
    let isOtherEmpty = other.union == nil && other.keys.isEmpty && other.entries == nil
    guard union != nil || other.union != nil, !isOtherEmpty else { return }
    if union == nil, isEmpty { return union = other.union }
    if let own = union, let theirs = other.union, own.isLike(theirs) {
      return own.merge(theirs) { $0.merge($1, &merged) }
    }
    let variants = (union?.variants ?? []) + (other.union?.variants ?? [])
    union = nil
    for variant in variants { mergeMembers(of: variant.shape, &merged) }
  }

  /// Says that the objects are of one kind, whatever their values.
  func uniteRows() { seenRows.forgetComparisons() }

  /// Says that the objects are of several kinds.
  func split(into union: SampleUnion) {
    (keys, members) = ([], [:])
    self.union = union
  }

  // MARK: Settling

  /// Decides what values mean that do not fit the others: they are taken for null, or for lists of one. It is called once, when all
  /// values were added.
  ///
  /// - Parameters:
  ///   - isElement: whether the values are elements of a list, of which none can mean null.
  ///   - isRoot: whether the values are the rows of the sample, whose keys are no data.
  func settle(isElement: Bool = false, isRoot: Bool = false) {
    if !isElement {
      settleFalse()
      settleBlanks()
    }
    keepBlanks()
    if !isElement {
      settleEmptyLists()
      settleLoneValues()
    }
    for key in keys { members[key]?.settle() }
    entries?.settle(isElement: true)
    if !isRoot, KeyedObjects.isKeyed(self) { takeEntries() }
    element?.settle(isElement: true)
  }

  /// Whether a number of values has one type.
  private func haveOneType(_ count: Int) -> Bool {
    count > 0
      && (objects + lists == count || integers + fractions == count || texts.count == count || bools == count)
  }

  /// `false` beside values of another type is null.
  private func settleFalse() {
    guard bools > 0, trues == 0, bools < present, haveOneType(present - bools - blanks) else { return }
    nulls += bools
    bools = 0
    nullWords.append("false")
  }

  /// `""` beside values that are no strings is null.
  private func settleBlanks() {
    let others = present - blanks
    guard blanks > 0, haveOneType(others), texts.count == 0 || texts.areValues else { return }
    nulls += blanks
    blanks = 0
    nullWords.append("\"\"")
  }

  /// `""` beside other strings is a string.
  private func keepBlanks() {
    for _ in 0..<blanks {
      texts.add("")
      remember("")
    }
    blanks = 0
  }

  /// `[]` beside objects is an empty object, as PHP writes it; beside scalars it is null.
  private func settleEmptyLists() {
    guard lists > 0, longestList == 0, lists < present, objects == 0 || objects == present - lists else {
      return
    }
    if objects == 0 { nullWords.append("[]") }
    nulls += lists
    lists = 0
    element = nil
  }

  /// A value beside lists of such values is a list of one, even if no list was longer: a longer one may come.
  private func settleLoneValues() {
    guard let element, lists > 0, lists < present else { return }
    element.keepBlanks()
    guard element.isLike(self, besidesLists: present - lists) else { return }
    isOneOrMany = true
    element.merge(takeLoneValues())
    lists = present
  }

  /// Whether elements have the same type as values beside their lists.
  private func isLike(_ other: SampleShape, besidesLists count: Int) -> Bool {
    guard nulls == 0 else { return false }
    return isObject && other.objects == count || isNumber && other.integers + other.fractions == count
      || isText && other.texts.count == count || isBool && other.bools == count
  }

  /// Moves all values but lists to another shape.
  private func takeLoneValues() -> SampleShape {
    let lone = SampleShape()
    lone.count = present - lists
    (lone.bools, lone.trues, lone.objects) = (bools, trues, objects)
    (lone.integers, lone.fractions, lone.range) = (integers, fractions, range)
    (lone.hugeIntegers, lone.hasLongFractions) = (hugeIntegers, hasLongFractions)
    lone.hasManyValues = hasManyValues
    (lone.texts, lone.values, lone.keys, lone.members) = (texts, values, keys, members)
    (lone.entries, entries) = (entries, nil)
    (lone.seenRows, seenRows) = (seenRows, SeenRows())
    (bools, trues, objects, integers, fractions, range) = (0, 0, 0, 0, 0, nil)
    (hugeIntegers, hasLongFractions, hasManyValues) = (0, false, false)
    (texts, values, keys, members) = (TextSample(), [], [], [:])
    return lone
  }

  /// Replaces a shape by the one into which it was merged.
  func replace(_ old: SampleShape, by new: SampleShape) {
    if element === old { element = new }
    union?.replace(old, by: new)
    if entries === old { entries = new }
    for key in keys where members[key] === old { members[key] = new }
  }
}
