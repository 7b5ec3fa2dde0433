import Syncline

/// The path from a JSON value to a value inside it.
package typealias JSONPath = [JSONStep]

package enum JSONStep: Hashable, Sendable {
  case member(String)
  case element(Int)
}

extension SyncJSON {
  /// The paths to all values, in pre-order, beginning with the value itself.
  package var paths: [JSONPath] {
    var result: [JSONPath] = [[]]
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() { result += element.paths.map { [.element(index)] + $0 } }
    case .object(let object):
      for (key, value) in object { result += value.paths.map { [.member(key)] + $0 } }
    default: break
    }
    return result
  }

  package subscript(path: some Collection<JSONStep>) -> SyncJSON? {
    switch path.first {
    case nil: self
    case .member(let key): self[key]?[path.dropFirst()]
    case .element(let index): self[index]?[path.dropFirst()]
    }
  }

  /// A copy with another value at a path; nil removes the member or element.
  package func replacing(_ path: some Collection<JSONStep>, by value: SyncJSON?) -> SyncJSON {
    guard let step = path.first else { return value ?? .null }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.object(var object), .member(let key)):
      guard let inner = object[key] else { return self }
      object[key] = rest.isEmpty ? value : inner.replacing(rest, by: value)
      return .object(object)
    case (.array(let array), .element(let index)) where array.indices.contains(index):
      var elements = Array(array)
      if !rest.isEmpty {
        elements[index] = elements[index].replacing(rest, by: value)
      } else if let value {
        elements[index] = value
      } else {
        elements.remove(at: index)
      }
      return .array(elements)
    default: return self
    }
  }
}
