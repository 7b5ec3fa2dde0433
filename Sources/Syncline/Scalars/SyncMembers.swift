import SynclineNaming

/// The members of a ``SyncStruct`` in order. Generated code creates it.
@_spi(Generated)
public final class SyncMembers: Sendable {
  /// The name of the struct.
  let name: String
  let members: [SyncMember]
  /// The members in stored order, which is by name and independent of the schema's order, prepared for writing.
  private let written: [WrittenMember]
  private let styled: StyledValues<KeyTable>
  /// The keys of exported objects, where no value means null.
  private let exported: StyledValues<KeyTable>
  private let swift: KeyTable

  /// Creates the members of a struct.
  public init(_ name: String, _ members: [SyncMember]) {
    self.name = name
    self.members = members
    let order = members.indices.sorted {
      String.UTF8Key(members[$0].name) < String.UTF8Key(members[$1].name)
    }
    written = order.map { WrittenMember(members[$0], at: $0) }
    let nulls = members.map(\.nulls)
    // Lone values of lists are read by the members' forms.
    let oneOrMany: [OneOrMany?] = members.map { $0.oneOrMany == .one ? .one : nil }
    let neverNil = Set(members.indices.filter { !members[$0].isOptional })
    styled = StyledValues { style in
      KeyTable(members.map { $0.keys(in: style) }, nulls: nulls, oneOrMany: oneOrMany, required: neverNil)
    }
    exported =
      nulls.contains { $0 != nil }
      ? StyledValues { style in
        KeyTable(members.map { $0.keys(in: style) }, oneOrMany: oneOrMany, required: neverNil)
      } : styled
    swift = KeyTable(members.map { [$0.name] + $0.renamedFrom })
  }

  var inStoredOrder: [SyncMember] { written.map { members[$0.index] } }

  func keys(_ form: SyncForm) -> KeyTable {
    switch form.names {
    case .keys(let style): styled[style]
    case .exported(let style): exported[style]
    case .swift: swift
    }
  }

  /// Calls the body with the position of the value for each name of a key table; -1 for absent ones.
  func withPositions<Result>(
    in object: SyncValue, _ form: SyncForm, _ body: (Positions) -> Result
  ) -> Result {
    let keys = keys(form)
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: keys.names.count) { output in
      output.initialize(repeating: -1)
      var next = 0
      object.forEachMember { key, value in
        let position = keys.position(of: key, near: next)
        guard position >= 0 else { return }
        output[position] = Int32(truncatingIfNeeded: value.position)
        next = position + 1
      }
      return body(Positions(keys: keys, values: output))
    }
  }

  /// The positions of the values of an object's names, valid during a call.
  struct Positions {
    let keys: KeyTable
    let values: UnsafeMutableBufferPointer<Int32>

    /// The value of a member's first candidate that is present.
    @inline(__always)
    func first(of member: Int, in object: SyncValue) -> SyncValue.Lookup {
      for entry in keys.entries(of: member) {
        let lookup = lookUp(entry, of: member, in: object)
        if case .absent = lookup { continue }
        return lookup
      }
      return .absent
    }

    @inline(__always)
    func lookUp(_ entry: Int, of member: Int, in object: SyncValue) -> SyncValue.Lookup {
      let candidate = keys.entries[entry]
      let position = values[Int(candidate.name)]
      guard position >= 0 else { return .absent }
      let value = SyncValue(bytes: object.bytes, nodes: object.nodes, position: Int(position))
      if candidate.isPath {
        return keys.candidates[member][entry - keys.entries(of: member).lowerBound].follow(value)
      }
      return value.isNull ? .null : .found(value)
    }
  }

  /// Writes an object's members in stored form.
  func transcribe(
    _ object: SyncValue, _ positions: Positions, _ form: SyncForm, to text: inout SyncStoredText
  ) -> Bool {
    var separator: Unicode.Scalar = "{"
    for member in written {
      switch positions.first(of: member.index, in: object) {
      case .found(let value):
        text.write(byte: separator)
        text.write(member.key)
        guard member.transcribe(value, form.with(member.own), &text) else { return false }
      // Nil is omitted.
      case .null where member.isOptional, .absent where member.isOptional && member.fallback == nil:
        continue
      case .absent:
        guard let value = member.fallback else { return false }
        text.write(byte: separator)
        text.write(member.key)
        text.write(value)
      case .null, .unreadable: return false
      }
      separator = ","
    }
    if separator == "{" { text.write(byte: separator) }
    text.write(byte: "}")
    return true
  }

  /// Whether an object has members that exports omit.
  func statesUnexported(_ object: SyncValue, _ positions: Positions, _ form: SyncForm) -> Bool {
    members.indices.contains { index in
      positions.keys.entries(of: index).contains { entry in
        switch positions.lookUp(entry, of: index, in: object) {
        case .absent: return false
        case .null, .unreadable: return !members[index].isExported
        case .found(let value):
          return !members[index].isExported
            || members[index].type.syncStatesUnexported(value, form: form.with(members[index].own))
        }
      }
    }
  }

  /// The parts of an object that cannot be read.
  func faults(in object: SyncValue, _ positions: Positions, _ form: SyncForm) -> [SyncFault] {
    members.indices.flatMap { index -> [SyncFault] in
      let member = members[index]
      let (faults, isReadable) = faults(of: index, in: object, positions, form)
      guard !isReadable, member.isOptional else { return faults }
      return faults.map { $0.replaced(member.storedDefault == nil ? .usedNil : .usedDefault) }
    }
  }

  private func faults(
    of index: Int, in object: SyncValue, _ positions: Positions, _ form: SyncForm
  ) -> (faults: [SyncFault], isReadable: Bool) {
    let member = members[index]
    var first: [SyncFault] = []
    for entry in positions.keys.entries(of: index) {
      let lookup = positions.lookUp(entry, of: index, in: object)
      let step = ".\(positions.keys.text(of: entry, property: index))"
      var faults: [SyncFault] = []
      switch lookup {
      case .absent: continue
      case .null where member.isOptional || member.takesNull: return ([], true)
      case .null, .unreadable: break
      case .found(let value):
        let form = form.with(member.own)
        faults = member.type.syncFaults(in: value, form: form).map { $0.inside(step) }
        if member.isReadable(value, form) { return (faults, true) }
      }
      guard first.isEmpty else { continue }
      // An empty list is not an error by itself, but null is one for a required struct.
      first = faults.isEmpty ? [SyncFault(unreadable: lookup, member, at: step)] : faults
    }
    if !first.isEmpty { return (first, false) }
    guard !member.isOptional, member.storedDefault == nil else { return ([], true) }
    let key = positions.keys.candidates[index].first?.text ?? member.name
    return ([SyncFault(.missingMember(key), at: ".\(key)")], false)
  }
}

extension KeyTable {
  /// The key of an entry of a property.
  func text(of entry: Int, property: Int) -> String {
    candidates[property][entry - entries(of: property).lowerBound].text
  }
}

/// The data for writing a member. It is a class, so that iterating over members counts one reference each.
private final class WrittenMember: Sendable {
  let index: Int
  let isOptional: Bool
  /// The name and the colon after it.
  let key: [UInt8]
  let fallback: [UInt8]?
  let own: SyncForm.Own?
  let transcribe: @Sendable (SyncValue, SyncForm, inout SyncStoredText) -> Bool

  init(_ member: SyncMember, at index: Int) {
    self.index = index
    isOptional = member.isOptional
    key = member.storedKey
    fallback = member.storedDefault
    own = member.own
    transcribe = member.transcribe
  }
}
