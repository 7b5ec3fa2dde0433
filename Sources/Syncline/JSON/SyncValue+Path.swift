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
  func follow(_ path: some Sequence<PathStep>) -> Lookup { follow(path) { $0.isNull } }

  /// The value at a path from here.
  ///
  /// - Parameter nulls: the words that mean null, at the end of the path and at each step before it.
  func follow(_ path: some Sequence<PathStep>, nulls: NullWords?) -> Lookup {
    guard let nulls else { return follow(path) }
    return follow(path) { $0.isNull || nulls.contains($0) }
  }

  @inline(__always)
  private func follow(_ path: some Sequence<PathStep>, isNull: (SyncValue) -> Bool) -> Lookup {
    var value = self
    for step in path {
      if isNull(value) { return .null }
      switch step {
      case .member(let name):
        // PHP writes an empty object as an empty list.
        guard value.isObject else { return value.isEmptyArray ? .null : .unreadable }
        guard let member = value.member(name) else { return .absent }
        value = member
      case .index(let index):
        guard value.isArray else { return .unreadable }
        // The list is too short.
        guard let element = value.element(index) else { return .null }
        value = element
      case .each, .members: return .found(value)
      }
    }
    return isNull(value) ? .null : .found(value)
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
  case index(Int)
  case each
  case members(property: String?)

  var isMany: Bool {
    switch self {
    case .member, .index: false
    case .each, .members: true
    }
  }

  /// The steps of a key that is more than a name; nil if it is not a path.
  static func steps(of key: String) -> [PathStep]? {
    guard key.contains(where: { $0 == "." || $0 == "[" || $0 == "{" }), let path = try? RemotePath(key),
      path.steps.count > 1
    else { return nil }
    return path.steps.map(PathStep.init)
  }

  /// The steps of a path in a call.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` if the string is not a path.
  static func steps(ofCall path: String?, model: String) throws -> [PathStep] {
    guard let path, case let names = path.split(separator: "."), !names.isEmpty else { return [] }
    do {
      return try RemotePath(names.joined(separator: ".")).steps.map(PathStep.init)
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
