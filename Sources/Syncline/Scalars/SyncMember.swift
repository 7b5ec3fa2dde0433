import SynclineNaming

/// A member of a ``SyncStruct``. Generated code creates it.
@_spi(Generated)
public struct SyncMember: Sendable {
  let name: String
  let isOptional: Bool
  private let snakeKeys: [String]
  private let camelKeys: [String]
  /// The keys that the schema states; nil if the lists of keys show them.
  private var statedKeys: [String]?
  let type: any SyncScalar.Type
  /// Its date format, and whether a lone value is a list of one; nil for neither.
  private(set) var own: SyncForm.Own?
  /// Whether a list of one is read as its element, or a lone value as a list of one; nil without `@OneOrMany`.
  private(set) var oneOrMany: OneOrMany?
  private(set) var isExported = true
  /// Whether objects replace only the members of its value that they contain, if the struct itself is merged.
  private(set) var isMerged = false
  private(set) var renamedFrom: [String] = []
  /// The values that mean null.
  private(set) var nulls: NullWords?
  /// The name and the colon after it, in stored form.
  let storedKey: [UInt8]
  let storedDefault: [UInt8]?
  let takesNull: Bool
  let transcribe: @Sendable (SyncValue, SyncForm, inout SyncStoredText) -> Bool
  let isReadable: @Sendable (SyncValue, SyncForm) -> Bool

  /// Creates a member with a name and a type.
  ///
  /// Its JSON keys are derived from the keys in the schema, or else from the name. If they cannot be derived, they are
  /// listed in snake case and in camel case.
  public static func member<Value: SyncScalar>(
    _ name: String, _ type: Value.Type, isOptional: Bool = false, default value: Value? = nil,
    keys: [String] = [], snake: [String]? = nil, camel: [String]? = nil
  ) -> SyncMember {
    SyncMember(
      name: name, isOptional: isOptional,
      snakeKeys: snake ?? KeyCandidates.scalar(name, explicit: keys, style: .snakeCase),
      camelKeys: camel ?? KeyCandidates.scalar(name, explicit: keys, style: .camelCase),
      statedKeys: snake == nil ? keys : nil, type: type,
      storedKey: JSONWriter.key(name), storedDefault: value.map { Array($0.storedJSON.description.utf8) },
      takesNull: Value.syncValueForNull != nil,
      transcribe: { Value.syncTranscribe($0, form: $1, to: &$2) },
      isReadable: {
        switch Value.syncRead($0, form: $1) {
        case .value, .inexact: true
        case .null: isOptional || Value.syncValueForNull != nil
        case .unreadable: false
        }
      })
  }

  var format: SyncDateFormat? { own?.dates }

  func keys(in style: KeyStyle) -> [String] {
    KeyCandidates.keys(
      of: name, .scalar, snake: snakeKeys, camel: camelKeys, explicit: statedKeys, in: style)
  }

  /// The same member, with the keys of its `@RemoteKey`. They are needed for other key styles than snake case and camel
  /// case.
  public func withKeys(_ keys: [String]) -> SyncMember { modified { $0.statedKeys = keys } }
  /// The same member, whose dates are read and exported in a format.
  public func dateFormat(_ pattern: String) -> SyncMember {
    modified { $0.own = SyncForm.Own(dates: SyncDateFormat(checkedPattern: pattern)) }
  }
  /// The same member with `@OneOrMany`: a single value is read as a list of one, or a list of one as its
  /// element.
  ///
  /// - Parameter depth: the number of lists around its values; 0 for one value.
  public func takingOneOrMany(lists depth: Int) -> SyncMember {
    modified {
      $0.oneOrMany = OneOrMany(depth: depth)
      if depth > 0 { $0.own = SyncForm.Own(dates: $0.format, acceptsSingleValues: true) }
    }
  }
  /// The same member with `@Merged`. It is merged if the struct around it is merged.
  public func merged() -> SyncMember { modified { $0.isMerged = true } }
  /// The same member, excluded from exports.
  public func notExported() -> SyncMember { modified { $0.isExported = false } }
  /// The same member with `@Null`: the given values are read as null.
  public func null(_ words: [SyncJSON]) -> SyncMember { modified { $0.nulls = NullWords(words) } }
  /// The same member, with its former names.
  public func renamed(from names: [String]) -> SyncMember { modified { $0.renamedFrom = names } }

  private func modified(_ change: (inout SyncMember) -> Void) -> SyncMember {
    var copy = self
    change(&copy)
    return copy
  }
}

/// Reads the members of a ``SyncStruct`` from a JSON object.
@_spi(Generated)
public struct SyncMemberReader {
  let object: SyncValue
  let positions: SyncMembers.Positions
  let members: SyncMembers
  let form: SyncForm
  /// The stored value into which the object is merged; nil if the object replaces it.
  private let merging: MemberMerging?
  /// Whether everything was read without loss.
  private(set) var isExact = true

  init(
    _ object: SyncValue, at positions: SyncMembers.Positions, of members: SyncMembers, in form: SyncForm,
    into merging: MemberMerging? = nil
  ) {
    self.object = object
    self.positions = positions
    self.members = members
    self.form = form
    self.merging = merging
  }

  /// The members do not form a valid struct.
  private struct Unreadable: Error {}

  /// The result of reading a member's candidates.
  enum Found<Value> {
    case value(Value)
    case null, absent, unreadable
  }

  /// The value of a required member.
  ///
  /// - Throws: an error if it is missing or unreadable.
  public mutating func required<Value: SyncScalar>(
    _ type: Value.Type, _ index: Int, default: Value? = nil
  ) throws -> Value {
    switch read(type, index) {
    case .value(let value): return value
    case .null: if let value = Value.syncValueForNull { return value }
    // A value that was stored before the member existed gets the value for null.
    case .absent:
      if let value = `default` ?? (form.names == .swift ? Value.syncValueForNull : nil) { return value }
    case .unreadable: break
    }
    throw Unreadable()
  }

  /// The value of an optional member; nil for null. If it is absent or unreadable, returns the default, or
  /// nil.
  public mutating func value<Value: SyncScalar>(
    _ type: Value.Type, _ index: Int, default: Value? = nil
  ) -> Value? {
    switch read(type, index) {
    case .value(let value): return value
    case .null: return nil
    // Nil is omitted from stored values.
    case .absent: return form.names == .swift ? nil : `default`
    case .unreadable:
      isExact = false
      return `default`
    }
  }

  /// The first readable candidate.
  mutating func read<Value: SyncScalar>(_ type: Value.Type, _ index: Int) -> Found<Value> {
    if let merging { return merge(type, index, into: merging) }
    let form = form.with(members.members[index].own)
    var isUnreadable = false
    for entry in positions.keys.entries(of: index) {
      switch positions.lookUp(entry, of: index, in: object) {
      case .absent: continue
      case .null: return .null
      case .unreadable: isUnreadable = true
      case .found(let value):
        switch Value.syncRead(value, form: form) {
        case .value(let value): return .value(value)
        case .inexact(let value):
          isExact = false
          return .value(value)
        case .null: return .null
        case .unreadable: isUnreadable = true
        }
      }
    }
    return isUnreadable ? .unreadable : .absent
  }
}

/// Writes the members of a ``SyncStruct`` to a JSON object.
@_spi(Generated)
public struct SyncMemberWriter {
  private let members: SyncMembers
  private let form: SyncForm
  private var object = SyncJSONObject()
  /// The first error that a transform threw.
  private(set) var error: (any Error)?

  init(_ members: SyncMembers, _ form: SyncForm) {
    self.members = members
    self.form = form
  }

  /// The object with the written members.
  var json: SyncJSON {
    guard form.names == .swift else { return .object(object) }
    let names = members.inStoredOrder.map(\.name)
    return .object(SyncJSONObject(names.compactMap { name in object[name].map { (name, $0) } }))
  }

  /// Writes a member.
  public mutating func write<Value: SyncScalar>(_ value: Value?, _ index: Int) {
    let member = members.members[index]
    // Nil is omitted from stored values.
    let isStored = form.names == .swift
    guard isStored || member.isExported, value != nil || !isStored && !form.omitsNulls else { return }
    do {
      let json = try value?.syncExport(form: form.with(member.own)) ?? .null
      if isStored { return object.append(member.name, json) }
      object.merge(json, at: ExportKey(members.keys(form).candidates[index].first?.text ?? member.name))
    } catch {
      self.error = self.error ?? error
    }
  }

  /// Writes a member through a transform.
  public mutating func write<Transform: SyncTransform>(
    _ value: Transform.Value?, _ index: Int, by transform: Transform.Type
  ) {
    write(value.map { SyncTransformed<Transform>($0) }, index)
  }
}
