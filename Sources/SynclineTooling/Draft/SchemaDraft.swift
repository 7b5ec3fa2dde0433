import SynclineCompiler

/// A schema that is proposed: what is written as a schema file for somebody to go on with.
struct SchemaDraft {
  /// A model, a struct or an enum.
  struct Declaration {
    enum Kind {
      case model, structure
      case enumeration([Case])
    }

    /// A case of an enum.
    struct Case {
      let name: String
      let rawValue: String
    }

    var kind: Kind
    var name: String
    /// Lines above it: what was guessed, and why.
    var comments: [String] = []
    /// Lines of documentation above it.
    var documentation: [String] = []
    var attributes: [String] = []
    var properties: [Property] = []
    /// Whether it is not written: nothing is of it.
    var isLeftOut = false
  }

  /// A property of a model, or a member of a struct.
  struct Property {
    var name: String
    var type: TypeReference
    var isOptional = false
    var attributes: [String] = []
    /// The key that it is read from.
    var key: String?
    /// Whether the key is none of those that the name stands for.
    var isKeyExplicit = false
    var isIdentity = false
    var defaultValue: String?
    var comments: [String] = []
    /// Lines of documentation above it.
    var documentation: [String] = []
    /// The property that it is paired with, for a relationship; nil for none.
    var inverse: Inverse = .derived
    /// What becomes of the rows that it leads to, where it is not the usual.
    var deleteRule: String?

    enum Inverse {
      /// What the compiler finds.
      case derived
      /// No other one.
      case nothing
      case property(declaration: Int, name: String)
    }
  }

  /// The type of a property. What is declared is named by its place, since names may change.
  indirect enum TypeReference: Hashable {
    case scalar(String)
    case declared(Int)
    case list(TypeReference)
    case map(TypeReference)

    /// The place of what is declared.
    var declaration: Int? {
      switch self {
      case .scalar: nil
      case .declared(let index): index
      case .list(let element), .map(let element): element.declaration
      }
    }
  }

  /// Lines at the top.
  var comments: [String] = []
  var declarations: [Declaration] = []

  /// Adds a declaration under a name that no other one has.
  mutating func add(_ declaration: Declaration) -> Int {
    var declaration = declaration
    declaration.name = freeName(declaration.name)
    declarations.append(declaration)
    return declarations.count - 1
  }

  /// The enum of a name with these values, and no others.
  func enumeration(_ name: String, of values: [String]) -> Int? {
    declarations.firstIndex { declaration in
      guard case .enumeration(let known) = declaration.kind, declaration.name == name else { return false }
      return known.map(\.rawValue) == values
    }
  }

  /// A name that no declaration has.
  func freeName(_ name: String) -> String {
    let taken = Set(declarations.map { $0.name.lowercased() })
    return DraftName.free(name, besides: { taken.contains($0.lowercased()) })
  }

  /// A name that no property of a declaration has.
  func freeName(_ name: String, in index: Int) -> String {
    let taken = Set(declarations[index].properties.map(\.name))
    return DraftName.free(name) { taken.contains($0) }
  }

  /// Adds an identity to a model in whose source nothing identifies a row, and says so.
  mutating func addMissingIdentity(to index: Int, _ type: String = "String", because reason: String) {
    declarations[index].comments.append("\(reason): this is to be another one.")
    declarations[index].properties.insert(
      Property(name: "id", type: .scalar(type), isIdentity: true), at: 0)
  }

  func isModel(_ index: Int) -> Bool {
    if case .model = declarations[index].kind { true } else { false }
  }

  /// Whether a property leads to rows.
  func isRelationship(_ property: Property) -> Bool { property.type.declaration.map(isModel) ?? false }
}

extension SchemaDraft.Declaration {
  /// The cases of an enum of texts.
  static func cases(of values: [String]) -> [Case] {
    var names: Set<String> = []
    return values.map { value in
      let name = DraftName.free(DraftName.property(value)) {
        names.contains($0) || !NameRule.isUsable(case: $0)
      }
      names.insert(name)
      return Case(name: name, rawValue: value)
    }
  }
}
