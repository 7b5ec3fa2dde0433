/// The type of a value: what a column, a member of a struct, or an element of a list or a map holds.
package indirect enum ValueType: Sendable, Hashable {
  case scalar(ScalarType)
  case enumeration(String)
  case structure(String)
  /// A union of structs.
  case union(String)
  case list(ValueType)
  /// Keys are texts.
  case map(ValueType)

  /// The scalar, enum, struct or union inside of all lists and maps.
  package var innermost: ValueType {
    switch self {
    case .list(let element), .map(let element): element.innermost
    case .scalar, .enumeration, .structure, .union: self
    }
  }

  /// The enum, struct or union that it names.
  package var declaredName: String? {
    switch innermost {
    case .enumeration(let name), .structure(let name), .union(let name): name
    default: nil
    }
  }

  /// Whether SQL looks into it: a struct, a map, or a list of what is no scalar.
  package var hasParts: Bool {
    switch self {
    case .structure, .union, .map: true
    case .list(let element): element.isNested
    case .scalar, .enumeration: false
    }
  }

  /// Whether it is a scalar or an enum.
  package var isPlain: Bool { !isNested && !isList }

  private var isList: Bool { if case .list = self { true } else { false } }

  private var isNested: Bool {
    switch self {
    case .structure, .union, .map, .list: true
    case .scalar, .enumeration: false
    }
  }
}
