import SynclineNaming

extension SyncValue {
  /// What a key or a path of an object leads to.
  enum Lookup {
    case absent
    case null
    /// A value on the path is not an object.
    case unreadable
    case found(SyncValue)
  }

  /// What a path leads to from here; where it leads to many values, what these are in.
  func follow(_ path: some Sequence<PathStep>) -> Lookup {
    var value = self
    for step in path {
      if value.isNull { return .null }
      switch step {
      case .member(let name):
        guard value.isObject else { return .unreadable }
        guard let member = value.member(name) else { return .absent }
        value = member
      case .index(let index):
        guard value.isArray else { return .unreadable }
        // The list has no such element.
        guard let element = value.element(index) else { return .null }
        value = element
      case .each, .members: return .found(value)
      }
    }
    return value.isNull ? .null : .found(value)
  }

  /// An element of a list; nil where it has no more.
  private func element(_ index: Int) -> SyncValue? {
    var elements = elements
    for _ in 0..<index where elements.next() == nil { return nil }
    return elements.next()
  }
}

/// A step of a path, its names as they are compared.
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

  /// The steps of a key that is more than a name; nil for one that is not a path.
  static func steps(of key: String) -> [PathStep]? {
    guard key.contains(where: { $0 == "." || $0 == "[" || $0 == "{" }), let path = try? RemotePath(key),
      path.steps.count > 1
    else { return nil }
    return path.steps.map(PathStep.init)
  }

  /// The steps of the path that a call names.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a text that is not a path.
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
