import SynclineNaming

extension SyncValue {
  /// The result of looking up a key or a path.
  enum Lookup {
    case absent
    case null
    /// A value on the path is not an object.
    case unreadable
    case found(SyncValue)
  }

  func follow(_ path: [PathStep], nulls: NullWords? = nil) -> Lookup { follow(path[...], nulls: nulls) }

  /// The value at a path from here; for a path that selects many values, their container.
  ///
  /// - Parameter nulls: the words that mean null, at the end of the path and at each step before it.
  func follow(_ path: ArraySlice<PathStep>, nulls: NullWords? = nil) -> Lookup {
    var value = self
    for index in path.indices {
      if value.meansNull(nulls) { return .null }
      switch path[index] {
      case .member(let name):
        // PHP writes an empty object as an empty list.
        guard value.isObject else { return value.isEmptyArray ? .null : .unreadable }
        guard let member = value.member(name) else { return .absent }
        value = member
      case .names(let names): return value.follow(names, from: 0, then: path[(index + 1)...], nulls: nulls)
      case .pairs(let pairs): return value.follow(pairs, then: path[(index + 1)...], nulls: nulls)
      case .index(let index):
        guard value.isArray else { return .unreadable }
        // The list is too short.
        guard let element = value.element(index) else { return .null }
        value = element
      case .each, .members: return .found(value)
      }
    }
    return value.meansNull(nulls) ? .null : .found(value)
  }

  @inline(__always)
  private func meansNull(_ nulls: NullWords?) -> Bool { isNull || nulls?.contains(self) ?? false }

  /// The value below names that follow each other, beginning with one of them.
  ///
  /// Keys that join more of the names are tried first. If a key leads to no value, the next one is tried. The object's members are
  /// scanned once for all of them.
  private func follow(
    _ names: JoinedNames, from first: Int, then rest: ArraySlice<PathStep>, nulls: NullWords?
  ) -> Lookup {
    if meansNull(nulls) { return .null }
    // PHP writes an empty object as an empty list.
    guard isObject else { return isEmptyArray ? .null : .unreadable }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: names.count - first) { positions in
      positions.initialize(repeating: -1)
      forEachMember { key, value in
        if let last = names.last(joinedBy: key, from: first) { positions[last - first] = value.position }
      }
      return follow(names, from: first, at: positions, then: rest, nulls: nulls)
    }
  }

  /// - Parameter positions: those of the values whose keys join one name, two names, and so on; -1 for absent ones.
  private func follow(
    _ names: JoinedNames, from first: Int, at positions: UnsafeMutableBufferPointer<Int>,
    then rest: ArraySlice<PathStep>, nulls: NullWords?
  ) -> Lookup {
    var result = Lookup.absent
    for index in positions.indices.reversed() where positions[index] >= 0 {
      let value = SyncValue(bytes: bytes, nodes: nodes, position: positions[index])
      let next = first + index + 1
      let lookup =
        next == names.count
        ? value.follow(rest, nulls: nulls) : value.follow(names, from: next, then: rest, nulls: nulls)
      switch lookup {
      case .found, .null: return lookup
      case .unreadable: result = .unreadable
      case .absent: break
      }
    }
    return result
  }

  /// The value below a name in a list of pairs, which is complete: a value that may be nil is null if no pair has its name. A pair
  /// of another name need not have a value under the key.
  private func follow(
    _ pairs: PairKeys, then path: ArraySlice<PathStep>, nulls: NullWords?
  ) -> Lookup {
    guard isArray, case .names(let names)? = path.first else { return .unreadable }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: names.count) { positions in
      positions.initialize(repeating: -1)
      var isAny = false
      for element in elements {
        guard element.isObject, let name = element.member(pairs.name), name.isString || name.isNumber
        else { return .unreadable }
        guard let last = names.last(joinedBy: name, from: 0) else { continue }
        guard let value = element.member(pairs.value) else { return .unreadable }
        positions[last] = value.position
        isAny = true
      }
      guard isAny else { return pairs.isOptional ? .null : .absent }
      return follow(names, from: 0, at: positions, then: path.dropFirst(), nulls: nulls)
    }
  }

  /// An element of a list; nil if the list is shorter.
  func element(_ index: Int) -> SyncValue? {
    var elements = elements
    for _ in 0..<index where elements.next() == nil { return nil }
    return elements.next()
  }
}

/// A step of a path, with its name as UTF-8.
enum PathStep: Sendable, Hashable {
  case member([UInt8])
  /// Two or more names, which keys may join; or the name of a pair.
  case names(JoinedNames)
  case index(Int)
  case each
  case members(property: String?)
  /// A list of pairs, which is read as an object by the next step.
  case pairs(PairKeys)

  var isMany: Bool {
    switch self {
    case .member, .names, .index, .pairs: false
    case .each, .members: true
    }
  }

  /// The first name; nil for a step into a list or a map.
  var firstName: [UInt8]? {
    switch self {
    case .member(let name): name
    case .names(let names): Array(names.joined(0..<1))
    case .index, .each, .members, .pairs: nil
    }
  }

  /// The keys of an object at which a key or path may begin, in the order in which they are tried, and the steps that follow
  /// each of them: for `a.b.c` these are `a.b.c`, `a.b` and `a`. The text of a path with steps may be one key, too.
  ///
  /// - Parameter isOptional: whether the value may be nil.
  static func beginnings(of key: String, isOptional: Bool = true) -> [(name: [UInt8], rest: [PathStep])] {
    let literal: (name: [UInt8], rest: [PathStep]) = (Array(key.utf8), [])
    guard let path = path(key) else { return [literal] }
    let names = path.names(from: 0)
    guard !names.isEmpty else {
      switch path.steps[0] {
      case .member(let name): return [(Array(name.utf8), steps(of: path, from: 1, isOptional: isOptional))]
      // Rows that are lists are read as objects with their places as keys.
      case .index(let place):
        return [(PathStep.key(ofPlace: place), steps(of: path, from: 1, isOptional: isOptional))]
      case .each, .members, .pairs: return [literal]
      }
    }
    let joins = names.indices.reversed().map { last in
      (
        name: Array(names[...last].joined(separator: ".").utf8),
        rest: steps(of: path, from: last + 1, isOptional: isOptional)
      )
    }
    return path.hasSteps && !path.hasQuotes ? [literal] + joins : joins
  }

  /// The key of a place in a row that is a list.
  static func key(ofPlace place: Int) -> [UInt8] { Array("[\(place)]".utf8) }

  static func steps(of key: String) -> [PathStep] {
    path(key).map { steps(of: $0, from: 0) } ?? [.member(Array(key.utf8))]
  }

  /// A key as a path; nil if it is only a name.
  private static func path(_ key: String) -> RemotePath? {
    // A step or quotes begin with one of these.
    guard key.utf8.contains(where: ".[{\"".utf8.contains), let path = try? RemotePath(key),
      path.steps.count > 1 || path.hasQuotes || key.utf8.first == UInt8(ascii: "[")
    else { return nil }
    return path
  }

  private static func steps(of path: RemotePath, from start: Int, isOptional: Bool = true) -> [PathStep] {
    var steps: [PathStep] = []
    var index = start
    while index < path.steps.count {
      let names = path.names(from: index)
      let isOfPairs = if case .pairs? = steps.last { true } else { false }
      if names.count > 1 || (isOfPairs && !names.isEmpty) {
        steps.append(.names(JoinedNames(names)))
      } else if isOfPairs, case .member(let name) = path.steps[index] {
        steps.append(.names(JoinedNames(Array(name.utf8))))
      } else {
        steps.append(PathStep(path.steps[index], isOptional: isOptional))
      }
      index += max(1, names.count)
    }
    return steps
  }

  /// The steps of a path in a call.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the string is not a path.
  static func steps(ofCall path: String?, model: String) throws -> [PathStep] {
    guard let path, case let names = RemotePath.components(of: path).filter({ !$0.isEmpty }), !names.isEmpty
    else { return [] }
    let parsed: RemotePath
    do { parsed = try RemotePath(names.joined(separator: ".")) } catch {
      throw SyncError(.noPath(path, why: error.description), model: model)
    }
    let found = steps(of: parsed, from: 0)
    guard !found.contains(where: { if case .pairs = $0 { true } else { false } }) else {
      throw SyncError(.noPath(path, why: "a list of pairs has no rows"), model: model)
    }
    return found
  }

  private init(_ step: RemotePath.Step, isOptional: Bool) {
    self =
      switch step {
      case .member(let name): .member(Array(name.utf8))
      case .index(let index): .index(index)
      case .each: .each
      case .members(let property): .members(property: property)
      case .pairs(let name, let value):
        .pairs(PairKeys(name: Array(name.utf8), value: Array(value.utf8), isOptional: isOptional))
      }
  }
}

/// The keys of the elements of a list of pairs.
struct PairKeys: Sendable, Hashable {
  let name: [UInt8]
  let value: [UInt8]
  /// Whether a missing pair is null. If not, it counts as absent.
  let isOptional: Bool
}
