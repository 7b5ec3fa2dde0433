/// The type of a value in a column, a struct member, a list or a map.
package indirect enum ValueType: Sendable, Hashable {
  case scalar(ScalarType)
  case enumeration(String)
  case structure(String)
  /// A union of structs.
  case union(String)
  case list(ValueType)
  /// A map with string keys.
  case map(ValueType)

  /// The scalar, enum, struct or union inside all lists and maps.
  package var innermost: ValueType {
    switch self {
    case .list(let element), .map(let element): element.innermost
    case .scalar, .enumeration, .structure, .union: self
    }
  }

  /// The enum, struct or union that it refers to.
  package var declaredName: String? {
    switch innermost {
    case .enumeration(let name), .structure(let name), .union(let name): name
    default: nil
    }
  }

  /// The number of list levels around a value; nil for maps, and for JSON, since it can itself be any value.
  package var listDepth: Int? {
    switch self {
    case .list(let element): (element.listDepth ?? 0) + 1
    case .map, .scalar(.json): nil
    case .scalar, .enumeration, .structure, .union: 0
    }
  }

  /// Whether SQL can access parts of it: a struct, a map, or a list of non-scalars.
  package var hasParts: Bool {
    switch self {
    case .structure, .union, .map: true
    case .list(let element): !element.isPlain
    case .scalar, .enumeration: false
    }
  }

  /// Whether it is a scalar or an enum.
  package var isPlain: Bool {
    switch self {
    case .structure, .union, .map, .list: false
    case .scalar, .enumeration: true
    }
  }
}
