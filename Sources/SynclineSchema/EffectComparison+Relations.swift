extension EffectComparison {
  /// Compares the inverses of relationships. An end that was added or removed is a separate difference.
  mutating func compareOtherEnds() {
    let match = difference.match
    let before = SchemaRelation.byEnd(difference.old.relations)
    let today = SchemaRelation.byEnd(difference.new.relations)
    var formerEnds: [SchemaRelation.End: SchemaRelation.End] = [:]
    var endsToday: [SchemaRelation.End: SchemaRelation.End] = [:]
    for end in today.keys {
      guard let former = match.former(end.property, of: end.model), before[former] != nil else { continue }
      formerEnds[end] = former
      endsToday[former] = end
    }
    for model in difference.new.models {
      for property in model.properties {
        let end = SchemaRelation.End(model: model.name, property: property.name)
        guard let former = formerEnds[end] else { continue }
        let (from, to) = (before[former]?.end(opposite: former), today[end]?.end(opposite: end))
        let kept = from.flatMap { endsToday[$0] }
        guard kept != to, kept != nil || to.flatMap({ formerEnds[$0] }) != nil else { continue }
        let (text, formerText) = (to?.name ?? "no property", from?.name ?? "no property")
        for area in [SchemaEffect.Area.store, .reading] {
          add(
            area, .typeChanged, of: model.name, key: property.name, from: from?.name, to: to?.name,
            "\(end.name) is the other end of \(text); before: of \(formerText)")
        }
      }
    }
  }
}
