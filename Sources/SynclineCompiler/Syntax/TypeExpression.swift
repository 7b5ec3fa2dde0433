/// A type as written in the source.
indirect enum TypeExpression {
  case named(module: NameSyntax?, NameSyntax)
  case list(TypeExpression)
  case map(TypeExpression, key: TypeExpression)
  case optional(TypeExpression)
  /// `String!`, which GraphQL writes for a type that is never null.
  case required(TypeExpression)
  /// `Array<Int>`
  case generic(NameSyntax, [TypeExpression])
  /// A tuple, a function type, or another type that schemas do not have.
  case foreign

  /// The equivalent type of the schema language; nil if there is none.
  func corrected(_ range: SourceRange) -> TypeSyntax? {
    switch self {
    case .named(let module, let name):
      return TypeSyntax(module: module, name: name, shape: .name, isOptional: false, range: range)
    case .optional(let wrapped):
      return wrapped.corrected(range).map {
        TypeSyntax(module: $0.module, name: $0.name, shape: $0.shape, isOptional: true, range: range)
      }
    case .required(let wrapped):
      return wrapped.corrected(range).map {
        // GraphQL's type of identities; no model can have this name.
        let name = $0.name.text == "ID" ? NameSyntax(text: "String", range: $0.name.range) : $0.name
        return TypeSyntax(module: $0.module, name: name, shape: $0.shape, isOptional: false, range: range)
      }
    case .list(let element): return element.corrected(range)?.wrapped(by: TypeSyntax.Shape.list)
    case .map(let element, _): return element.corrected(range)?.wrapped(by: TypeSyntax.Shape.map)
    case .foreign: return nil
    case .generic(let name, let arguments):
      guard let last = arguments.last else {
        // `VARCHAR(20)`
        return ForeignWords.scalar(named: name.text).map {
          TypeSyntax(
            module: nil, name: NameSyntax(text: $0.rawValue, range: name.range), shape: .name,
            isOptional: false, range: range)
        }
      }
      switch (name.text, arguments.count) {
      case ("Array", 1), ("Set", 1), ("List", 1), ("ContiguousArray", 1), ("Sequence", 1), ("Collection", 1):
        return TypeExpression.list(last).corrected(range)
      case ("Dictionary", 2), ("Map", 2), ("Record", 2):
        return TypeExpression.map(last, key: arguments[0]).corrected(range)
      case ("Optional", 1), ("Nullable", 1), ("Maybe", 1):
        return TypeExpression.optional(last).corrected(range)
      default: return nil
      }
    }
  }

  /// Whether the schema language allows the type as written.
  var isPlain: Bool {
    switch self {
    case .optional(let wrapped): wrapped.isPlainElement
    default: isPlainElement
    }
  }

  private var isPlainElement: Bool {
    switch self {
    case .named: true
    case .list(let element): element.isPlainElement
    case .map(let element, let key): element.isPlainElement && key.isText
    case .optional, .required, .generic, .foreign: false
    }
  }

  private var isText: Bool { if case .named(nil, let name) = self { name.text == "String" } else { false } }

  /// Whether elements of a list or a map may be nil.
  var holdsNil: Bool {
    switch self {
    case .list(.optional), .map(.optional, _): true
    case .list(let element), .map(let element, _): element.holdsNil
    case .optional(let wrapped), .required(let wrapped): wrapped.holdsNil
    case .named, .generic, .foreign: false
    }
  }

  /// The type without optional marks and brackets.
  var unwrapped: TypeExpression {
    switch self {
    case .optional(let inner), .required(let inner), .list(let inner), .map(let inner, _): inner.unwrapped
    case .named, .generic, .foreign: self
    }
  }

  /// Whether the keys of a map are not strings.
  var hasOtherKeys: Bool {
    switch self {
    case .map(let element, let key): !key.isText || element.hasOtherKeys
    case .list(let element), .optional(let element), .required(let element): element.hasOtherKeys
    case .named, .generic, .foreign: false
    }
  }
}

extension TypeSyntax {
  /// A list or a map of the type. Its elements are never nil.
  fileprivate func wrapped(by wrap: (Shape) -> Shape) -> TypeSyntax {
    TypeSyntax(module: module, name: name, shape: wrap(shape), isOptional: false, range: range)
  }
}
