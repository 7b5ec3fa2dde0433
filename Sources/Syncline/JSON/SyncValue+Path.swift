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

  /// The value at a path from here; for a path that selects many values, their container.
  func follow(_ path: [PathStep]) -> Lookup { follow(path[...]) }

  /// The value at a path from here; for a path that selects many values, their container.
  func follow(_ path: ArraySlice<PathStep>) -> Lookup {
    var value = self
    for index in path.indices {
      if value.isNull { return .null }
      switch path[index] {
      case .member(let name):
        guard value.isObject else { return .unreadable }
        guard let member = value.member(name) else { return .absent }
        value = member
      case .names(let names): return value.follow(names, from: 0, then: path[(index + 1)...])
      case .index(let index):
        guard value.isArray else { return .unreadable }
        // The list is too short.
        guard let element = value.element(index) else { return .null }
        value = element
      case .each, .members: return .found(value)
      }
    }
    return value.isNull ? .null : .found(value)
  }

  /// The value below names that follow each other, beginning with one of them.
  ///
  /// Keys that join more of the names are tried first. A key without a value below gives way to the next. The object's members
  /// are scanned once for all of them.
  private func follow(_ names: JoinedNames, from first: Int, then rest: ArraySlice<PathStep>) -> Lookup {
    if isNull { return .null }
    guard isObject else { return .unreadable }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: names.count - first) { positions in
      positions.initialize(repeating: -1)
      forEachMember { key, value in
        if let last = names.last(joinedBy: key, from: first) { positions[last - first] = value.position }
      }
      var result = Lookup.absent
      for index in positions.indices.reversed() where positions[index] >= 0 {
        let value = SyncValue(bytes: bytes, nodes: nodes, position: positions[index])
        let next = first + index + 1
        let lookup =
          next == names.count ? value.follow(rest) : value.follow(names, from: next, then: rest)
        switch lookup {
        case .found, .null: return lookup
        case .unreadable: result = .unreadable
        case .absent: break
        }
      }
      return result
    }
  }

  /// An element of a list; nil if the list is shorter.
  private func element(_ index: Int) -> SyncValue? {
    var elements = elements
    for _ in 0..<index where elements.next() == nil { return nil }
    return elements.next()
  }
}

/// A step of a path, with its name as UTF-8.
enum PathStep: Sendable, Hashable {
  case member([UInt8])
  /// Two or more names, which keys may join.
  case names(JoinedNames)
  case index(Int)
  case each
  case members(property: String?)

  var isMany: Bool {
    switch self {
    case .member, .names, .index: false
    case .each, .members: true
    }
  }

  /// The first name; nil for a step into a list or a map.
  var firstName: [UInt8]? {
    switch self {
    case .member(let name): name
    case .names(let names): Array(names.joined(0..<1))
    case .index, .each, .members: nil
    }
  }

  /// The keys of an object at which a key or path may begin, in the order in which they are tried, and the steps that follow
  /// each of them: for `a.b.c` these are `a.b.c`, `a.b` and `a`. The text of a path with steps may be one key, too.
  static func beginnings(of key: String) -> [(name: [UInt8], rest: [PathStep])] {
    let literal: (name: [UInt8], rest: [PathStep]) = (Array(key.utf8), [])
    guard let path = path(key) else { return [literal] }
    let names = path.names(from: 0)
    guard !names.isEmpty else {
      switch path.steps[0] {
      case .member(let name): return [(Array(name.utf8), steps(of: path, from: 1))]
      // Rows that are lists are read as objects with their places as keys.
      case .index(let place): return [(key(ofPlace: place), steps(of: path, from: 1))]
      case .each, .members: return [literal]
      }
    }
    let joins = names.indices.reversed().map { last in
      (name: Array(names[...last].joined(separator: ".").utf8), rest: steps(of: path, from: last + 1))
    }
    return path.hasSteps && !path.hasQuotes ? [literal] + joins : joins
  }

  /// The key of a place in a row that is a list.
  static func key(ofPlace place: Int) -> [UInt8] { Array("[\(place)]".utf8) }

  /// The steps of a key or path.
  static func steps(of key: String) -> [PathStep] {
    path(key).map { steps(of: $0, from: 0) } ?? [.member(Array(key.utf8))]
  }

  /// A key as a path; nil if it is only a name.
  private static func path(_ key: String) -> RemotePath? {
    guard key.utf8.contains(where: isSign), let path = try? RemotePath(key),
      path.steps.count > 1 || path.hasQuotes || key.utf8.first == UInt8(ascii: "[")
    else { return nil }
    return path
  }

  /// Whether a byte may begin a step of a path, or quotes.
  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
      || byte == UInt8(ascii: "\"")
  }

  private static func steps(of path: RemotePath, from start: Int) -> [PathStep] {
    var steps: [PathStep] = []
    var index = start
    while index < path.steps.count {
      let names = path.names(from: index)
      if names.count > 1 {
        steps.append(.names(JoinedNames(names)))
        index += names.count
      } else {
        steps.append(PathStep(path.steps[index]))
        index += 1
      }
    }
    return steps
  }

  /// The steps of a path in a call.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the string is not a path.
  static func steps(ofCall path: String?, model: String) throws -> [PathStep] {
    guard let path, case let names = RemotePath.components(of: path).filter({ !$0.isEmpty }), !names.isEmpty
    else { return [] }
    do {
      return steps(of: try RemotePath(names.joined(separator: ".")), from: 0)
    } catch {
      throw SyncError(.noPath(path, why: error.description), model: model)
    }
  }

  private init(_ step: RemotePath.Step) {
    self =
      switch step {
      case .member(let name): .member(Array(name.utf8))
      case .index(let index): .index(index)
      case .each: .each
      case .members(let property): .members(property: property)
      }
  }
}
