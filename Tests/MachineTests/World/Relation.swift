/// A relationship of the schema, and the keys that payloads name it by at each end.
struct Relation: Sendable {
  struct End: Sendable {
    let model: String
    /// The key of an identity, or of a list of these; nil where the model has no property for the relationship.
    var key: String?
    /// The key of nested objects.
    var nested: String?
    /// How many rows it may have at the other end.
    var isToMany = false
    var isRequired = false
    /// Whether another property reads the key, so that it stands beside nested objects.
    var needsKey = false
    /// Whether no key names the row at the other end: it is always an object.
    var isObject = false
    /// Whether the order of the list counts.
    var isOrdered = false
    /// Whether a lone row stands for a list of one, and the other way round.
    var isOneOrMany = false
    /// The texts that keys stand in; none where they stand alone.
    var keyTexts: [String] = []
  }

  let ends: [End]

  static let all = plain + words

  private static let plain: [Relation] = [
    toOne("Profile", "company", required: true, "Company", "profile"),
    toOne("Person", "leads", "Company", "chief"),
    toOne("Department", "company", required: true, "Company", list: "department"),
    toOne("Project", "company", "Company", list: "project"),
    toOne("Office", "company", "Company", list: "office"),
    toMany("Company", "partner", "Company"),
    toOne("Person", "manager", "Person", list: "report"),
    Relation(ends: [
      End(model: "Person", key: "follow_ids", nested: "follows", isToMany: true),
      End(model: "Person", key: "follower_ids", nested: "followers", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Person", key: "skill_ids", nested: "skills", isToMany: true),
      End(model: "Skill", key: "person_ids", nested: "people", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Ticket", key: "assignee_id", nested: "assignee", needsKey: true),
      End(model: "Person", key: "ticket_ids", nested: "tickets", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Ticket", key: "meta.reporter", nested: "meta.reporter"),
      End(model: "Person", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Ticket", key: "watcher_ids", nested: "watchers", isToMany: true, isOrdered: true),
      End(model: "Person", isToMany: true),
    ]),
    toOne("Comment", "ticket", "Ticket", list: "comment"),
    Relation(ends: [
      End(model: "Chart", key: "next_id", nested: "next"), End(model: "Chart", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Comment", key: "skill_id", nested: "skill"), End(model: "Skill", isToMany: true),
    ]),
    toOne("Lane", "board", required: true, "Board", list: "lane"),
    Relation(ends: [
      End(model: "Lane", key: "owner_id", nested: "owner"), End(model: "Person", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Note", key: "board_id", nested: "board", isRequired: true),
      End(model: "Board", isToMany: true),
    ]),
    toOne("Sample", "project", "Project", list: "sample"),
    Relation(ends: [
      End(model: "Cell", key: "board_id", nested: "board", isRequired: true),
      End(model: "Board", key: "cells", nested: "cells", isToMany: true, isObject: true),
    ]),
    Relation(ends: [
      End(model: "Sample", key: "cell", nested: "cell", isObject: true),
      End(model: "Cell", key: "sample_ids", nested: "samples", isToMany: true),
    ]),
  ]

  /// The places of the relations whose rows are unique within their parent only.
  static let lanes = place(of: "Lane", "Board")
  static let notes = place(of: "Note", "Board")

  private static func place(of model: String, _ parent: String) -> Int {
    all.firstIndex { $0.ends[0].model == model && $0.ends[1].model == parent } ?? 0
  }

  /// Whether a row's own number says what it is linked to.
  var isScope: Bool { ends[1].model == "Board" }

  /// Those of the models that have the words that change how payloads are read.
  private static let words: [Relation] = [
    Relation(ends: [
      End(model: "Board", key: "featured", nested: "featured", isObject: true),
      End(model: "Cell", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Badge", key: "holder_id", nested: "holder", isOneOrMany: true),
      End(model: "Person", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Badge", key: "label_ids", nested: "labels", isToMany: true, isOneOrMany: true),
      End(model: "Label", isToMany: true),
    ]),
    toMany("Badge", "fan", "Person"),
    Relation(ends: [
      End(
        model: "Clip", key: "data.badge_id", nested: "data.badge",
        keyTexts: ["/badges/{}", "https://x.org/badges/{}?page=1"]),
      End(model: "Badge", key: "clip_ids", nested: "clips", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Clip", key: "cover_id", nested: "."), End(model: "Cover", isToMany: true),
    ]),
    Relation(ends: [
      End(model: "Mark"), End(model: "Badge", key: "mark_ids", nested: "marks", isToMany: true),
    ]),
  ]

  private static func toOne(
    _ model: String, _ name: String, required: Bool = false, _ other: String, _ inverse: String
  ) -> Relation {
    Relation(ends: [
      End(model: model, key: name + "_id", nested: name, isRequired: required),
      End(model: other, key: inverse + "_id", nested: inverse),
    ])
  }

  private static func toOne(
    _ model: String, _ name: String, required: Bool = false, _ other: String, list: String
  ) -> Relation {
    Relation(ends: [
      End(model: model, key: name + "_id", nested: name, isRequired: required),
      End(model: other, key: list + "_ids", nested: list + "s", isToMany: true),
    ])
  }

  /// A list with nothing that points back.
  private static func toMany(_ model: String, _ name: String, _ other: String) -> Relation {
    Relation(ends: [
      End(model: model, key: name + "_ids", nested: name + "s", isToMany: true),
      End(model: other, isToMany: true),
    ])
  }
}
