import Syncline
import TestSupport

/// One call of `sync`, with its arguments as values, so that it can be repeated, printed and made smaller.
struct Call: Sendable {
  enum Form: Sendable {
    case collection(DeletionPolicy?)
    case item
    /// The rows of a document of JSON:API.
    case document
    /// The rows of one parent, by the relation's place at ``Relation/all``.
    case children(relation: Int, parent: Int)
  }

  enum Payload: Sendable {
    case json(SyncJSON)
    case bytes([UInt8])
  }

  let model: String
  var form: Form
  var payload: Payload
  var operations = SyncRelationshipOperations.all
  var requiresRows = false
  /// What happens to the members that lists leave out, in the models that have a policy for it.
  var childPolicy: DeletionPolicy?
  /// Of samples, those whose number is this one are the slice.
  var slice: Int?

  @discardableResult
  func run(on store: SyncContainer) async throws -> SyncReport {
    switch model {
    case "Company":
      try await run(Company.self, on: store, childPolicy.map { [.policy(\.departments, $0)] } ?? [])
    case "Profile": try await run(Profile.self, on: store)
    case "Person": try await run(Person.self, on: store)
    case "Skill": try await run(Skill.self, on: store)
    case "Department": try await run(Department.self, on: store, parent: \.company)
    case "Project":
      try await run(
        Project.self, on: store, childPolicy.map { [.policy(\.samples, $0)] } ?? [], parent: \.company)
    case "Office": try await run(Office.self, on: store, parent: \.company)
    case "Ticket": try await run(Ticket.self, on: store, childPolicy.map { [.policy(\.comments, $0)] } ?? [])
    case "Comment": try await run(Comment.self, on: store, parent: \.ticket)
    case "Board": try await run(Board.self, on: store, childPolicy.map { [.policy(\.lanes, $0)] } ?? [])
    case "Lane": try await run(Lane.self, on: store, parent: \.board)
    case "Note": try await run(Note.self, on: store, parent: \.board)
    case "Cell":
      try await run(
        Cell.self, on: store, childPolicy.map { [.policy(\.samples, $0)] } ?? [], parent: \.board)
    case "Sample": try await run(Sample.self, on: store, parent: \.project, within: condition)
    case "Chart": try await run(Chart.self, on: store)
    case "Badge": try await run(Badge.self, on: store)
    case "Label": try await run(Label.self, on: store)
    case "Clip": try await run(Clip.self, on: store)
    case "Cover": try await run(Cover.self, on: store)
    case "Mark": try await run(Mark.self, on: store)
    default: try await run(Exact.self, on: store)
    }
  }

  private var condition: (any SQLExpressible & Sendable)? {
    guard let slice else { return nil }
    return Sample.Columns.int == slice
  }

  /// Makes the call for a model of any schema, without what names its properties.
  func runPlain(_ model: (some SyncUpdatableModel).Type, on store: SyncContainer) async throws -> SyncReport {
    try await run(model, on: store)
  }

  private func run<Model: SyncUpdatableModel>(
    _ model: Model.Type, on store: SyncContainer, _ children: [SyncChildPolicy<Model>] = [],
    within condition: (any SQLExpressible & Sendable)? = nil
  ) async throws -> SyncReport {
    switch form {
    case .item:
      try await store.sync(item: bytes, as: model, relationshipOperations: operations, children: children)
    case .collection(let policy):
      try await store.sync(
        payload: bytes, as: model, relationshipOperations: operations, deletionPolicy: policy,
        requireNonEmptyFullSlice: requiresRows, within: condition, children: children)
    case .document:
      try await store.sync(jsonAPI: bytes, as: model, relationshipOperations: operations)
    case .children: throw SyncError.schemaValidation(reason: "\(model) has no parent")
    }
  }

  private func run<Model: SyncUpdatableModel, Link: SyncParentLink>(
    _ model: Model.Type, on store: SyncContainer, _ children: [SyncChildPolicy<Model>] = [],
    parent relationship: KeyPath<Model, Link>, within condition: (any SQLExpressible & Sendable)? = nil
  ) async throws -> SyncReport where Link.Parent.SyncID == Int {
    guard case .children(_, let parent) = form else {
      return try await run(model, on: store, children, within: condition)
    }
    return try await store.sync(
      payload: bytes, as: model, parent: parent, relationship: relationship,
      relationshipOperations: operations, requireNonEmptyFullSlice: requiresRows, within: condition,
      children: children)
  }

  private var bytes: [UInt8] {
    get throws {
      switch payload {
      case .json(let json): [UInt8](try json.data())
      case .bytes(let bytes): bytes
      }
    }
  }
}

extension Call: CustomStringConvertible {
  var description: String {
    var arguments = ["as: \(model)"]
    switch form {
    case .collection(let policy): if let policy { arguments.append("deletionPolicy: .\(policy)") }
    case .item: arguments.append("item")
    case .document: arguments.append("document")
    case .children(let relation, let parent):
      arguments.append("parent: \(parent), relationship: \(Relation.all[relation].ends[0].nested ?? "")")
    }
    if operations != .all { arguments.append("operations: \(operations.rawValue)") }
    if requiresRows { arguments.append("requireNonEmptyFullSlice") }
    if let childPolicy { arguments.append("children: .\(childPolicy)") }
    if let slice { arguments.append("within: int == \(slice)") }
    switch payload {
    case .json(let json): arguments.append(json.description)
    case .bytes(let bytes):
      arguments.append("bytes \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
    return "sync(" + arguments.joined(separator: ", ") + ")"
  }
}

// MARK: - Calls from a state

extension Call {
  /// A call whose payload is made from a state.
  init(from world: World, using random: inout SeededGenerator) {
    var writer = Writer(world, random.fork())
    let model = random.pick(Shape.models)
    let numbers = world.numbers(model)
    let scope = Relation.all.firstIndex { $0.ends[0].model == model && $0.isScope && model != "Cell" }
    let parents = Relation.all.indices.filter {
      let ends = Relation.all[$0].ends
      return ends[0].model == model && !ends[0].isToMany && Call.parented.contains(model)
        && ["board", "company", "ticket", "project"].contains(ends[0].nested)
    }
    if let relation = scope ?? (random.chance(25) ? parents.first : nil) {
      let parent = Int.random(in: 0..<(scope == nil ? Shape.rowNumbers.count : 2), using: &random)
      self.init(
        model: model, form: .children(relation: relation, parent: parent),
        payload: .json(writer.payload(model, world.related(relation, from: 1, parent))))
    } else if random.chance(8), Shape.named(model).identityPath == "id", !Shape.undocumented.contains(model) {
      let rows = writer.payload(model, numbers)
      self.init(model: model, form: .document, payload: .json(Call.document(of: rows, model)))
    } else if random.chance(25), let number = numbers.randomElement(using: &random) {
      self.init(model: model, form: .item, payload: .json(writer.row(model, number)))
    } else {
      let policy: DeletionPolicy? =
        random.chance(20) ? random.pick([DeletionPolicy.none, .hardDeleteMissing]) : nil
      self.init(model: model, form: .collection(policy), payload: .json(writer.payload(model, numbers)))
    }
    if random.chance(15) {
      operations = SyncRelationshipOperations(rawValue: Int.random(in: 0..<8, using: &random))
    }
    requiresRows = random.chance(10)
    if random.chance(15) { childPolicy = random.pick([DeletionPolicy.none, .hardDeleteMissing]) }
    if model == "Sample", random.chance(30) { slice = Int.random(in: 0...3, using: &random) }
  }

  /// Rows as a document of JSON:API: keys of to-one relationships stand among the relationships, all else among the
  /// attributes.
  private static func document(of rows: SyncJSON, _ model: String) -> SyncJSON {
    let ends = Relation.all.flatMap { relation in
      zip(relation.ends, relation.ends.reversed()).filter { $0.0.model == model && !$0.0.isToMany }
    }
    let resources = (rows.array ?? []).map { row -> SyncJSON in
      var (attributes, relationships) = (SyncJSONObject(), SyncJSONObject())
      for (key, value) in row.object ?? SyncJSONObject() where key != "id" {
        guard let end = ends.first(where: { $0.0.key == key }), let name = end.0.nested, name != key,
          row[name] == nil
        else {
          attributes[key] = value
          continue
        }
        let identifier: SyncJSON =
          value.isNull || value == Spelling.nothing ? .null : ["type": .string(end.1.model), "id": value]
        relationships[name] = ["data": identifier]
      }
      return [
        "type": .string(model), "id": row["id"] ?? .null, "attributes": .object(attributes),
        "relationships": .object(relationships),
      ]
    }
    return ["data": .array(resources)]
  }

  private static let parented: Set = [
    "Department", "Project", "Office", "Comment", "Lane", "Note", "Cell", "Sample",
  ]
}
