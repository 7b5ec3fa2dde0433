import Syncline
import SynclineCompiler

/// The declarations of a schema that have no table: settings, enums, structs and unions.
extension SnapshotEmitter {
  /// The settings, and the declarations sorted by name, with those of other targets that the models use.
  func declarations() -> [SyncJSON] {
    let declared = declared().sorted { ($0.name, $0.home.target) < ($1.name, $1.home.target) }
    let counts = Dictionary(declared.map { ($0.name, 1) }, uniquingKeysWith: +)
    return [settings]
      + declared.compactMap { named in
        // Another target has a declaration with this name.
        let isQualified = counts[named.name] != 1 && named.home.target != schema.target
        return declaration(named, as: isQualified ? "\(named.home.target).\(named.name)" : named.name)
      }
  }

  private var settings: SyncJSON {
    let settings = schema.settings
    var words = [
      "access: \(settings.access.rawValue)",
      "imports: \(settings.hasExplicitImports ? "explicit" : "implicit")",
      "keyStyle: \(keys.rawValue)",
    ]
    if !settings.nulls.isEmpty {
      words.append("null: [\(settings.nulls.map(\.text).joined(separator: ", "))]")
    }
    words += Set(schema.imports).sorted().map { "import \($0)" }
    return json("settings", "schema", words: words, members: [])
  }

  private typealias Named = (name: String, home: Schema)

  /// All declarations of the schema, and those that its models and their values refer to.
  private func declared() -> [Named] {
    var found: [Named] = []
    var known: Set<[String]> = []
    func add(_ name: String, in home: Schema) {
      let home = home.home(of: name, among: modules)
      if home.declares(name), known.insert([home.target, name]).inserted { found.append((name, home)) }
    }
    let names = schema.enums.map(\.name) + schema.structs.map(\.name) + schema.unions.map(\.name)
    for name in names { add(name, in: schema) }
    for (model, home) in allModels {
      for property in model.properties {
        guard let name = property.valueType?.declaredName ?? property.unionPart?.union else { continue }
        add(name, in: home)
      }
    }
    var next = 0
    while next < found.count {
      let (name, home) = found[next]
      next += 1
      let members = home.structure(name)?.properties.compactMap { $0.valueType?.declaredName }
      for inner in members ?? home.union(name)?.cases.map(\.type) ?? [] { add(inner, in: home) }
    }
    return found
  }

  /// The JSON of a declaration; nil for a model, which may be the case of a union.
  ///
  /// - Parameter label: its name in the snapshot.
  private func declaration(_ named: Named, as label: String) -> SyncJSON? {
    let (name, home) = named
    if let enumeration = home.enumeration(name) {
      let members = enumeration.cases.map { member($0.name, type: $0.rawValue.text) }
      return json("enum", label, words: ["raw: \(enumeration.rawType.rawValue)"], members: members)
    }
    if let structure = home.structure(name) {
      return json("struct", label, words: [], members: structure.properties.map { member($0) })
    }
    guard let union = home.union(name) else { return nil }
    let words = ["on: \(SwiftText.literal(union.key.value))"] + (union.isOfValues ? ["values"] : [])
    let members = union.cases.map { entry in
      member(entry.name, type: entry.type, keys: [entry.tag])
    }
    return json("union", label, words: words, members: members)
  }

  private func member(_ property: Property) -> SyncJSON {
    let payload = payloadMembers(of: property)
    return .object([
      "name": .string(property.name), "type": .string(typeText(of: property)), "keys": payload.keys,
      "written": payload.written, "words": payload.words,
      "renamedFrom": SnapshotEmitter.list(property.renamedFrom.map(\.value)),
    ])
  }

  private func member(_ name: String, type: String, keys: [String] = []) -> SyncJSON {
    .object(["name": .string(name), "type": .string(type), "keys": SnapshotEmitter.list(keys)])
  }

  private func json(_ kind: String, _ name: String, words: [String], members: [SyncJSON]) -> SyncJSON {
    .object([
      "kind": .string(kind), "name": .string(name), "words": SnapshotEmitter.list(words),
      "members": members.isEmpty ? nil : .array(members),
    ])
  }
}
