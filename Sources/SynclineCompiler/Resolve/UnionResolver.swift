import SynclineNaming

/// Resolves a union: its key, and its cases, which must be all models or all structs.
struct UnionResolver {
  private let syntax: ModelSyntax
  private let types: TypeResolver
  private let isOfValues: Bool

  static func union(_ syntax: ModelSyntax, _ types: TypeResolver, _ log: inout ResolutionLog) -> Union {
    UnionResolver(syntax: syntax, types: types, isOfValues: types.table.isOfValues(syntax)).union(&log)
  }

  private func union(_ log: inout ResolutionLog) -> Union {
    for attribute in syntax.attributes {
      log.bag.error(
        .misplacedAttribute, "“@\(attribute.name.text)” is not allowed on a union", at: attribute.range,
        fixIts: [.remove(attribute.range)])
    }
    if syntax.properties.isEmpty, !syntax.isIncomplete {
      log.bag.error(.emptyEnum, "“\(syntax.name.text)” has no cases", at: syntax.name.range)
    }
    let cases = cases(&log)
    return Union(
      name: syntax.name.text, documentation: syntax.documentation, key: key(&log.bag), cases: cases,
      isOfValues: isOfValues, isWhole: cases.count == syntax.properties.count, range: syntax.name.range)
  }

  private func key(_ bag: inout DiagnosticBag) -> Located<String> {
    guard let literal = syntax.key, case .text(let key) = literal.value else {
      return Located(value: "type", range: syntax.name.range)
    }
    let path: RemotePath
    do { path = try RemotePath(key) } catch {
      bag.error(.invalidKey, "“\(key)” is not a valid key: \(error.description)", at: literal.range)
      return Located(value: key, range: literal.range)
    }
    if path.hasSteps {
      bag.error(
        .invalidKey,
        "“\(key)” steps into a list or a map: the key that selects a case must be in the object itself",
        at: literal.range)
    }
    return Located(value: key, range: literal.range)
  }

  private func cases(_ log: inout ResolutionLog) -> [Union.Case] {
    var names: Set<String> = []
    var tags: Set<String> = []
    var seen: Set<String> = []
    var cases: [Union.Case] = []
    for entry in syntax.properties {
      for attribute in entry.attributes {
        log.bag.error(
          .misplacedAttribute, "“@\(attribute.name.text)” is not allowed on a case of a union",
          at: attribute.range, fixIts: [.remove(attribute.range)])
      }
      guard names.insert(entry.name.text.lowercased()).inserted else {
        log.bag.error(
          .duplicateCase, "“\(syntax.name.text)” has the case “\(entry.name.text)” twice",
          at: entry.name.range)
        continue
      }
      let tag = tag(of: entry, &log.bag)
      if !entry.isIncomplete, !tags.insert(tag).inserted {
        log.bag.error(
          .duplicateRawValue, "two cases of “\(syntax.name.text)” have the same value “\(tag)”",
          at: entry.defaultValue?.range ?? entry.name.range)
      }
      guard let type = type(of: entry, &log) else { continue }
      if !seen.insert(type).inserted {
        log.bag.error(
          .invalidType,
          "two cases of “\(syntax.name.text)” have the type “\(type)”, which makes them ambiguous",
          at: entry.type.range)
      }
      cases.append(
        .init(
          name: entry.name.text, documentation: entry.documentation, type: type, tag: tag,
          range: entry.name.range))
    }
    return cases
  }

  /// The key's value for a case.
  private func tag(of entry: PropertySyntax, _ bag: inout DiagnosticBag) -> String {
    guard let literal = entry.defaultValue else { return entry.name.text }
    if case .text(let tag) = literal.value { return tag }
    if !entry.isIncomplete {
      bag.error(
        .invalidRawValue, "a case's value must be a string, not \(literal.quotedName)", at: literal.range)
    }
    return entry.name.text
  }

  /// The model or the struct of a case; nil if its type is neither.
  private func type(of entry: PropertySyntax, _ log: inout ResolutionLog) -> String? {
    let name = entry.type.name.text
    if case .type(.union)? = types.table.declarations[name] {
      log.symbols.refer(to: .union(name), at: entry.type.name.range)
      refuse(entry, "“\(name)” is a union itself", &log.bag)
      return nil
    }
    let kind: String
    switch types.type(entry, &log) {
    case .toOne(let model) where !entry.type.isOptional:
      if !isOfValues { return model }
      kind = "“\(model)” is a model, but other cases are structs: a union holds either models or structs"
    case .value(.structure(let structure)) where !entry.type.isOptional:
      if isOfValues { return structure }
      kind = "“\(structure)” is a struct, but other cases are models: a union holds either models or structs"
    case .value(.structure), .toOne, .toMany: kind = "a case is one row or value: write “\(name)”"
    case .value: kind = "“\(entry.type.text)” is neither a model nor a struct"
    case .union, .invalid: return nil
    }
    refuse(entry, kind, &log.bag)
    return nil
  }

  private func refuse(_ entry: PropertySyntax, _ why: String, _ bag: inout DiagnosticBag) {
    guard !entry.isIncomplete else { return }
    bag.error(.invalidType, "“\(syntax.name.text).\(entry.name.text)”: \(why)", at: entry.type.range)
  }
}
