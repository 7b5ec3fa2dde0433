import Syncline

extension DescribedType {
  /// Changes the type if it cannot read an example of the document, and makes it optional if an example is null.
  mutating func widen(for seen: DocumentExamples.Member, _ draft: SchemaDraft) {
    isNullable = isNullable || seen.nulls > 0
    guard let wider = DescribedType.wider(type, for: seen.values, draft) else { return }
    type = wider
    comments.append("An example is of another type than the document says.")
  }

  /// A type that can read all values; nil if the type itself can.
  private static func wider(
    _ type: SchemaDraft.TypeReference, for values: [SyncJSON], _ draft: SchemaDraft
  ) -> SchemaDraft.TypeReference? {
    guard !values.isEmpty else { return nil }
    let json = SchemaDraft.TypeReference.scalar("JSON")
    switch type {
    case .scalar(let name):
      if values.allSatisfy({ reads(name, $0) }) { return nil }
      let wider = common([name, "Int"]) == "String" ? ["String"] : ["Double", "String"]
      return .scalar(wider.first { name in values.allSatisfy { reads(name, $0) } } ?? "JSON")
    case .declared(let index):
      switch draft.declarations[index].kind {
      case .model, .union:
        // A nested row may be written as its key.
        return values.allSatisfy { $0.array == nil && $0.bool == nil } ? nil : json
      case .structure: return values.allSatisfy { $0.object != nil } ? nil : json
      case .enumeration(let cases):
        let raw = cases.allSatisfy(\.isNumber) ? "Int" : "String"
        if values.allSatisfy({ reads(raw, $0) }) { return nil }
        return values.allSatisfy { reads("String", $0) } ? .scalar("String") : json
      }
    case .list(let element):
      let elements = values.compactMap(\.array)
      guard elements.count == values.count, !elements.joined().contains(where: \.isNull) else { return json }
      guard let wider = wider(element, for: Array(elements.joined().prefix(200)), draft) else { return nil }
      return wider == json ? json : .list(wider)
    case .map(let element):
      let objects = values.compactMap(\.object)
      let inner = objects.flatMap { $0.map(\.value) }
      guard objects.count == values.count, !inner.contains(where: \.isNull) else { return json }
      guard let wider = wider(element, for: Array(inner.prefix(200)), draft) else { return nil }
      return wider == json ? json : .map(wider)
    }
  }

  private static func reads(_ name: String, _ value: SyncJSON) -> Bool {
    // A sync would round a fraction, and report it.
    if name.contains("Int"), let number = Double(syncJSON: value), number != number.rounded() { return false }
    return switch name {
    case "JSON": true
    case "String": value.object == nil && value.array == nil && !value.isNull
    default: reads(SyncStoredType(SyncStoredType.Scalar(rawValue: name) ?? .int).scalarType, value)
    }
  }

  private static func reads<Value: SyncScalar>(_ type: Value.Type, _ value: SyncJSON) -> Bool {
    Value(syncJSON: value) != nil
  }
}
