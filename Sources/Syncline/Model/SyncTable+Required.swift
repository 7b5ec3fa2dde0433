/// What a new row requires in addition to its identity.
extension SyncTable {
  /// Whether a new row requires more than its identity, so that an object with only the identity is a foreign key.
  ///
  /// - Parameter given: the relationship to the row around the object, which the object need not have.
  func requiresMore(besides given: Int? = nil) -> Bool {
    required.contains { $0 != given && !identityParts.contains($0) }
  }

  /// Whether a new row requires more than its identity and its type in a union. Handwritten models may always require more.
  func requiresMore<Model>(than cases: SyncUnionCases<Model>, _ style: KeyStyle) -> Bool {
    guard isGenerated else { return true }
    let keys = keyTable(style)
    return required.contains { position in
      !identityParts.contains(position)
        && !keys.candidates[position].contains { $0.name >= 0 && keys.names[$0.name] == cases.firstKey }
    }
  }
}
