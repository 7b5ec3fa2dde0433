/// The stored value of a struct into which an object is merged, and the members of the object that could not be read.
final class MemberMerging {
  fileprivate var stored: SyncMemberReader
  fileprivate(set) var faults: [SyncFault] = []

  init(_ stored: SyncMemberReader) {
    self.stored = stored
  }
}

extension SyncMemberReader {
  /// The object's member, or the stored one if the object lacks it or it is unreadable.
  func merge<Value: SyncScalar>(
    _ type: Value.Type, _ index: Int, into merging: MemberMerging
  ) -> Found<Value> {
    let member = members.members[index]
    let form = form.with(member.own)
    let stored = merging.stored.stored(type, index)
    var unreadable: [SyncFault]?
    for entry in positions.keys.entries(of: index) {
      let lookup = positions.lookUp(entry, of: index, in: object)
      let step = ".\(positions.keys.text(of: entry, property: index))"
      var faults: [SyncFault]?
      switch lookup {
      case .absent: continue
      case .null where member.isOptional || member.takesNull: return .null
      case .null, .unreadable: break
      case .found(let value):
        var merged = stored
        let read =
          member.isMerged
          ? Value.syncMerge(value, into: &merged, form: form)
          : SyncMergedReading(replacing: &merged, with: value, form: form)
        if read.isRead, let merged {
          merging.faults += read.faults.map { $0.inside(step) }
          return .value(merged)
        }
        if read.isNull, member.isOptional || member.takesNull { return .null }
        if !read.isNull { faults = read.faults.map { $0.inside(step) } }
      }
      unreadable = unreadable ?? faults ?? [SyncFault(unreadable: lookup, member, at: step)]
    }
    merging.faults += unreadable?.map { $0.replaced(.keptStoredValue) } ?? []
    return stored.map { .value($0) } ?? .null
  }

  /// The member of a stored value; nil if it has none.
  fileprivate mutating func stored<Value: SyncScalar>(_ type: Value.Type, _ index: Int) -> Value? {
    switch read(type, index) {
    case .value(let value): value
    // Any JSON may be null.
    case .null: members.members[index].isOptional ? nil : Value.syncValueForNull
    case .absent, .unreadable: nil
    }
  }
}
