/// Merges the values that a row's objects have for a property with `@Merged` into the stored value.
struct MergedValue<Value: SyncScalar> {
  private enum State {
    case absent, value, null, unreadable
  }

  /// The merged value; the stored one if no object has a value.
  private(set) var value: Value?
  /// Whether an object has a readable value or null.
  private(set) var isStated = false
  /// The value of the last object that has one.
  private var state = State.absent
  private var inexact: [(object: PayloadObject, cursor: CandidateCursor, faults: [SyncFault])] = []
  private var unreadable: [(object: PayloadObject, cursor: CandidateCursor)] = []
  /// The objects after the last null: the index of the first one, and how many values before it are in `inexact` and `unreadable`.
  private var afterNull = (object: 0, inexact: 0, unreadable: 0)
  /// Whether an object after the last null was unreadable when there was no value yet.
  private var isIncomplete = false

  /// Merges the values of all objects of a row in their order. An object that does not contain a complete value adds its members to
  /// the value of a later object.
  init(_ stored: Value?, from object: PayloadObject, at key: SyncKey) {
    value = stored
    let parts = object.parts
    for (index, part) in parts.enumerated() {
      add(part, key)
      if state == .null {
        afterNull = (index + 1, inexact.count, unreadable.count)
        isIncomplete = false
      }
    }
    guard isIncomplete, value != nil else { return }
    inexact.removeSubrange(afterNull.inexact...)
    unreadable.removeSubrange(afterNull.unreadable...)
    for part in parts[afterNull.object...] { add(part, key) }
  }

  private mutating func add(_ object: PayloadObject, _ key: SyncKey) {
    var cursor = object.cursor(key)
    let form = object.form(object.format(key))
    while let json = object.nextOfItself(&cursor) {
      let reading = Value.syncMerge(json, into: &value, form: form)
      if reading.isRead {
        (isStated, state) = (true, .value)
        if !reading.faults.isEmpty { inexact.append((object, cursor, reading.faults)) }
        return
      }
      if reading.isNull {
        object.noteNull(&cursor)
        break
      }
      object.noteUnreadable(reading.faults, json, &cursor)
    }
    if cursor.isNull {
      (value, isStated, state) = (nil, true, .null)
    } else if !cursor.isAbsent {
      state = .unreadable
      if value == nil { isIncomplete = true }
      unreadable.append((object, cursor))
    }
  }

  /// The value of a required property; nil if it is absent.
  ///
  /// - Throws: an error if the last object's value is unreadable, or null where the type has no value for it.
  func required(in object: PayloadObject, at key: SyncKey) throws -> Value? {
    switch state {
    case .value, .absent: return value
    case .null:
      if let value = Value.syncValueForNull { return value }
      var cursor = object.cursor(key)
      object.noteNull(&cursor)
      throw object.error(cursor, property: object.name(key), type: Value.self)
    case .unreadable:
      let (part, cursor) = unreadable[unreadable.count - 1]
      throw part.error(cursor, property: object.name(key), type: Value.self)
    }
  }

  /// Reports the values that could not be read.
  ///
  /// - Parameter action: what was done where a value could not be read at all; nil if it was left out.
  func report(_ action: SyncProblem.Action? = nil) {
    let action = action ?? (value == nil ? .usedNil : .keptStoredValue)
    for (object, cursor, faults) in inexact { object.report(faults, cursor) }
    for (object, cursor) in unreadable { object.reportUnreadable(cursor, Value.self, action) }
  }
}

extension PayloadObject {
  /// The objects of the row from which its values are read, the earliest first.
  var parts: [PayloadObject] { sequence(first: self, next: \.earlier).reversed() }
}
