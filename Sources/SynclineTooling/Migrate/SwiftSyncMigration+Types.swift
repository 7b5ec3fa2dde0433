import SynclineCompiler

extension SwiftSyncMigration {
  /// The equivalent of a property's type in a schema.
  struct PropertyType {
    /// The type in the Swift source.
    let source: String
    /// The type in the schema; nil if there is no equivalent.
    var reference: SchemaDraft.TypeReference?
    var isOptional = false
    /// The reason why there is no equivalent.
    var problem: String
  }

  private static let scalars = Set(ScalarType.allCases.map(\.rawValue)).subtracting(["JSON"])
  /// Types of Swift and Foundation that are equivalent to a scalar with another name.
  private static let synonyms = [
    "TimeInterval": "Double", "CGFloat": "Double", "Double_t": "Double", "Float32": "Float",
    "Float64": "Double",
    "NSString": "String", "Substring": "String", "Character": "String", "LocalizedStringResource": "String",
    "NSDate": "Date", "NSURL": "URL", "NSUUID": "UUID", "NSData": "Data", "NSDecimalNumber": "Decimal",
  ]
  private static let aliasLimit = 16
  private static let levelLimit = 8

  /// The type of a property: the declared type, or else the type of its default value.
  ///
  /// - Parameter scope: the qualified name of the type that contains the property.
  /// - Returns: nil if the type cannot be determined.
  mutating func propertyType(of property: SwiftModels.Property, in scope: String) -> PropertyType? {
    let written = property.type.isEmpty ? property.defaultValue.impliedType ?? [] : property.type
    guard !written.isEmpty else { return nil }
    let source = written.source
    var type = PropertyType(
      source: source, problem: "\(source) is not a type of a schema; declare a struct for it.")
    let (plain, isOptional) = SwiftSyncMigration.unwrapped(resolved(written, in: scope))
    type.isOptional = isOptional
    type.reference = reference(plain, in: scope)
    if type.reference == nil, let name = plain.typePath.flatMap({ declared($0, in: scope) }),
      sources[name]?.declaration.kind == .enumeration
    {
      type.problem = "the cases of \(source) have values that an enum of a schema cannot have."
    } else if type.reference.flatMap(\.declaration).map(draft.isModel) ?? false {
      type.problem = "\(source) is a model, to which a struct cannot refer."
    }
    return type
  }

  /// The qualified name of the declaration that a name in a type refers to.
  func declared(_ name: String, in scope: String) -> String? {
    var scope = Substring(scope)
    while !scope.isEmpty {
      if sources["\(scope).\(name)"] != nil { return "\(scope).\(name)" }
      scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
    }
    if sources[name] != nil { return name }
    return name.split(separator: ".").last.flatMap { fullNames[String($0)] }
  }

  /// The type without `?`, `!` or `Optional<…>`.
  private static func unwrapped(_ tokens: SwiftModels.Tokens) -> (SwiftModels.Tokens, isOptional: Bool) {
    if tokens.last == .sign("?") || tokens.last == .sign("!") { return (Array(tokens.dropLast()), true) }
    if let arguments = tokens.arguments(of: "Optional"), arguments.count == 1 { return (arguments[0], true) }
    return (tokens, false)
  }

  /// The type that a type alias refers to.
  private func resolved(_ tokens: SwiftModels.Tokens, in scope: String) -> SwiftModels.Tokens {
    var tokens = tokens
    for _ in 0..<SwiftSyncMigration.aliasLimit {
      var (name, ending) = (tokens, SwiftModels.Tokens())
      if let last = tokens.last, last == .sign("?") || last == .sign("!") {
        name.removeLast()
        ending = [last]
      }
      guard let path = name.typePath, let alias = aliases["\(scope).\(path)"] ?? aliases[path] else { break }
      tokens = alias.last == .sign("?") ? alias : alias + ending
    }
    return tokens
  }

  /// - Parameter level: the number of lists and maps that contain the type. It is limited, because an alias may contain itself.
  private mutating func reference(_ written: SwiftModels.Tokens, in scope: String, level: Int = 0)
    -> SchemaDraft.TypeReference?
  {
    let tokens = resolved(written, in: scope)
    guard level < SwiftSyncMigration.levelLimit else { return nil }
    if let element = tokens.listElement {
      return reference(element, in: scope, level: level + 1).map { .list($0) }
    }
    if let value = tokens.mapValue {
      guard let type = reference(value, in: scope, level: level + 1) else { return nil }
      return type.declaration.map(draft.isModel) ?? false ? nil : .map(type)
    }
    guard let path = tokens.typePath else { return nil }
    if let name = declared(path, in: scope) { return place(of: name).map { .declared($0) } }
    // A type with a module qualifier is found by its last name.
    let name = path.split(separator: ".").last.map(String.init) ?? path
    let scalar = SwiftSyncMigration.synonyms[name] ?? name
    return SwiftSyncMigration.scalars.contains(scalar) ? .scalar(scalar) : nil
  }

  /// The index of a declaration in the draft. Adds the declaration on first use.
  ///
  /// - Returns: nil if a schema has no equivalent declaration.
  private mutating func place(of name: String) -> Int? {
    if let place = places[name] { return place }
    guard let declaration = sources[name]?.declaration else { return nil }
    var added = SchemaDraft.Declaration(kind: .structure, name: freeName(of: declaration))
    switch declaration.kind {
    case .model: return nil
    case .structure:
      guard !declaration.properties.isEmpty else { return nil }
    case .enumeration:
      guard let cases = SwiftEnumCases(declaration) else { return nil }
      added.kind = .enumeration(cases.cases)
      if !cases.hasRawValues {
        added.comments = ["\(declaration.name) has no raw values: here they are the names of its cases."]
      }
    }
    let place = draft.add(added)
    places[name] = place
    pending.append(name)
    return place
  }

  /// The name of a nested type. If another declaration has this name, it is prefixed with the enclosing type.
  private func freeName(of declaration: SwiftModels.Declaration) -> String {
    let isTaken = draft.freeName(declaration.ownName) != declaration.ownName
    return isTaken ? declaration.name.split(separator: ".").suffix(2).joined() : declaration.ownName
  }

  /// Adds the default value of a property if it is a literal.
  ///
  /// - Returns: a note if the default value is not migrated.
  func addDefault(of property: SwiftModels.Property, to draftProperty: inout SchemaDraft.Property) -> [String]
  {
    let value = property.defaultValue
    guard !draft.isRelationship(draftProperty), draftProperty.type != .scalar("JSON"), !value.isEmpty,
      value != [.word("nil")]
    else { return [] }
    let isEnum = draftProperty.type.declaration.map { !draft.isModel($0) } ?? false
    if let literal = value.schemaLiteral {
      draftProperty.defaultValue = literal
    } else if isEnum, let name = value.caseName {
      draftProperty.defaultValue = ".\(name)"
    } else {
      return ["the default \(value.source) is not carried over."]
    }
    return []
  }
}
