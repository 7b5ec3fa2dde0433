import Syncline

/// Statistics of the values at one position of sample payloads.
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
  private(set) var hasNullElements = false
  private(set) var longestList = 0
  private(set) var texts = TextSample()
  /// The number of empty strings, until ``settle(isElement:)`` decides what they mean.
  private(set) var blanks = 0
  /// The values that were interpreted as null, in schema syntax.
  private(set) var nullWords: [String] = []
  /// Whether both single values and lists of such values were seen.
  private(set) var isOneOrMany = false
  /// The number of integers that exceed `Int`. They are also counted in ``fractions``.
  private(set) var hugeIntegers = 0
  /// Whether a fraction has more digits than a `Double` can hold.
  private(set) var hasLongFractions = false
  /// The smallest and the largest integer.
  private(set) var range: ClosedRange<Int>?
  /// The keys of objects, in the order of their first occurrence.
  private(set) var keys: [String] = []
  private(set) var members: [String: SampleShape] = [:]
  /// The values of objects that are used as maps. ``members`` is then empty.
  private(set) var entries: SampleShape?
  /// The kinds of objects that a key distinguishes. ``members`` is then empty.
  private(set) var union: SampleUnion?
  private(set) var element: SampleShape?
  /// The distinct scalars, up to a limit.
  private(set) var values: Set<String> = []
  private(set) var hasManyValues = false
  /// The list that contained each element's identity, to find out whether an identity was in two lists.
  private(set) var owners: [String: Int] = [:]
  private(set) var isShared = false
  private(set) var listNumbers: Set<Int> = []
  private(set) var seenRows = SeenRows()
  /// The keys under which two elements of one list have a row with the same identity.
  private(set) var repeatedRows: Set<String> = []
  /// Whether the keys of the objects are chosen by the users of the API.
  private(set) var isFreeForm = false
  /// The names suggested by the keys under which rows were found, with the number of rows for each.
  private(set) var names: [String: Int] = [:]

  private static let valueLimit = 50_000
  static let levelLimit = 60
  /// The number of keys above which they are treated as data, since a table cannot have more columns.
  private static let keyLimit = 2_000
  /// The usual names of identities, most likely first.
  static let identityKeys = [
    "id", "uuid", "guid", "_id", "ID", "Id", "remote_id", "remoteId", "id_str", "gid", "sid", "uid", "sys_id",
  ]

  var present: Int { count - nulls }

  /// The types of the values, ignoring null.
  var isObject: Bool { objects > 0 && objects == present }
  var isList: Bool { lists > 0 && lists == present }
  var isText: Bool { texts.count > 0 && texts.count == present }
  var isBool: Bool { bools > 0 && bools == present }
  var isInteger: Bool { integers > 0 && integers == present }
  var isNumber: Bool { integers + fractions > 0 && integers + fractions == present }
  /// Whether there are numbers that exceed both `Int` and `Double`.
  var areLongNumbers: Bool { hugeIntegers > 0 || hasLongFractions }
  /// Whether all values are strings or integers, as identities are.
  var isWholeOrText: Bool { present > 0 && texts.count + integers + hugeIntegers == present }
  /// Whether there are strings, and all other values are numbers, which can be read as strings.
  var isTextOrNumber: Bool { texts.count > 0 && texts.count + integers + fractions == present }
  /// The possible rows at this position: an object, or the elements of a list or a map.
  var row: SampleShape? { isList ? element?.node ?? element : entries ?? self }
  /// The rows in objects that contain nothing else.
  private var node: SampleShape? { nodeKey.flatMap { members[$0] } }
  /// The key of the rows in objects that contain nothing else: `node` in the edges of a GraphQL connection, which may also have a
  /// cursor, and `tag` in `[{"tag": {"id": 1}}]`.
  var nodeKey: String? {
    let others = keys.filter { $0 != "cursor" && !KeyWords.isOnlyKind($0) }
    // A node that is merged with rows of other places has a higher count.
    guard isObject, others.count == 1, case let key = others[0], RowKinds.isPlain(key),
      let node = members[key], node.isObject, node.count >= objects,
      key == "node"
        || (!repeatedRows.contains(key) && RowKinds.identity(of: node, named: DraftName.type(key)) != nil)
    else { return nil }
    return key
  }
  var isScalar: Bool { present > 0 && objects == 0 && lists == 0 }

  /// Whether the objects are MongoDB's form of a single value, such as `{"$date": "2009-04-01T00:00:00Z"}`.
  var isExtendedJSON: Bool {
    isObject && (keys == ["$date"] || keys == ["$oid"]) && members[keys[0]]?.isScalar ?? false
  }

  /// The string that all objects have under a key; nil if they have different ones.
  func onlyText(of key: String) -> String? {
    guard let value = members[key], value.isText, value.count == objects, value.texts.counts.count == 1 else {
      return nil
    }
    return value.texts.counts.keys.first
  }

  /// Whether the objects contain a text in several languages, one of which is Indonesian: `id`.
  var isOfLanguages: Bool {
    (members["id"]?.isText ?? false) && members["en"] != nil && keys.allSatisfy(KeyWords.isLanguage)
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
      element.noteRepeatedRows(elements)
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
    // Only JSON has such a number.
    guard number.double.isFinite else { return }
    let isWhole = !number.text.utf8.contains { ".eE".utf8.contains($0) }
    guard isWhole, let integer = number.integer.map(Int.init(truncatingIfNeeded:)) else {
      if isWhole { hugeIntegers += 1 } else if Self.isLong(number.text) { hasLongFractions = true }
      fractions += 1
      if let integer = Int(exactly: number.double.rounded(.down)) { widenRange(to: integer) }
      return
    }
    integers += 1
    widenRange(to: integer)
  }

  private func widenRange(to integer: Int) {
    range = range.map { min($0.lowerBound, integer)...max($0.upperBound, integer) } ?? integer...integer
  }

  /// Whether a number has more than 17 digits, which exceeds a `Double`, but not more than a `Decimal` holds.
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
    guard let identity = SampleShape.identity(of: value) else { return }
    listNumbers.insert(list)
    if let known = owners.updateValue(list, forKey: identity), known != list { isShared = true }
  }

  private func noteRepeatedRows(_ elements: some Collection<SyncJSON>) {
    guard elements.count > 1 else { return }
    var seen: [String: Set<String>] = [:]
    for (key, value) in elements.lazy.compactMap(\.object).joined() where !repeatedRows.contains(key) {
      guard let identity = SampleShape.identity(of: value) else { continue }
      if !seen[key, default: []].insert(identity).inserted { repeatedRows.insert(key) }
    }
  }

  private static func identity(of value: SyncJSON) -> String? {
    guard let object = value.object else { return nil }
    let keys = [identityKeys, KeyWords.accountKeys].lazy.joined()
    return keys.compactMap { object[$0] }.first?.description
  }

  /// Treats the objects as maps: all members are merged into one shape, ``entries``.
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
    // An identity in lists at two positions belongs to two owners.
    repeatedRows.formUnion(other.repeatedRows)
    isFreeForm = isFreeForm || other.isFreeForm
    names.merge(other.names, uniquingKeysWith: +)
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

  /// Merges the unions of two positions. The result has no union if their keys differ, or if objects at one position have none.
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

  /// Records a name of the rows, and returns the number of rows that have it. Later, rows with other names may be merged.
  func note(name: String) -> Int {
    let rows = names[name] ?? objects
    names[name] = rows
    return rows
  }

  /// Records that the objects are of one kind, even if their values contradict each other.
  func uniteRows() { seenRows.forgetComparisons() }

  /// Records that the objects are of several kinds.
  func split(into union: SampleUnion) {
    (keys, members) = ([], [:])
    self.union = union
  }

  // MARK: Settling

  /// Decides the meaning of values that do not match the others: null, or a list of one. Called once, after all values were
  /// added.
  ///
  /// - Parameters:
  ///   - isElement: whether the values are elements of a list, none of which can mean null.
  ///   - isRoot: whether the values are the rows of the sample, which are not used as maps.
  ///   - key: the key of the values.
  func settle(isElement: Bool = false, isRoot: Bool = false, named key: String = "") {
    if !isElement {
      settleFalse()
      settleBlanks(named: key)
    }
    keepBlanks()
    if !isElement {
      settleEmptyLists()
      resolveSingleValues()
    }
    for key in keys { members[key]?.settle(named: key) }
    entries?.settle(isElement: true)
    if !isElement, KeyedObjects.areFreeForm(self, named: key) {
      isFreeForm = true
      takeEntries()
    }
    if !isRoot, entries == nil, KeyedObjects.isKeyed(self) { takeEntries() }
    element?.settle(isElement: true)
  }

  /// Whether the given number of values have one type.
  private func haveOneType(_ count: Int) -> Bool {
    count > 0
      && (objects + lists == count || integers + fractions == count || texts.count == count || bools == count)
  }

  /// Interprets `false` as null if all other values have another type.
  private func settleFalse() {
    guard bools > 0, trues == 0, bools < present, haveOneType(present - bools - blanks) else { return }
    nulls += bools
    bools = 0
    nullWords.append("false")
  }

  /// Interprets `""` as null if all other values are not strings, or strings that contain numbers, dates and the like. If there
  /// are no others, the name may be that of a time.
  private func settleBlanks(named key: String) {
    let others = present - blanks
    let isTime = others == 0 && ScalarGuess.isLaterTime(KeyWords.words(of: key))
    guard blanks > 0, isTime || haveOneType(others), texts.count == 0 || texts.areValues else { return }
    nulls += blanks
    blanks = 0
    nullWords.append("\"\"")
  }

  /// Keeps `""` as a string.
  private func keepBlanks() {
    for _ in 0..<blanks {
      texts.add("")
      remember("")
    }
    blanks = 0
  }

  /// Interprets `[]` as null. If the other values are objects, `[]` is an empty object of PHP, which needs no attribute.
  private func settleEmptyLists() {
    guard lists > 0, longestList == 0, lists < present, objects == 0 || objects == present - lists else {
      return
    }
    if objects == 0 { nullWords.append("[]") }
    nulls += lists
    lists = 0
    element = nil
  }

  /// Interprets a single value as a list of one if other values are lists of this type, even if no list had several elements yet.
  private func resolveSingleValues() {
    guard let element, lists > 0, lists < present else { return }
    element.keepBlanks()
    guard element.isLike(self, besidesLists: present - lists) else { return }
    isOneOrMany = true
    element.merge(extractSingleValues())
    lists = present
  }

  /// Whether elements have the same type as the values that are not lists.
  private func isLike(_ other: SampleShape, besidesLists count: Int) -> Bool {
    guard nulls == 0 else { return false }
    return isObject && other.objects == count || isNumber && other.integers + other.fractions == count
      || isText && other.texts.count == count || isBool && other.bools == count
  }

  /// Moves all values except lists to another shape.
  private func extractSingleValues() -> SampleShape {
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

  /// Replaces a shape by the shape that it was merged into.
  func replace(_ old: SampleShape, by new: SampleShape) {
    if element === old { element = new }
    union?.replace(old, by: new)
    if entries === old { entries = new }
    for key in keys where members[key] === old { members[key] = new }
  }
}
