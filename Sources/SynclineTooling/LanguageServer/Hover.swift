import Syncline
import SynclineCompiler
import SynclineNaming

/// The hover text for a name: its declaration, JSON keys, column and documentation.
struct Hover {
  let schema: Schema
  let symbol: Symbol?
  /// The section of the file that contains the position, and the line at which it begins.
  let file: ParsedFile
  let line: Int

  /// The response for an offset; null if there is no text.
  func text(at offset: Int) -> SyncJSON {
    guard
      let token = file.tree.tokens.first(where: {
        $0.kind == .identifier && $0.range.lowerBound <= offset && offset <= $0.range.upperBound
      })
    else { return .null }
    let word = file.source.text(token.range)
    let isAttribute =
      token.range.lowerBound > 0 && file.source.bytes[token.range.lowerBound - 1] == UInt8(ascii: "@")
    let lines: [String]?
    if isAttribute {
      lines = AttributeKind(rawValue: word).map(attribute)
    } else if let symbol {
      lines = text(of: symbol)
    } else {
      lines = ScalarType(rawValue: word).map { ["`\($0.rawValue)`", PropertyNotes.sources(of: .scalar($0))] }
    }
    guard let lines else { return .null }
    return [
      "contents": .markdown(lines.joined(separator: "\n\n")),
      "range": file.source.range(of: token.range, from: line),
    ]
  }

  private func attribute(_ kind: AttributeKind) -> [String] {
    [kind.summary, "Example: `\(AttributeSpec.of(kind).example)`"]
  }

  private func text(of symbol: Symbol) -> [String]? {
    switch symbol.kind {
    case .model: return schema.visibleModel(symbol.name).map { model($0) }
    case .structure: return schema.structure(symbol.name).map { model($0) } ?? [code("struct \(symbol.name)")]
    case .property:
      let name = symbol.container ?? ""
      guard let owner = schema.visibleModel(name) ?? schema.structure(name) else { return nil }
      return owner.properties.first { $0.range == symbol.declaration }.map { property($0, in: owner) }
    case .enumeration:
      guard let enumeration = schema.enumeration(symbol.name) else { return [code("enum \(symbol.name)")] }
      let head = code("enum \(symbol.name): \(enumeration.rawType.rawValue)")
      let cases = enumeration.cases.map { "`\($0.name)`" }.joined(separator: ", ")
      return [head] + documentation(enumeration.documentation) + ["Cases: \(cases)."]
    case .union:
      guard let union = schema.union(symbol.name) else { return [code("union \(symbol.name)")] }
      let cases = union.cases.map { "\(inline($0.tag)): `\($0.type)`" }.joined(separator: ", ")
      let head = code("union \(symbol.name) on \"\(union.key.value)\"")
      return [head] + documentation(union.documentation) + [cases]
    case .enumCase: return entry(symbol)
    case .module: return [code("import \(symbol.name)")]
    }
  }

  private func model(_ model: Model) -> [String] {
    var lines =
      [code("\(model.isStruct ? "struct" : "model") \(model.name)")] + documentation(model.documentation)
    if let module = model.module { lines.append("Declared by the target `\(module)`.") }
    if !model.isStruct {
      if model.isSingleton { return lines + ["The table `\(model.name)`, which has at most one row."] }
      let parts = model.identityParts.map { "`\(model.properties[$0.position].name)`" }
      let identity = model.identityProperty.map {
        parts.isEmpty ? "`\($0.name)`" : parts.joined(separator: " and ")
      }
      let key = identity.map { "with the primary key \($0)" } ?? "without a primary key"
      lines.append("The table `\(model.name)`, \(key).")
    }
    return lines
  }

  private func property(_ property: Property, in owner: Model) -> [String] {
    let union = property.unionPart?.property
    var lines =
      [code("\(union ?? property.name): \(property.typeText)")] + documentation(property.documentation)
    if property.isKeyed || owner.isStruct, !property.isPosition, !property.isLocal {
      lines.append("JSON: \(keys(of: property))")
    }
    if !owner.isStruct, union == nil {
      lines.append(property.isStored ? "Column: `\(owner.name).\(property.name)`" : "Without a column.")
    }
    let notes = PropertyNotes.all(on: property)
    return notes.isEmpty ? lines : lines + [notes.joined(separator: " ")]
  }

  /// The keys in the style of the target. For the default style, the keys in camel case as well, because many apps configure
  /// that style.
  private func keys(of property: Property) -> String {
    let keys = inline(property.keys(in: schema.keyStyle)), camel = inline(property.camelKeys)
    return schema.keyStyle != .snakeCase || keys == camel ? keys : "\(keys), in camelCase \(camel)"
  }

  private func entry(_ symbol: Symbol) -> [String] {
    let container = symbol.container ?? ""
    if let entry = schema.enumeration(container)?.cases.first(where: { $0.name == symbol.name }) {
      let value = entry.json.string ?? entry.json.description
      return [code("case \(symbol.name)")] + documentation(entry.documentation) + ["JSON: \(inline(value))"]
    }
    guard let entry = schema.union(container)?.cases.first(where: { $0.name == symbol.name }) else {
      return [code("case \(symbol.name)")]
    }
    let head = code("\(entry.name): \(entry.type)")
    return [head] + documentation(entry.documentation) + ["JSON: \(inline(entry.tag))"]
  }

  private func code(_ text: String) -> String { "```syncline\n\(text)\n```" }

  private func documentation(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }

  private func inline(_ keys: [String]) -> String { keys.map(inline).joined(separator: ", ") }

  /// A string as inline code, whatever characters it contains.
  private func inline(_ text: String) -> String {
    text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }
}
