/// Reports pairs of attributes on a property of which one makes the other meaningless.
enum ContradictionRule: ModelRule {
  private static let pairs: [(winner: AttributeKind, losers: [AttributeKind], why: String)] = [
    (
      .transient,
      [
        .remoteKey, .notExport, .export, .dateFormat, .transform, .keyPattern, .null, .index, .unique, .local,
        .oneOrMany, .merged,
      ],
      "is neither synced, stored nor exported"
    ), (.primaryKey, [.position], "is the identity"),
    (.transform, [.dateFormat, .keyPattern, .merged], "is read and written by your own type"),
    (
      .position,
      [
        .remoteKey, .export, .dateFormat, .transform, .keyPattern, .null, .transient, .local,
        .oneOrMany,
      ],
      "is the position of its row in a list"
    ),
    (
      .local,
      [.remoteKey, .notExport, .export, .dateFormat, .transform, .keyPattern, .null, .oneOrMany, .merged],
      "is neither read from JSON nor exported"
    ), (.notExport, [.export], "is never exported"),
  ]

  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for property in model.properties where !property.isIncomplete {
      for (winner, losers, why) in pairs where property.places[winner] != nil {
        for loser in losers {
          guard let range = property.places[loser] else { continue }
          bag.error(
            .contradiction,
            "“\(property.name)” \(why) because of “@\(winner.rawValue)”: “@\(loser.rawValue)” has no effect",
            at: range, fixIts: [.remove(range, "“@\(loser.rawValue)”")])
        }
      }
    }
  }
}
