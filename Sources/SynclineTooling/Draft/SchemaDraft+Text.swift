import Foundation
import SynclineCompiler
import SynclineNaming

extension SchemaDraft {
  /// The part of the draft that a line was written for.
  enum Line {
    case other
    case declaration(Int)
    case property(Int, Int)
  }

  var text: String {
    let text = lines().text
    return ParsedFile(SourceFile(path: "", text: text)).formatted ?? text
  }

  /// The unformatted text, and the part of the draft for each of its lines.
  func lines() -> (text: String, lines: [Line]) {
    var text: [String] = []
    var lines: [Line] = []
    func write(_ line: String, _ kind: Line) {
      text.append(line)
      lines.append(kind)
    }
    for line in SchemaDraft.comments(comments) { write(line, .other) }
    if !settings.isEmpty {
      if !text.isEmpty { write("", .other) }
      write("schema {", .other)
      for setting in settings { write("  \(setting)", .other) }
      write("}", .other)
    }
    for index in declarations.indices where !declarations[index].isLeftOut {
      if !text.isEmpty { write("", .other) }
      let own = declarationLines(index)
      for (number, line) in own.enumerated() {
        let isEnd = number == own.count - 1
        write(line.text, line.property.map { .property(index, $0) } ?? (isEnd ? .other : .declaration(index)))
      }
    }
    return (text.joined(separator: "\n") + "\n", lines)
  }

  /// The lines of a declaration, each with the index of its property.
  func declarationLines(_ index: Int) -> [(text: String, property: Int?)] {
    let declaration = declarations[index]
    let attributes = attributes(of: declaration).map { $0 + " " }.joined()
    var lines =
      SchemaDraft.comments(declaration.comments) + documentation(declaration.documentation)
    switch declaration.kind {
    case .model: lines.append("\(attributes)model \(declaration.name) {")
    case .structure: lines.append("\(attributes)struct \(declaration.name) {")
    case .enumeration(let cases):
      let areNumbers = !cases.isEmpty && cases.allSatisfy(\.isNumber)
      lines.append("enum \(declaration.name): \(areNumbers ? "Int" : "String") {")
      for entry in cases {
        let raw = areNumbers ? entry.rawValue : SwiftText.literal(entry.rawValue)
        lines.append("  case \(entry.name)\(raw == SwiftText.literal(entry.name) ? "" : " = \(raw)")")
      }
    case .union(let key):
      lines.append("union \(declaration.name) on \(SchemaDraft.literal(key)) {")
    }
    let members = declaration.properties.enumerated().flatMap { place, property in
      self.lines(of: property, in: declaration).map { ("  " + $0, Optional(place)) }
    }
    return lines.map { ($0, nil) } + members + [("}", nil)]
  }

  /// The attributes of a declaration. A composite identity comes first.
  func attributes(of declaration: Declaration) -> [String] {
    let parts = declaration.properties.filter(\.isIdentityPart)
      .sorted { ($0.identityPart ?? 0) < ($1.identityPart ?? 0) }
    let identity = parts.isEmpty ? [] : [SchemaDraft.attribute("PrimaryKey", of: parts.map(\.name))]
    return identity + declaration.attributes
  }

  private func lines(of property: Property, in declaration: Declaration) -> [String] {
    guard case .union = declaration.kind else { return lines(of: property) }
    let tag = property.key.flatMap { $0 == property.name ? nil : " = \(SwiftText.literal($0))" } ?? ""
    return SchemaDraft.comments(property.comments)
      + ["case \(property.name): \(name(of: property.type))\(tag)"]
  }

  /// The line of a property, after its comments.
  func lines(of property: Property) -> [String] {
    var attributes = property.attributes
    let key = property.isKeyExplicit ? property.key.map(SchemaDraft.literal) : nil
    if property.isIdentity {
      // The key `id` needs no attribute.
      if key != nil || property.name != "id" {
        attributes.append("@PrimaryKey" + (key.map { "(remote: \($0))" } ?? ""))
      }
    } else if let key {
      attributes.append("@RemoteKey(\(key))")
    }
    var relationship: [String] = []
    switch property.inverse {
    case .derived: break
    case .nothing: relationship.append("inverse: nil")
    case .property(let index, let name): relationship.append("inverse: \\\(declarations[index].name).\(name)")
    }
    if let rule = property.deleteRule { relationship.append("deleteRule: .\(rule)") }
    if !relationship.isEmpty { attributes.append("@Relationship(\(relationship.joined(separator: ", ")))") }
    let type = name(of: property.type) + (property.isOptional ? "?" : "")
    let fallback = property.defaultValue.map { " = \($0)" } ?? ""
    return SchemaDraft.comments(property.comments) + documentation(property.documentation)
      + [(attributes + ["\(property.name): \(type)\(fallback)"]).joined(separator: " ")]
  }

  /// A key as a string literal of the schema language. A key with quotes becomes a raw string. A key that looks like another path
  /// notation is put in quotes.
  private static func literal(_ key: String) -> String {
    let components: [String] = RemotePath.components(of: key).enumerated().map { place, component in
      let isForeign =
        component.contains("/") || component == "$" || component == "*" || component == "#"
        || place > 0 && component.allSatisfy { "0"..."9" ~= $0 }
      let mayBeQuoted = !component.contains(where: { $0 == "\"" || $0 == "[" || $0 == "{" })
      return isForeign && mayBeQuoted ? "\"\(component)\"" : String(component)
    }
    let key = components.joined(separator: ".")
    let text = SwiftText.literal(key)
    let isRaw =
      key.contains("\"") && !key.contains("\"#") && text == "\"\(key.replacing("\"", with: "\\\""))\""
    return isRaw ? "#\"\(key)\"#" : text
  }

  /// One comment line for each string, which may contain any characters.
  private static func comments(_ texts: [String]) -> [String] {
    texts.map { text in
      var line = "// "
      for scalar in text.unicodeScalars {
        let isPlain = scalar.value >= 0x20 && scalar.value != 0x7F && !CharacterSet.newlines.contains(scalar)
        line.unicodeScalars.append(isPlain ? scalar : " ")
      }
      return line
    }
  }

  private func documentation(_ lines: [String]) -> [String] {
    lines.map { $0.isEmpty ? "///" : "/// \($0)" }
  }

  func name(of type: TypeReference) -> String {
    switch type {
    case .scalar(let name): name
    case .declared(let index): declarations[index].name
    case .list(let element): "[\(name(of: element))]"
    case .map(let element): "[String: \(name(of: element))]"
    }
  }
}
