/// What a list says of the members of a relationship. It is decided from what is known, and carried out elsewhere.
struct ToManyDecision {
  /// What becomes of an element of the list.
  enum Element: Equatable {
    /// It is a member already.
    case member
    case added
    /// Its row is not there yet.
    case waits
    /// It says nothing: the operations leave it out, or it came before.
    case ignored
  }

  /// The members that new rows are to have.
  private(set) var added: [SyncIdentity] = []
  /// The members whose rows are not there yet.
  private(set) var waiting: [SyncIdentity] = []
  /// Whether the members stay that the list does not name.
  var keepsOthers = false
  private let current: Set<SyncIdentity>
  /// The elements that are members already, as often as the list has them.
  private var confirmed: [SyncIdentity] = []
  private let canAdd: Bool
  private let isComplete: Bool
  /// The elements that were added or wait.
  private var known: Set<SyncIdentity> = []

  /// - Parameters:
  ///   - current: the members that are stored.
  ///   - canAdd: whether the operations add members.
  ///   - isComplete: whether the list is all there is of the members, and the operations remove the others.
  init(current: Set<SyncIdentity>, canAdd: Bool, isComplete: Bool) {
    self.current = current
    self.canAdd = canAdd
    self.isComplete = isComplete
  }

  /// Takes the next element of the list.
  ///
  /// - Parameters:
  ///   - isKept: whether it is to become a member, if it is none. A row that is not kept is not; one that was made for the
  ///     list is already.
  ///   - exists: whether its row is stored. It is asked where that matters.
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

  /// The members that the list does not name, in order, where it is complete.
  var removed: [SyncIdentity] {
    guard isComplete, !keepsOthers, !current.isEmpty else { return [] }
    // Most lists name all members, and many in order, which takes no look-ups to see.
    let isInOrder = zip(confirmed, confirmed.dropFirst()).allSatisfy(<)
    return isInOrder && confirmed.count == current.count ? [] : current.subtracting(confirmed).sorted()
  }
}
