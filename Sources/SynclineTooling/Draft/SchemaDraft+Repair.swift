import SynclineCompiler

extension SchemaDraft {
  /// The maximum number of compilations of a draft. Each round simplifies the rejected parts, and finally removes them.
  private static let roundLimit = 12
  /// The maximum number of changes to a property before it is removed.
  private static let repairLimit = 5

  /// Changes the parts that the compiler rejects, such as names that Swift uses, keys that two properties read, and ambiguous
  /// inverses. Removes parts that cannot be fixed. A comment describes each change and its reason.
  mutating func repair() {
    for _ in 0..<SchemaDraft.roundLimit {
      let (text, lines) = lines()
      let file = SourceFile(path: "draft.syncline", text: text)
      let errors = CompilerPipeline.analyse(CompilerInput(target: "Draft", files: [file])).diagnostics
        .filter { $0.severity == .error && $0.range.file === file }
      // A declaration with the name of another type changes the meaning of properties' types, so other errors may be
      // consequences.
      let names = errors.filter { error in
        let line = error.range.start.line - 1
        guard lines.indices.contains(line), case .declaration = lines[line] else { return false }
        return [.duplicateDeclaration, .unusableName, .scalarName].contains(error.code)
      }
      var changed: Set<Int> = []
      var unidentified: [Int] = []
      for diagnostic in names.isEmpty ? errors : names {
        let start = diagnostic.range.start
        let line = start.line - 1
        guard lines.indices.contains(line), changed.insert(line).inserted else { continue }
        switch lines[line] {
        case .other: break
        case .declaration(let index) where diagnostic.code == .noIdentity: unidentified.append(index)
        case .declaration(let index): change(index, at: start.column, diagnostic)
        case .property(let index, let place):
          var property = declarations[index].properties[place]
          change(&property, in: index, diagnostic)
          declarations[index].properties[place] = property
        }
      }
      for index in unidentified {
        declarations[index].attributes.removeAll { $0.hasPrefix("@PrimaryKey") }
        addMissingIdentity(to: index, because: "No property identifies a row")
      }
      removeEmpty()
      guard !changed.isEmpty else { return }
    }
  }

  /// - Parameter column: the column of the problem in the declaration's line, counted from 1.
  private mutating func change(_ index: Int, at column: Int, _ diagnostic: Diagnostic) {
    let declaration = declarations[index]
    switch diagnostic.code {
    case .duplicateDeclaration, .unusableName, .scalarName:
      rename(index, diagnostic)
    case .emptyEnum where isUnion(index), .invalidKey where isUnion(index):
      leaveOut(index, diagnostic.message)
    default:
      let attributes = attributes(of: declaration)
      guard let place = attribute(of: attributes, at: column) else {
        // The name may be a keyword of the schema language, so it is renamed once.
        if !declaration.name.hasSuffix("Record") {
          rename(index, diagnostic)
        } else if isUnion(index) {
          leaveOut(index, diagnostic.message)
        }
        return
      }
      declarations[index].comments.append("Left out: \(attributes[place]), because \(diagnostic.message).")
      let own = place - (attributes.count - declaration.attributes.count)
      if own >= 0 {
        declarations[index].attributes.remove(at: own)
      } else {
        // The composite identity.
        for part in declarations[index].properties.indices {
          declarations[index].properties[part].identityPart = nil
        }
      }
    }
  }

  /// Removes a declaration; properties of its type become `JSON`.
  private mutating func leaveOut(_ left: Int, _ reason: String) {
    declarations[left].isLeftOut = true
    comments.append("Left out: \(declarations[left].name), because \(reason).")
    for index in declarations.indices {
      for place in declarations[index].properties.indices
      where declarations[index].properties[place].type.declaration == left {
        var property = declarations[index].properties[place]
        property.attributes = []
        simplify(&property, reason)
        declarations[index].properties[place] = property
      }
    }
  }

  private mutating func rename(_ index: Int, _ diagnostic: Diagnostic) {
    rename(index, to: declarations[index].name + "Record")
    declarations[index].comments.append("Named \(declarations[index].name) because \(diagnostic.message).")
  }

  /// The attribute of a declaration at a column.
  private func attribute(of attributes: [String], at column: Int) -> Int? {
    var end = 0
    for (place, attribute) in attributes.enumerated() {
      end += attribute.utf8.count + 1
      if column <= end { return place }
    }
    return attributes.indices.last
  }

  private func change(_ property: inout Property, in index: Int, _ diagnostic: Diagnostic) {
    property.repairs += 1
    let reason = diagnostic.message
    guard property.repairs <= SchemaDraft.repairLimit else { return leaveOut(&property, reason) }
    if isUnion(index) { return changeCase(&property, in: index, diagnostic) }
    switch diagnostic.code {
    case .duplicateProperty, .unusableName, .hashValueName, .descriptionName,
      // The name may be a keyword of the schema language.
      .unexpectedToken where property.repairs == 1, .unexpectedCharacter where property.repairs == 1:
      rename(&property, in: index, diagnostic)
    case .sameKey, .overlappingKeys, .twoRemoteKeys:
      if property.key == nil { return rename(&property, in: index, diagnostic) }
      if property.isKeyExplicit { return leaveOut(&property, reason) }
      property.isKeyExplicit = true
    case .invalidKey, .invalidKeyPattern:
      leaveOut(&property, reason)
    case .invalidDefault, .defaultOnRelationship, .invalidRawValue, .invalidLiteral:
      guard let value = property.defaultValue else { return simplify(&property, reason) }
      property.defaultValue = nil
      property.comments.append("The default \(value) is left out, because \(reason).")
    case .invalidDeleteRule:
      guard let rule = property.deleteRule else { return simplify(&property, reason) }
      property.deleteRule = nil
      property.comments.append("The delete rule .\(rule) is left out, because \(reason).")
    case .invalidIdentity where property.isIdentity && property.type != .scalar("String"):
      property.type = .scalar("String")
      property.isOptional = false
      property.comments.append("The type is String, because \(reason).")
    case .requiredBothWays where !property.isOptional:
      property.isOptional = true
      property.comments.append("It is optional, because \(reason).")
    default:
      if isRelationship(property) { return unpair(&property, reason) }
      simplify(&property, reason)
    }
  }

  private func changeCase(_ property: inout Property, in index: Int, _ diagnostic: Diagnostic) {
    switch diagnostic.code {
    case .duplicateCase, .unusableName,
      // The name may be a keyword of the schema language.
      .unexpectedToken where property.repairs == 1, .unexpectedCharacter where property.repairs == 1:
      rename(&property, in: index, diagnostic)
    default: leaveOut(&property, diagnostic.message)
    }
  }

  /// Renames a property to a name that Swift does not use. Its key stays the same.
  private func rename(_ property: inout Property, in index: Int, _ diagnostic: Diagnostic) {
    var ending = diagnostic.code == .hashValueName ? "Raw" : "Value"
    if isUnion(index) {
      ending = "Case"
    } else if isRelationship(property) {
      if case .list = property.type { ending = "Rows" } else { ending = "Row" }
    }
    let plain = property.name.hasSuffix(ending) ? property.name : property.name + ending
    let name = freeName(plain, in: index)
    property.comments.append("Named \(name) because \(diagnostic.message).")
    property.name = name
    property.isKeyExplicit = property.key != nil
  }

  private func unpair(_ property: inout Property, _ reason: String) {
    switch property.inverse {
    case .derived: property.inverse = .nothing
    case .property(let other, let name):
      property.inverse = .nothing
      property.comments.append(
        "The inverse \\\(declarations[other].name).\(name) is left out, because \(reason).")
    case .nothing:
      simplify(&property, reason)
    }
  }

  /// Removes the attributes of a property. If it has none, its type becomes `JSON`.
  private func simplify(_ property: inout Property, _ reason: String) {
    if !property.attributes.isEmpty {
      property.comments.append("Left out: \(property.attributes.joined(separator: " ")), because \(reason).")
      property.attributes = []
    } else if property.isIdentity || property.isIdentityPart || property.type == .scalar("JSON") {
      leaveOut(&property, reason)
    } else {
      property.comments.append("The type \(name(of: property.type)) is left out, because \(reason).")
      property.type = .scalar("JSON")
      property.isOptional = true
      property.defaultValue = nil
      property.deleteRule = nil
      property.inverse = .derived
    }
  }

  private func leaveOut(_ property: inout Property, _ reason: String) {
    property.comments.append(reason)
    property.name = ""
  }

  /// Removes the properties that could not be fixed.
  private mutating func removeEmpty() {
    for index in declarations.indices {
      let what = isUnion(index) ? "case" : "key"
      for property in declarations[index].properties where property.name.isEmpty {
        let reason = property.comments.last.map { ", because \($0)." } ?? ""
        declarations[index].comments.append(
          "Left out: the \(what) \(SwiftText.literal(property.key ?? ""))\(reason)")
      }
      declarations[index].properties.removeAll { $0.name.isEmpty }
      let parts = declarations[index].properties.indices.filter {
        declarations[index].properties[$0].isIdentityPart
      }
      // If only one part of a composite identity is left, it becomes the identity.
      if parts.count == 1, let part = parts.first {
        declarations[index].properties[part].identityPart = nil
        declarations[index].properties[part].isIdentity = true
        declarations[index].properties[part].comments.append(
          "It identifies a row alone, because the other part of the identity is left out.")
      }
    }
  }
}
