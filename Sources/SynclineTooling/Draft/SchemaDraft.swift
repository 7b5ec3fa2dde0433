import SynclineCompiler

/// A proposed schema, to be written to a schema file that you then edit.
struct SchemaDraft {
  /// A model, a struct, an enum or a union.
  struct Declaration {
    enum Kind {
      case model, structure
      case enumeration([Case])
      /// Its cases are properties: a name, a model or a struct, and the value of the union's key.
      case union(key: String)
    }

    /// A case of an enum. Its value is a string, or an integer as a schema writes it.
    struct Case: Equatable {
      let name: String
      let rawValue: String
      /// Whether it is one of an enum of integers.
      var isNumber = false
    }

    var kind: Kind
    var name: String
    /// Comment lines above it: guesses and their reasons.
    var comments: [String] = []
    /// Documentation lines above it.
    var documentation: [String] = []
    var attributes: [String] = []
    var properties: [Property] = []
    /// Whether it is not written, because nothing has this type.
    var isLeftOut = false
  }

  /// A property of a model, or a member of a struct.
  struct Property {
    var name: String
    var type: TypeReference
    var isOptional = false
    var attributes: [String] = []
    /// The key from which it is read.
    var key: String?
    /// Whether the key differs from the keys that the name implies.
    var isKeyExplicit = false
    var isIdentity = false
    /// Its place among the properties that identify a row together.
    var identityPart: Int?
    var defaultValue: String?
    var comments: [String] = []
    /// Documentation lines above it.
    var documentation: [String] = []
    /// The inverse of a relationship.
    var inverse: Inverse = .derived
    /// The delete rule, unless it is the default.
    var deleteRule: String?
    /// How often the compiler rejected it, and it was changed.
    var repairs = 0

    /// Whether it identifies a row together with other properties.
    var isIdentityPart: Bool { identityPart != nil }

    enum Inverse {
      /// The one that the compiler derives.
      case derived
      /// No inverse.
      case nothing
      case property(declaration: Int, name: String)
    }
  }

  /// The type of a property. It refers to a declaration by index, since names may change.
  indirect enum TypeReference: Hashable {
    case scalar(String)
    case declared(Int)
    case list(TypeReference)
    case map(TypeReference)

    /// The index of the declaration.
    var declaration: Int? {
      switch self {
      case .scalar: nil
      case .declared(let index): index
      case .list(let element), .map(let element): element.declaration
      }
    }
  }

  /// Comment lines at the top of the file.
  var comments: [String] = []
  /// The settings of the target.
  var settings: [String] = []
  var declarations: [Declaration] = []
  /// The names of the declarations that were added or renamed here, in small letters.
  private var names: Set<String> = []

  /// Adds a declaration, renamed if its name is taken, and returns its index.
  mutating func add(_ declaration: Declaration) -> Int {
    var declaration = declaration
    // A type with the name of a scalar would take its place in all declarations.
    if ScalarType(rawValue: declaration.name) != nil { declaration.name += "Record" }
    declaration.name = freeName(declaration.name)
    names.insert(declaration.name.lowercased())
    declarations.append(declaration)
    return declarations.count - 1
  }

  /// The index of the enum with this name and exactly these cases.
  func enumeration(_ name: String, of cases: [Declaration.Case]) -> Int? {
    declarations.firstIndex { declaration in
      guard case .enumeration(cases) = declaration.kind else { return false }
      return declaration.name == name
    }
  }

  /// The index of the union on a key with exactly these cases: the key's values, and the declarations of their objects.
  func union(on key: String, of cases: [(tag: String?, declaration: Int?)]) -> Int? {
    declarations.firstIndex { declaration in
      guard case .union(key) = declaration.kind, declaration.properties.count == cases.count else {
        return false
      }
      return zip(declaration.properties, cases).allSatisfy {
        $0.key == $1.tag && $0.type.declaration == $1.declaration
      }
    }
  }

  /// A name for the type of a property: after the name of the property's declaration, if another one has the name itself.
  func typeName(_ own: String, in index: Int) -> String {
    declarations.contains { $0.name == own } ? declarations[index].name + own : own
  }

  /// Renames a declaration; differently if another one has the name.
  mutating func rename(_ index: Int, to name: String) {
    let name = freeName(name)
    names.remove(declarations[index].name.lowercased())
    names.insert(name.lowercased())
    declarations[index].name = name
  }

  /// A name, changed if a declaration already has it.
  func freeName(_ name: String) -> String {
    DraftName.free(name) { names.contains($0.lowercased()) }
  }

  /// A name, changed if a property of the declaration already has it.
  func freeName(_ name: String, in index: Int) -> String {
    DraftName.free(name) { name in declarations[index].properties.contains { $0.name == name } }
  }

  /// Adds an identity to a model whose source has none, with a comment that gives the reason.
  mutating func addMissingIdentity(
    to index: Int, _ type: String = "String", named name: String = "id", because reason: String
  ) {
    declarations[index].comments.append("\(reason): “\(name)” is a placeholder to replace.")
    declarations[index].properties.insert(
      Property(name: name, type: .scalar(type), isIdentity: true), at: 0)
  }

  /// An attribute of a declaration that names some of its properties.
  static func attribute(_ name: String, of properties: [String]) -> String {
    "@\(name)(\(properties.map { "\\.\($0)" }.joined(separator: ", ")))"
  }

  /// Adds an index of some properties, unless the model has it.
  mutating func addIndex(of properties: [String], to index: Int) {
    let attribute = SchemaDraft.attribute("Index", of: properties)
    if !declarations[index].attributes.contains(attribute) {
      declarations[index].attributes.append(attribute)
    }
  }

  /// States all keys, for a schema that spells them in another style.
  mutating func stateKeys() {
    for index in declarations.indices {
      for place in declarations[index].properties.indices {
        declarations[index].properties[place].isKeyExplicit = declarations[index].properties[place].key != nil
      }
    }
  }

  func isModel(_ index: Int) -> Bool {
    if case .model = declarations[index].kind { true } else { false }
  }

  func isUnion(_ index: Int) -> Bool {
    if case .union = declarations[index].kind { true } else { false }
  }

  /// Whether a property is a relationship to a model, or to one of several.
  func isRelationship(_ property: Property) -> Bool { leadsToModel(property.type) }

  /// Whether a type leads to rows of a model, or of a union of models.
  func leadsToModel(_ type: TypeReference) -> Bool { !models(of: type).isEmpty }

  /// The model that a type leads to, or the models of a union.
  func models(of type: TypeReference) -> [Int] {
    guard let index = type.declaration else { return [] }
    switch declarations[index].kind {
    case .model: return [index]
    case .union: return declarations[index].properties.compactMap(\.type.declaration).filter(isModel)
    case .structure, .enumeration: return []
    }
  }
}

extension SchemaDraft.Declaration {
  /// The cases of an enum, or of a union.
  ///
  /// - Parameter titles: what cases are named after instead of their values, by these.
  static func cases(
    of values: [String], titles: [String: String] = [:], areNumbers: Bool = false,
    isUsable: (String) -> Bool = NameRule.isUsable(case:)
  ) -> [Case] {
    var names: Set<String> = []
    return values.map { value in
      let name = DraftName.free(DraftName.property(titles[value] ?? value)) {
        names.contains($0) || !isUsable($0)
      }
      names.insert(name)
      return Case(name: name, rawValue: value, isNumber: areNumbers)
    }
  }

  /// The cases of a union on a key.
  static func cases(ofUnionOn key: String, tags: [String]) -> [Case] {
    cases(of: tags) { NameRule.isUsable(unionCase: $0) && $0 != key }
  }
}
