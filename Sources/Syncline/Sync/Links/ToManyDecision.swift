/// Decides the members of a relationship from a list. The caller carries the decision out.
struct ToManyDecision {
  enum Element: Equatable {
    /// It is already a member.
    case member
    case added
    /// Its row is not stored yet.
    case waits
    /// It has no effect: the operations leave it out, or it is a duplicate.
    case ignored
  }

  private(set) var added: [SyncIdentity] = []
  /// The members whose rows are not stored yet.
  private(set) var waiting: [SyncIdentity] = []
  private let current: Set<SyncIdentity>
  /// The elements that are already members, including duplicates.
  private var confirmed: [SyncIdentity] = []
  private let canAdd: Bool
  private let isComplete: Bool
  /// The elements that are added or pending.
  private var known: Set<SyncIdentity> = []

  /// - Parameters:
  ///   - current: the members that are stored.
  ///   - canAdd: whether the operations add members.
  ///   - isComplete: whether the list has all members, and the operations remove the others.
  init(current: Set<SyncIdentity>, canAdd: Bool, isComplete: Bool) {
    self.current = current
    self.canAdd = canAdd
    self.isComplete = isComplete
  }

  /// - Parameters:
  ///   - isKept: whether it becomes a member, if it is not one yet. False for a row that is not kept, and for one that was made
  ///     for the list, which is already a member.
  ///   - exists: whether its row is stored. It is only evaluated if needed.
  @discardableResult
  mutating func add(
    _ element: SyncIdentity, isKept: Bool = true, exists: @autoclosure () throws -> Bool
  ) rethrows -> Element {
    if current.contains(element) {
      confirmed.append(element)
      return .member
    }
    guard isKept, canAdd, known.insert(element).inserted else { return .ignored }
    if try exists() {
      added.append(element)
      return .added
    }
    waiting.append(element)
    return .waits
  }

  /// The members that are missing from a complete list, in order.
  var removed: [SyncIdentity] {
    guard isComplete, !current.isEmpty else { return [] }
    // Fast path without lookups: most lists have all members, and many have them in order.
    let isInOrder = zip(confirmed, confirmed.dropFirst()).allSatisfy(<)
    return isInOrder && confirmed.count == current.count ? [] : current.subtracting(confirmed).sorted()
  }
}
