/// A model as in typical APIs. Both its schema and the equivalent hand-written Swift are printed from it.
struct ModelPlan {
  struct Property {
    enum Kind {
      case identity(String)
      case scalar(String)
      case enumeration(String)
      /// A relationship to the model at this index, which has a list as inverse.
      case toOne(Int)
      /// The rows whose to-one with this name refers to the model.
      case toMany(Int, inverse: String)
      /// A many-to-many relationship. Rows of the anchor contain the links.
      case manyToMany(Int, inverse: String, isAnchor: Bool)
    }

    let name: String
    let kind: Kind
    var isOptional = false
    /// The JSON key, if it is not the name in snake case.
    var key: String?

    var isRelationship: Bool {
      switch kind {
      case .toOne, .toMany, .manyToMany: true
      case .identity, .scalar, .enumeration: false
      }
    }
  }

  let position: Int
  let name: String
  var properties: [Property] = []

  var identity: String { position.isMultiple(of: 5) ? "UUID" : "Int" }
  /// The name of a property that contains one row.
  var singular: String { name.prefix(1).lowercased() + name.dropFirst() }
  var plural: String { singular + "s" }
  var enumeration: String? { position.isMultiple(of: 2) ? name + "State" : nil }
}

extension ModelPlan {
  static let propertyCount = 10

  /// The given number of models with ten properties each. The same seed gives the same models.
  static func models(_ count: Int, seed: UInt64 = 42) -> [ModelPlan] {
    var numbers = RandomNumbers(state: seed)
    var models = (0..<count).map { position in
      let qualifier = qualifiers[position / nouns.count % qualifiers.count]
      let lap = position / (nouns.count * qualifiers.count)
      return ModelPlan(
        position: position, name: qualifier + nouns[position % nouns.count] + (lap == 0 ? "" : "\(lap)"))
    }
    for position in models.indices {
      let model = models[position]
      models[position].properties.append(.init(name: "id", kind: .identity(model.identity)))
      if let name = model.enumeration {
        models[position].properties.append(.init(name: "state", kind: .enumeration(name), key: "state.id"))
      }
    }
    relate(&models, &numbers)
    for position in models.indices {
      let missing = propertyCount - models[position].properties.count
      models[position].properties += scalars.shuffled(using: &numbers).prefix(missing)
    }
    return models
  }

  /// Gives each model a parent at a near index, and every fourth one a many-to-many relationship.
  private static func relate(_ models: inout [ModelPlan], _ numbers: inout RandomNumbers) {
    var children = [Int](repeating: 0, count: models.count)
    for position in models.indices.dropFirst() {
      let near = (max(0, position - 6)..<position).filter { children[$0] < 2 }
      guard let parent = near.randomElement(using: &numbers) else { continue }
      children[parent] += 1
      models[position].properties.append(
        .init(name: models[parent].singular, kind: .toOne(parent), isOptional: Bool.random(using: &numbers)))
      models[parent].properties.append(
        .init(name: models[position].plural, kind: .toMany(position, inverse: models[parent].singular)))
    }
    for position in stride(from: 1, to: models.count - 9, by: 4) {
      let other = position + 9
      models[position].properties.append(
        .init(
          name: models[other].plural,
          kind: .manyToMany(other, inverse: models[position].plural, isAnchor: true)))
      models[other].properties.append(
        .init(
          name: models[position].plural,
          kind: .manyToMany(position, inverse: models[other].plural, isAnchor: false)))
    }
  }

  private static let nouns = [
    "Project", "Task", "Comment", "User", "Team", "Invoice", "Payment", "Order", "Product", "Customer",
    "Address",
    "Message", "Channel", "Document", "Folder", "Event", "Ticket", "Label", "Report", "Session", "Device",
    "Location", "Review", "Vendor", "Budget",
  ]

  private static let qualifiers = [
    "", "Archived", "Shared", "Public", "Internal", "Billing", "Planned", "Remote", "Draft", "Imported",
    "Mobile",
    "Regional", "Annual", "Weekly", "External", "Trusted", "Pending", "Primary", "Nested", "Linked",
  ]

  private static let scalars: [Property] = [
    .init(name: "createdAt", kind: .scalar("Date")),
    .init(name: "updatedAt", kind: .scalar("Date"), isOptional: true),
    .init(name: "startsAt", kind: .scalar("Date"), isOptional: true),
    .init(name: "title", kind: .scalar("String")),
    .init(name: "displayName", kind: .scalar("String")),
    .init(name: "details", kind: .scalar("String"), isOptional: true, key: "description"),
    .init(name: "emailAddress", kind: .scalar("String"), isOptional: true),
    .init(name: "sortOrder", kind: .scalar("Int")),
    .init(name: "viewCount", kind: .scalar("Int"), isOptional: true),
    .init(name: "isActive", kind: .scalar("Bool")),
    .init(name: "isPinned", kind: .scalar("Bool")),
    .init(name: "rating", kind: .scalar("Double"), isOptional: true),
    .init(name: "width", kind: .scalar("Double")),
    .init(name: "avatarURL", kind: .scalar("URL"), isOptional: true),
    .init(name: "accessToken", kind: .scalar("UUID")),
  ]
}

/// SplitMix64.
struct RandomNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
