import Syncline
import SynclineCompiler
import SynclineNaming

/// A choice between objects that a key distinguishes.
struct DescribedUnion {
  let key: String
  let cases: [(tag: String, schema: SyncJSON)]
  /// Comments about the parts that are left out.
  let comments: [String]
}

extension SchemaDocument {
  /// The union that a schema describes: alternatives with a discriminator, or with a constant of their own.
  func union(of schema: SyncJSON) -> DescribedUnion? {
    guard let variants = schema.variants, variants.count > 1 else { return nil }
    let members = variants.map { self.members(of: $0) }
    guard members.allSatisfy({ !$0.list.isEmpty }) else { return nil }
    let constants: [[(String, String)]] = members.map { members in
      members.list.compactMap { key, member in member.constant?.string.map { (key, $0) } }
    }
    let tables = constants.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) }
    let discriminator = schema["discriminator"]?["propertyName"]?.string ?? schema["discriminator"]?.string
    let shared = constants[0].map(\.0).filter { key in
      Set(tables.compactMap { $0[key] }).count == variants.count
    }
    let usual = ["type", "kind", "object", "__typename"].first { shared.contains($0) }
    guard let key = discriminator ?? usual ?? shared.first, RemotePath.part(key) != nil else { return nil }
    var tags: [[String]] = zip(variants, tables).map { variant, table in
      let mapped = mappedTags(schema["discriminator"]?["mapping"], to: variant)
      return mapped.isEmpty ? [table[key] ?? impliedTag(of: variant)].compactMap(\.self) : mapped
    }
    guard tags.allSatisfy({ !$0.isEmpty }), Set(tags.joined()).count == tags.joined().count else {
      return nil
    }
    let further = tags.flatMap { $0.dropFirst() }
    tags = tags.map { Array($0.prefix(1)) }
    return DescribedUnion(
      key: RemotePath.part(key) ?? key, cases: zip(tags.joined(), variants).map { (tag: $0, schema: $1) },
      comments: further.isEmpty
        ? []
        : ["Left out, as a case has one value: \(further.map(SwiftText.literal).joined(separator: ", "))."])
  }

  /// The values that a discriminator's mapping gives to an alternative.
  private func mappedTags(_ mapping: SyncJSON?, to variant: SyncJSON) -> [String] {
    guard let reference = variant["$ref"]?.string else { return [] }
    let pointers = [canonical(reference), reference]
    return (mapping?.object ?? SyncJSONObject()).compactMap { tag, target -> String? in
      guard let target = target.string else { return nil }
      let isSame =
        pointers.contains(canonical(target))
        || pointers.contains("#/components/schemas/\(SchemaDocument.escaped(target))")
      return isSame ? tag : nil
    }
  }

  /// The tag of an alternative for a discriminator without a mapping: its name.
  private func impliedTag(of variant: SyncJSON) -> String? {
    variant["$ref"]?.string?.split(separator: "/").last.map(SchemaDocument.unescaped)
  }

  /// The reference of a case that combines another schema with constants.
  func reference(ofCase schema: SyncJSON) -> String? {
    if let reference = schema["$ref"]?.string { return reference }
    guard let parts = schema["allOf"]?.array, schema["properties"] == nil else { return nil }
    let references = parts.compactMap { $0["$ref"]?.string }
    let others = parts.filter { $0["$ref"] == nil }
    let areConstants = others.allSatisfy { part in
      members(of: part).list.allSatisfy { $0.schema.constant != nil }
    }
    return references.count == 1 && areConstants ? references[0] : nil
  }
}

extension DocumentInference {
  /// Declares a union for an unnamed choice between objects.
  mutating func union(_ schema: SyncJSON, at place: Place) -> DescribedType? {
    guard let described = document.union(of: schema) else { return nil }
    let found = cases(of: described) { inference, schema, tag in
      let members = inference.document.members(of: schema)
      let key = schema["title"]?.string ?? tag
      let inner = Place(key: key, index: place.index, level: place.level + 1)
      return inference.object(schema, members, at: inner).type.declaration
    }
    guard let found, draft.isModel(place.index) || !found.contains(where: { draft.leadsToModel($0.type) })
    else {
      return nil
    }
    let index =
      draft.union(on: described.key, of: found.map { ($0.key, $0.type.declaration) })
      ?? add(described, found, named: freeName(for: schema, at: place), of: schema)
    var type = DescribedType(.declared(index))
    type.isNullable = schema.allowsNull
    return type
  }

  mutating func add(
    _ union: DescribedUnion, _ cases: [SchemaDraft.Property], named name: String, of schema: SyncJSON
  ) -> Int {
    let index = add(.union(key: union.key), name, schema)
    draft.declarations[index].properties = cases
    draft.declarations[index].comments = union.comments
    return index
  }

  /// The cases of a union, if they are all models or all structs.
  ///
  /// - Parameter declare: declares a case that is unnamed in the document.
  mutating func cases(
    of union: DescribedUnion, _ declare: (inout DocumentInference, SyncJSON, String) -> Int?
  ) -> [SchemaDraft.Property]? {
    // Check all cases first, so that nothing is declared if they cannot form a union.
    var named: [Int?] = []
    for entry in union.cases {
      guard let reference = document.reference(ofCase: entry.schema) else {
        named.append(nil)
        continue
      }
      guard let index = object(role(of: reference)) else { return nil }
      named.append(index)
    }
    guard Set(named.compactMap(\.self).map(draft.isModel)).count < 2 else { return nil }
    let names = SchemaDraft.Declaration.cases(ofUnionOn: union.key, tags: union.cases.map(\.tag))
    var cases: [SchemaDraft.Property] = []
    for ((entry, known), name) in zip(zip(union.cases, named), names) {
      var declared = known
      if declared == nil { declared = declare(&self, entry.schema, entry.tag) }
      guard let index = declared else { return nil }
      cases.append(SchemaDraft.Property(name: name.name, type: .declared(index), key: entry.tag))
    }
    let areModels = Set(cases.map { draft.leadsToModel($0.type) })
    return areModels.count == 1 && Set(cases.map(\.type)).count == cases.count ? cases : nil
  }
}
