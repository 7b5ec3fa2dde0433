import SynclineCompiler
import SynclineNaming

/// A proposed schema, written to a schema file for the user to edit.
struct SchemaDraft {
  /// A model, a struct, an enum or a union.
  struct Declaration {
    enum Kind {
      case model, structure
      case enumeration([Case])
      /// A union. Its cases are stored as properties: a name, a model or a struct, and the value of the union's key.
      case union(key: String)
    }

    /// A case of an enum. Its value is a string, or an integer as written in a schema.
    struct Case: Equatable {
      let name: String
      let rawValue: String
      /// Whether its enum has integer values.
      var isNumber = false
    }

    var kind: Kind
    var name: String
    /// Comment lines above it, which give the reasons for guesses.
    var comments: [String] = []
    var documentation: [String] = []
    var attributes: [String] = []
    var properties: [Property] = []
    /// Whether it is not written, because no property has this type.
    var isLeftOut = false
  }

  /// A property of a model, or a member of a struct.
  struct Property {
    var name: String
    var type: TypeReference
    var isOptional = false
    var attributes: [String] = []
    var key: String?
    /// Whether the key differs from the keys that the name implies.
    var isKeyExplicit = false
    var isIdentity = false
    /// Its position in the composite identity; nil if it is not a part of one.
    var identityPart: Int?
    var defaultValue: String?
    var comments: [String] = []
    /// Documentation lines above it.
    var documentation: [String] = []
    var inverse: Inverse = .derived
    /// The delete rule; nil for the default.
    var deleteRule: String?
    /// How often it was changed after the compiler had rejected it.
    var repairs = 0

    var isIdentityPart: Bool { identityPart != nil }

    /// Makes a relationship optional if it is a to-one, since payloads may contain keys of rows that are not stored.
    ///
    /// - Returns: the keys that its name implies.
    mutating func settleRelationship(style: KeyStyle) -> [String] {
      if case .list = type {
        isOptional = false
        return KeyCandidates.toMany(name, style: style)
      }
      isOptional = true
      return KeyCandidates.toOne(name, style: style)
    }

    enum Inverse {
      /// The inverse that the compiler derives.
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
  var settings: [String] = []
  var declarations: [Declaration] = []
  /// The lowercased names of the declarations that were added or renamed by this type.
  private var names: Set<String> = []

  /// Adds a declaration, renamed if its name is taken, and returns its index.
  mutating func add(_ declaration: Declaration) -> Int {
    var declaration = declaration
    // A type with the name of a scalar would shadow it in all declarations.
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

  /// The index of the union with this key and exactly these cases: tags, and the declarations of their objects.
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

  /// A name for the type of a property, prefixed with the name of the property's declaration if it is taken.
  func typeName(_ own: String, in index: Int) -> String {
    declarations.contains { $0.name == own } ? declarations[index].name + own : own
  }

  /// Renames a declaration, with a number added if the name is taken.
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
    guard declarations[index].properties.contains(where: { $0.name == name }) else { return name }
    // Many keys may have the same name.
    return DraftName.free(name, besides: Set(declarations[index].properties.lazy.map(\.name)).contains)
  }

  /// Makes two properties the ends of one relationship.
  mutating func pair(_ place: Int, of owner: Int, with back: Int, of child: Int) {
    let (list, name) = (declarations[owner].properties[place].name, declarations[child].properties[back].name)
    declarations[owner].properties[place].inverse = .property(declaration: child, name: name)
    declarations[child].properties[back].inverse = .property(declaration: owner, name: list)
  }

  /// Adds an identity to a model for which the source shows none, with a comment that gives the reason.
  mutating func addMissingIdentity(
    to index: Int, _ type: String = "String", named name: String = "id", because reason: String
  ) {
    declarations[index].comments.append("\(reason): “\(name)” is a placeholder to replace.")
    declarations[index].properties.insert(
      Property(name: name, type: .scalar(type), isIdentity: true), at: 0)
  }

  /// Adds a comment about the keys that do not fit into a declaration, unless it has a comment with this reason.
  mutating func leaveOutRest(from key: String, of index: Int, as reason: String) {
    let rest = " and the keys after it, as \(reason)."
    guard !declarations[index].comments.contains(where: { $0.hasSuffix(rest) }) else { return }
    declarations[index].comments.append("Left out: \(SwiftText.literal(key))\(rest)")
  }

  /// An attribute of a declaration with key paths to some of its properties.
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

  /// The keys that the name of a property implies.
  func candidates(of property: Property, style: KeyStyle) -> [String] {
    guard isRelationship(property) else {
      return property.isIdentity
        ? KeyCandidates.identity(property.name, style: style)
        : KeyCandidates.scalar(property.name, style: style)
    }
    if case .list = property.type { return KeyCandidates.toMany(property.name, style: style) }
    return KeyCandidates.toOne(property.name, style: style)
  }

  /// States the keys of properties whose names do not imply them in a style, for a schema with another style than the draft.
  mutating func stateKeys(in style: KeyStyle) {
    for index in declarations.indices {
      let keys = Set(declarations[index].properties.compactMap(\.key))
      for place in declarations[index].properties.indices {
        let property = declarations[index].properties[place]
        guard let key = property.key, !property.isKeyExplicit else { continue }
        let candidates = candidates(of: property, style: style)
        // The name may imply the key of another property, too.
        declarations[index].properties[place].isKeyExplicit =
          !candidates.contains(key) || candidates.contains { $0 != key && keys.contains($0) }
      }
    }
  }

  func isModel(_ index: Int) -> Bool {
    if case .model = declarations[index].kind { true } else { false }
  }

  func isUnion(_ index: Int) -> Bool {
    if case .union = declarations[index].kind { true } else { false }
  }

  /// Whether a property is a relationship to a model or a union of models.
  func isRelationship(_ property: Property) -> Bool { leadsToModel(property.type) }

  /// Whether the type refers to a model or a union of models.
  func leadsToModel(_ type: TypeReference) -> Bool { !models(of: type).isEmpty }

  /// The model that a type refers to, or the models of a union.
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
  /// The cases of an enum or a union.
  ///
  /// - Parameter titles: names to use instead of the values, by value.
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

  /// The cases of a union with a key.
  static func cases(ofUnionOn key: String, tags: [String], titles: [String: String] = [:]) -> [Case] {
    cases(of: tags, titles: titles) { NameRule.isUsable(unionCase: $0) && $0 != key }
  }
}
