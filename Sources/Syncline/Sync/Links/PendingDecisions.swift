/// What a payload says that relationships wait for, by their places, in the order in which these were decided.
///
/// A place with one target that is a number takes about sixty bytes: there may be as many as the payload has keys.
struct PendingDecisions {
  /// The number of a place, in the order in which they were decided.
  typealias Number = Int

  struct Entry {
    unowned(unsafe) let end: LinkEnd
    let owner: Int64
    /// What is waited for; the number of the list for what is no single target.
    var target: Int64 = 0
    /// Where the statement begins in the text of the payload.
    var begin = 0
    /// The number in a path that differs from row to row.
    var element: UInt32 = 0
    /// The rest of the path, counted from one; 0 where nothing is reported.
    var path: UInt32 = 0
    var state: State = []
  }

  struct State: OptionSet {
    let rawValue: UInt16
    /// The owner, or the target, is an identity that is kept elsewhere.
    static let ownerIsKept = State(rawValue: 1)
    static let targetIsKept = State(rawValue: 2)
    static let hasTarget = State(rawValue: 4)
    static let hasList = State(rawValue: 8)
    /// Whether it is all that the relationship waits for.
    static let isComplete = State(rawValue: 16)
    static let isResolved = State(rawValue: 32)
    static let isForgotten = State(rawValue: 64)
    static let targets: State = [.hasTarget, .hasList, .targetIsKept]
  }

  /// Entries, a thousand together: an array of all would be copied as it grows.
  private var chunks: [ContiguousArray<Entry>] = []
  private static let chunkSize = 1_024
  private var forgotten = 0
  /// The entries by the hashes of their places, counted from one; 0 is an empty slot.
  private var slots: ContiguousArray<UInt32> = []
  /// Identities that are no numbers.
  private var identities: ContiguousArray<SyncIdentity> = []
  private var lists: [[SyncIdentity]] = []
  /// The parents of owners that are known within their parents only.
  private var parents: [Number: SyncIdentity] = [:]
  private var paths: [PathParts] = []
  private var pathNumbers: [PathParts: UInt32] = [:]

  private(set) var count = 0
  var isEmpty: Bool { count == forgotten }

  private subscript(entry number: Number) -> Entry {
    get { chunks[number / Self.chunkSize][number % Self.chunkSize] }
    set { chunks[number / Self.chunkSize][number % Self.chunkSize] = newValue }
  }

  // MARK: Places

  /// The number of a place that was decided; nil for others.
  func number(of place: LinkPlace) -> Number? {
    guard count > 0 else { return nil }
    var slot = slot(of: hash(place.end, place.owner.identity))
    while slots[slot] != 0 {
      let number = Number(slots[slot] - 1)
      if isOf(place, self[entry: number], number) { return number }
      slot = slot + 1 == slots.count ? 0 : slot + 1
    }
    return nil
  }

  private func isOf(_ place: LinkPlace, _ entry: Entry, _ number: Number) -> Bool {
    guard entry.end === place.end, !entry.state.contains(.isForgotten) else { return false }
    guard identity(entry.owner, isKept: entry.state.contains(.ownerIsKept)) == place.owner.identity else {
      return false
    }
    return place.owner.parent == (parents.isEmpty ? nil : parents[number])
  }

  func place(_ number: Number) -> LinkPlace {
    let entry = self[entry: number]
    return LinkPlace(
      end: entry.end,
      owner: RowKey(
        identity: identity(entry.owner, isKept: entry.state.contains(.ownerIsKept)),
        parent: parents.isEmpty ? nil : parents[number]))
  }

  private func hash(_ end: LinkEnd, _ owner: SyncIdentity) -> UInt64 {
    let position = UInt64(truncatingIfNeeded: end.owner << 16 ^ end.position)
    return owner.hash(from: SyncIdentity.hashSeed ^ position)
  }

  private func slot(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  private mutating func occupySlot(_ number: Number, _ end: LinkEnd, _ owner: SyncIdentity) {
    var slot = slot(of: hash(end, owner))
    while slots[slot] != 0 { slot = slot + 1 == slots.count ? 0 : slot + 1 }
    slots[slot] = UInt32(truncatingIfNeeded: number + 1)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: max(64, slots.count + slots.count / 2))
    for number in 0..<count {
      let entry = self[entry: number]
      occupySlot(number, entry.end, identity(entry.owner, isKept: entry.state.contains(.ownerIsKept)))
    }
  }

  // MARK: Decisions

  /// Decides a place, for the first time or otherwise than before.
  ///
  /// - Parameter problem: where a target that stays away is reported.
  mutating func decide(
    _ place: LinkPlace, at known: Number?, waitsFor targets: [SyncIdentity], begin: Int, isComplete: Bool,
    _ problem: PathParts? = nil
  ) {
    let number = known ?? append(place)
    self[entry: number].begin = begin
    if isComplete {
      self[entry: number].state.insert(.isComplete)
    } else {
      self[entry: number].state.remove(.isComplete)
    }
    set(targets, at: number)
    if let problem { set(problem, at: number) }
  }

  private mutating func append(_ place: LinkPlace) -> Number {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let number = count
    if number % Self.chunkSize == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
    }
    let (owner, isKept) = keep(place.owner.identity)
    chunks[chunks.count - 1].append(
      Entry(end: place.end, owner: owner, state: isKept ? .ownerIsKept : []))
    if let parent = place.owner.parent { parents[number] = parent }
    count += 1
    occupySlot(number, place.end, place.owner.identity)
    return number
  }

  /// Forgets what was decided of a place.
  mutating func forget(_ place: LinkPlace) {
    guard let number = number(of: place) else { return }
    self[entry: number].state.insert(.isForgotten)
    forgotten += 1
  }

  func begin(_ number: Number) -> Int { self[entry: number].begin }
  func isComplete(_ number: Number) -> Bool { self[entry: number].state.contains(.isComplete) }
  func isForgotten(_ number: Number) -> Bool { self[entry: number].state.contains(.isForgotten) }

  /// Whether it was looked for the targets since they were decided.
  func isResolved(_ number: Number) -> Bool { self[entry: number].state.contains(.isResolved) }

  mutating func setResolved(_ number: Number, _ isResolved: Bool) {
    if isResolved {
      self[entry: number].state.insert(.isResolved)
    } else {
      self[entry: number].state.remove(.isResolved)
    }
  }

  // MARK: Targets

  func hasTargets(_ number: Number) -> Bool {
    let entry = self[entry: number]
    return entry.state.contains(.hasTarget)
      || entry.state.contains(.hasList) && !lists[Int(truncatingIfNeeded: entry.target)].isEmpty
  }

  /// What a place waits for.
  func targets(_ number: Number) -> [SyncIdentity] {
    let entry = self[entry: number]
    if entry.state.contains(.hasTarget) {
      return [identity(entry.target, isKept: entry.state.contains(.targetIsKept))]
    }
    return entry.state.contains(.hasList) ? lists[Int(truncatingIfNeeded: entry.target)] : []
  }

  mutating func set(_ targets: [SyncIdentity], at number: Number) {
    if self[entry: number].state.contains(.hasList) {
      lists[Int(truncatingIfNeeded: self[entry: number].target)] = targets
    } else if targets.count > 1 {
      self[entry: number].state.subtract(.targets)
      self[entry: number].state.insert(.hasList)
      self[entry: number].target = Int64(lists.count)
      lists.append(targets)
    } else if self.targets(number) != targets {
      self[entry: number].state.subtract(.targets)
      guard let target = targets.first else { return }
      let (value, isKept) = keep(target)
      self[entry: number].target = value
      self[entry: number].state.formUnion(isKept ? [.hasTarget, .targetIsKept] : .hasTarget)
    }
  }

  /// Adds targets that are not among those of a place.
  mutating func add(_ targets: [SyncIdentity], at number: Number) {
    var all = self.targets(number)
    var present = Set(all)
    all += targets.filter { present.insert($0).inserted }
    set(all, at: number)
  }

  private mutating func keep(_ identity: SyncIdentity) -> (value: Int64, isKept: Bool) {
    if case .integer(let value) = identity { return (value, false) }
    identities.append(identity)
    return (Int64(identities.count - 1), true)
  }

  private func identity(_ value: Int64, isKept: Bool) -> SyncIdentity {
    isKept ? identities[Int(truncatingIfNeeded: value)] : .integer(value)
  }

  // MARK: Paths

  mutating func set(_ problem: PathParts, at number: Number) {
    var shared = problem
    shared.element = nil
    let path: UInt32
    if let known = pathNumbers[shared] {
      path = known
    } else {
      paths.append(shared)
      path = UInt32(truncatingIfNeeded: paths.count)
      pathNumbers[shared] = path
    }
    self[entry: number].path = path
    self[entry: number].element = UInt32(clamping: problem.element ?? 0)
  }

  /// Where a target of a place that stays away is reported.
  func problem(_ number: Number) -> (path: String, row: Int?) {
    let entry = self[entry: number]
    guard entry.path > 0 else { return ("", nil) }
    var parts = paths[Int(entry.path) - 1]
    parts.element = Int(entry.element)
    return (parts.path, parts.row)
  }
}
