import Syncline

/// The values of object members in the examples of a document. Objects of schemas with the same members are grouped.
struct DocumentExamples {
  struct Member {
    fileprivate(set) var present = 0
    fileprivate(set) var nulls = 0
    fileprivate(set) var values: [SyncJSON] = []

    fileprivate mutating func note(_ value: SyncJSON) {
      if value.isNull {
        nulls += 1
      } else if values.count < DocumentExamples.valueLimit {
        values.append(value)
      }
    }
  }

  struct Object {
    fileprivate(set) var count = 0
    fileprivate(set) var members: [String: Member] = [:]

    func lacks(_ key: String) -> Bool { count > members[key]?.present ?? 0 }

    /// Whether a member is absent or null in most objects.
    func mostlyLacks(_ key: String) -> Bool {
      let values = members[key].map { $0.present - $0.nulls } ?? 0
      return count > 0 && values * 2 <= count
    }
  }

  private struct Described {
    let schema: SyncJSON
    let members: SchemaDocument.Members
    let signature: String
  }

  private static let levelLimit = 32
  private static let elementLimit = 50
  private static let valueLimit = 40
  /// The maximum number of values that are read.
  private static let budget = 400_000

  private let document: SchemaDocument
  private var objects: [String: Object] = [:]
  /// The referenced schemas by reference, since many examples use the same ones.
  private var known: [String: Described] = [:]
  private var rest = DocumentExamples.budget

  init(of document: SchemaDocument, _ usage: DocumentUsage) {
    self.document = document
    for (schema, value) in usage.examples { add(value, to: schema, level: 0) }
    for entry in document.entries { collect(entry.schema) }
  }

  func object(of members: SchemaDocument.Members) -> Object? { objects[members.signature] }

  private mutating func collect(_ schema: SyncJSON) {
    var stack = [schema]
    while let value = stack.popLast() {
      if let array = value.array { stack += array }
      guard let object = value.object else { continue }
      for example in [object["example"]].compactMap(\.self) + (object["examples"]?.array ?? []) {
        add(example, to: value, level: 0)
      }
      if object["properties"]?.object != nil || object["allOf"] != nil { addMembers(of: value) }
      for (key, member) in object where key != "example" && key != "examples" { stack.append(member) }
    }
  }

  /// Adds the examples of individual members.
  private mutating func addMembers(of schema: SyncJSON) {
    let members = document.members(of: schema)
    let signature = members.signature
    for (key, member) in members.list {
      guard let example = member["example"], !example.isNull else { continue }
      objects[signature, default: Object()].members[key, default: Member()].note(example)
    }
  }

  private mutating func add(_ value: SyncJSON, to schema: SyncJSON, level: Int) {
    rest -= 1
    guard level < DocumentExamples.levelLimit, rest > 0 else { return }
    if let array = value.array {
      let schema = document.resolved(schema)
      guard let items = schema["items"] ?? singlePart(of: schema)?["items"] else { return }
      for element in array.prefix(DocumentExamples.elementLimit) { add(element, to: items, level: level + 1) }
    } else if let object = value.object {
      let described = described(schema)
      let (schema, members) = (described.schema, described.members)
      if !members.list.isEmpty {
        note(object, described)
        noteParts(of: schema, object, level: 0)
        for (key, member) in members.list {
          if let inner = object[key] { add(inner, to: member, level: level + 1) }
        }
      } else if let variant = variant(of: schema, for: object) {
        add(value, to: variant, level: level + 1)
      } else if let others = members.others {
        for (_, inner) in object { add(inner, to: others, level: level + 1) }
      }
    }
  }

  private mutating func described(_ schema: SyncJSON) -> Described {
    let reference = schema["$ref"]?.string
    if let reference, let found = known[reference] { return found }
    let target = document.resolved(schema)
    let members = document.members(of: target)
    let found = Described(schema: target, members: members, signature: members.signature)
    if let reference { known[reference] = found }
    return found
  }

  private mutating func note(_ object: SyncJSONObject, _ described: Described) {
    var seen = objects.removeValue(forKey: described.signature) ?? Object()
    seen.count += 1
    for (key, _) in described.members.list {
      guard let value = object[key] else { continue }
      seen.members[key, default: Member()].present += 1
      seen.members[key, default: Member()].note(value)
    }
    objects[described.signature] = seen
  }

  /// Adds an object to the parts of its schema, because they may be declared separately.
  private mutating func noteParts(of schema: SyncJSON, _ object: SyncJSONObject, level: Int) {
    guard level < 8 else { return }
    for part in schema["allOf"]?.array ?? [] {
      rest -= 1
      guard rest > 0 else { return }
      let described = described(part)
      note(object, described)
      noteParts(of: described.schema, object, level: level + 1)
    }
  }

  private func singlePart(of schema: SyncJSON) -> SyncJSON? {
    guard let parts = schema["allOf"]?.array, parts.count == 1 else { return nil }
    return document.resolved(parts[0])
  }

  /// The alternative that matches an object: of those whose constants it has, the one that shares most members with it.
  private mutating func variant(of schema: SyncJSON, for object: SyncJSONObject) -> SyncJSON? {
    var best: (variant: SyncJSON, count: Int)?
    for variant in schema.variants ?? [] {
      let members = described(variant).members
      guard members.required.allSatisfy({ object[$0] != nil }),
        members.list.allSatisfy({ key, member in
          guard let constant = member.constant, let value = object[key] else { return true }
          return constant == value
        })
      else { continue }
      let count = members.list.count { object[$0.key] != nil }
      if count > best?.count ?? -1 { best = (variant, count) }
    }
    return best?.variant
  }
}

extension SyncJSON {
  /// The only value that a schema allows.
  var constant: SyncJSON? {
    if let constant = self["const"] { return constant }
    guard let values = self["enum"]?.array, values.count == 1 else { return nil }
    return values[0]
  }
}
