/// The pending targets of a payload's relationships, by place, in the order of the decisions.
///
/// A place with a single integer target takes about fifty bytes. There may be as many as the payload has keys.
struct PendingDecisions {
  typealias Number = Int

  private struct Entry {
    /// The target; if there is not exactly one, the index of a list.
    var target: Int64 = 0
    /// Where the statement begins in the payload.
    var begin = 0
    /// The index in a path that differs from row to row.
    var element: UInt32 = 0
    /// The rest of the path, numbered from one; 0 if nothing is reported.
    var path: UInt32 = 0
    /// The number of the relationship. It follows the larger fields, so that it needs no padding.
    var end: UInt32 = 0
    var state: State = []
  }

  private struct State: OptionSet {
    let rawValue: UInt16
    /// The target is an identity that is stored separately.
    static let targetIsKept = State(rawValue: 2)
    static let hasTarget = State(rawValue: 4)
    static let hasList = State(rawValue: 8)
    /// Whether these are all targets that the relationship waits for.
    static let isComplete = State(rawValue: 16)
    static let isForgotten = State(rawValue: 64)
    /// The store has the same pending link, and its target was not stored when the payload was read.
    static let isStored = State(rawValue: 128)
    static let targets: State = [.hasTarget, .hasList, .targetIsKept]
  }

  private var entries = RowTable<Entry>(salt: { UInt64($0.end) })
  private var ends: [LinkEnd] = []
  private var endNumbers: [LinkEnd: UInt32] = [:]
  private var forgotten = 0
  private var lists: [[SyncIdentity]] = []
  /// The elements of the lists to which targets were added.
  private var elements: [Int: Set<SyncIdentity>] = [:]
  private var paths: [PathParts] = []
  private var pathNumbers: [PathParts: UInt32] = [:]

  var count: Int { entries.count }
  var isEmpty: Bool { count == forgotten }

  /// The number of a decided place; nil for others.
  mutating func number(of place: LinkPlace) -> Number? {
    guard let end = endNumbers[place.end] else { return nil }
    entries.index()
    return entries.number(of: place.owner, salt: UInt64(end)) {
      $0.end == end && !$0.state.contains(.isForgotten)
    }
  }

  private mutating func number(of end: LinkEnd) -> UInt32 {
    if let last = ends.last, last === end { return UInt32(truncatingIfNeeded: ends.count - 1) }
    if let known = endNumbers[end] { return known }
    let number = UInt32(truncatingIfNeeded: ends.count)
    ends.append(end)
    endNumbers[end] = number
    return number
  }

  func place(_ number: Number) -> LinkPlace { LinkPlace(end: end(number), owner: entries.row(number)) }

  func end(_ number: Number) -> LinkEnd { ends[Int(entries[number].end)] }

  // MARK: Decisions

  /// Decides a place, for the first time or again.
  ///
  /// - Parameter problem: where to report a target that stays missing.
  mutating func decide(
    _ place: LinkPlace, at known: Number?, waitsFor targets: [SyncIdentity], begin: Int, isComplete: Bool,
    _ problem: PathParts? = nil
  ) {
    let number = known ?? entries.append(place.owner, Entry(end: self.number(of: place.end)))
    entries[number].begin = begin
    entries[number].state.remove(.isComplete)
    if isComplete { entries[number].state.insert(.isComplete) }
    set(targets, at: number)
    if let problem { set(problem, at: number) }
  }

  /// Decides that a place waits for the target that it has a stored pending link to.
  mutating func decide(
    _ place: LinkPlace, waitsAgainFor target: SyncIdentity, begin: Int, _ problem: PathParts
  ) {
    let number = entries.append(place.owner, Entry(end: self.number(of: place.end)), isIndexed: false)
    let (value, isKept) = entries.keep(target)
    entries[number].begin = begin
    entries[number].target = value
    entries[number].state =
      isKept ? [.isComplete, .isStored, .hasTarget, .targetIsKept] : [.isComplete, .isStored, .hasTarget]
    set(problem, at: number)
  }

  mutating func forget(_ place: LinkPlace) {
    guard let number = number(of: place) else { return }
    entries[number].state.insert(.isForgotten)
    forgotten += 1
  }

  func begin(_ number: Number) -> Int { entries[number].begin }
  func isComplete(_ number: Number) -> Bool { entries[number].state.contains(.isComplete) }
  func isForgotten(_ number: Number) -> Bool { entries[number].state.contains(.isForgotten) }

  func isStored(_ number: Number) -> Bool { entries[number].state.contains(.isStored) }

  // MARK: Targets

  func hasTargets(_ number: Number) -> Bool {
    let entry = entries[number]
    return entry.state.contains(.hasTarget)
      || entry.state.contains(.hasList) && !lists[Int(truncatingIfNeeded: entry.target)].isEmpty
  }

  func targets(_ number: Number) -> [SyncIdentity] {
    let entry = entries[number]
    if entry.state.contains(.hasTarget) {
      return [entries.identity(entry.target, isKept: entry.state.contains(.targetIsKept))]
    }
    return entry.state.contains(.hasList) ? lists[Int(truncatingIfNeeded: entry.target)] : []
  }

  mutating func set(_ targets: [SyncIdentity], at number: Number) {
    if entries[number].state.contains(.hasList) {
      let list = Int(truncatingIfNeeded: entries[number].target)
      lists[list] = targets
      elements[list] = nil
    } else if targets.count > 1 {
      entries[number].state.subtract([.targets, .isStored])
      entries[number].state.insert(.hasList)
      entries[number].target = Int64(lists.count)
      lists.append(targets)
    } else if self.targets(number) != targets {
      entries[number].state.subtract([.targets, .isStored])
      guard let target = targets.first else { return }
      let (value, isKept) = entries.keep(target)
      entries[number].target = value
      entries[number].state.formUnion(isKept ? [.hasTarget, .targetIsKept] : .hasTarget)
    }
  }

  /// Adds targets that the place does not have yet.
  mutating func add(_ targets: [SyncIdentity], at number: Number) {
    guard entries[number].state.contains(.hasList) else {
      var all = self.targets(number)
      var present = Set(all)
      all += targets.filter { present.insert($0).inserted }
      return set(all, at: number)
    }
    let list = Int(truncatingIfNeeded: entries[number].target)
    var present = elements.removeValue(forKey: list) ?? Set(lists[list])
    for target in targets where present.insert(target).inserted { lists[list].append(target) }
    elements[list] = present
  }

  // MARK: Paths

  mutating func set(_ problem: PathParts, at number: Number) {
    var shared = problem
    shared.element = nil
    let path: UInt32
    if let last = paths.last, last == shared {
      path = UInt32(truncatingIfNeeded: paths.count)
    } else if let known = pathNumbers[shared] {
      path = known
    } else {
      paths.append(shared)
      path = UInt32(truncatingIfNeeded: paths.count)
      pathNumbers[shared] = path
    }
    entries[number].path = path
    entries[number].element = UInt32(clamping: problem.element ?? 0)
  }

  /// Where to report a place's target that stays missing.
  func problem(_ number: Number) -> PathParts {
    let entry = entries[number]
    guard entry.path > 0 else { return PathParts(path: "", row: nil) }
    var parts = paths[Int(entry.path) - 1]
    parts.element = Int(entry.element)
    return parts
  }
}
