extension SchemaInference {
  /// Decides the type of a property from its values.
  mutating func decide(
    _ property: inout SchemaDraft.Property, _ key: String, _ value: SampleShape, of shape: SampleShape,
    in index: Int
  ) {
    if value.isObject {
      property.type = object(value, key, in: index)
    } else if value.isList {
      property.type = list(value, key, in: index, &property.comments)
    } else if value.isScalar || value.present == 0 {
      let scalar = ScalarGuess(
        of: value, key: key, rows: rowCounts[index] ?? value.texts.count,
        areMinorUnits: SchemaInference.haveMinorUnits(shape))
      property.isOptional = property.isOptional || value.present == 0
      property.comments += scalar.comments
      property.attributes += scalar.attributes
      property.type = scalar.cases.map { enumeration($0, key, in: index) } ?? .scalar(scalar.type)
    } else {
      property.comments.append("Values of different types were seen.")
      property.isOptional = property.isOptional || value.nulls > 0
    }
    if property.type == .scalar("JSON") { property.isOptional = true }
  }

  private mutating func list(
    _ value: SampleShape, _ key: String, in index: Int, _ comments: inout [String]
  ) -> SchemaDraft.TypeReference {
    guard let element = value.element, element.present > 0 else {
      comments.append("Only empty lists were seen.")
      return .scalar("JSON")
    }
    guard element.nulls == 0 else {
      comments.append("Lists with null elements were seen.")
      return .scalar("JSON")
    }
    if element.isObject { return .list(object(element, key, in: index, isElement: true)) }
    if element.isBool { return .list(.scalar("Bool")) }
    if element.isInteger, !ScalarGuess.mayHaveFractions(KeyWords.words(of: key)) {
      return .list(.scalar("Int"))
    }
    if element.isNumber { return .list(.scalar(element.areLongNumbers ? "Decimal" : "Double")) }
    // Numbers as strings would be exported as strings.
    if element.isText || (element.isTextOrNumber && element.texts.areNumbers) {
      return .list(.scalar("String"))
    }
    if element.isList { return .list(list(element, key, in: index, &comments)) }
    comments.append("Elements of different types were seen.")
    return .scalar("JSON")
  }

  /// The type of an object without an identity: a struct or a map.
  private mutating func object(
    _ value: SampleShape, _ key: String, in index: Int, isElement: Bool = false
  ) -> SchemaDraft.TypeReference {
    if let union = value.union {
      return .declared(declare(union, named: DraftName.type(key, isList: isElement), in: index))
    }
    if let values = value.entries { return map(value, values, key, in: index) }
    guard !value.keys.isEmpty else { return .scalar("JSON") }
    // Objects may contain objects of their own kind, and occur at several positions.
    if let known = structures[ObjectIdentifier(value)] { return .declared(known) }
    let own = DraftName.type(key, isList: isElement)
    let structure = draft.add(
      SchemaDraft.Declaration(kind: .structure, name: draft.typeName(own, in: index)))
    structures[ObjectIdentifier(value)] = structure
    ownNames[structure] = own
    noteSmall(structure, value, in: index)
    addProperties(of: value, at: [], to: structure, besides: [])
    if draft.declarations[structure].properties.isEmpty {
      // No key can be a path: `{"": 1}`.
      draft.declarations[structure].isLeftOut = true
      structures[ObjectIdentifier(value)] = nil
      return .scalar("JSON")
    }
    return .declared(structure)
  }

  private mutating func map(
    _ value: SampleShape, _ values: SampleShape, _ key: String, in index: Int
  ) -> SchemaDraft.TypeReference {
    guard values.nulls == 0 else { return .scalar("JSON") }
    if values.isObject { return .map(object(values, key, in: index, isElement: true)) }
    if values.isList {
      var comments: [String] = []
      let type = list(values, key, in: index, &comments)
      return type == .scalar("JSON") ? type : .map(type)
    }
    guard values.isScalar else { return .scalar("JSON") }
    // Any string may follow.
    if value.isFreeForm { return values.isText ? .map(.scalar("String")) : .scalar("JSON") }
    return .map(.scalar(ScalarGuess(of: values, key: key, rows: 0).plainType))
  }

  /// Whether amounts of money are integers in the currency's smallest unit, such as cents: objects with a currency have
  /// amounts of at least a hundred, and none with a fraction.
  private static func haveMinorUnits(_ shape: SampleShape) -> Bool {
    guard shape.keys.contains(where: { KeyWords.words(of: $0).contains("currency") }) else { return false }
    // Stripe adds the same amount as a string: `unit_amount_decimal`.
    let keys = shape.keys.filter { key in
      let words = KeyWords.words(of: key)
      return ScalarGuess.isMoney(words) && words.last != "decimal"
    }
    let amounts = keys.compactMap { shape.members[$0] }.filter {
      $0.isNumber || ($0.isText && $0.texts.areNumbers)
    }
    return !amounts.isEmpty && amounts.allSatisfy(\.isInteger)
      && amounts.contains { ($0.range?.upperBound ?? 0) >= 100 }
  }

  private mutating func enumeration(
    _ values: [String], _ key: String, in index: Int
  ) -> SchemaDraft.TypeReference {
    let own = DraftName.type(key)
    let cases = SchemaDraft.Declaration.cases(of: values)
    if let same = draft.enumeration(own, of: cases) { return .declared(same) }
    return .declared(
      draft.add(
        SchemaDraft.Declaration(kind: .enumeration(cases), name: draft.typeName(own, in: index))))
  }
}
