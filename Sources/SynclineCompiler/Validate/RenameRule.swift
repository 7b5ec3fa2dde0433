/// Reports `@RenamedFrom` with names that cannot be earlier names.
enum RenameRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    check(schema.models.map { ($0.name, $0.renamedFrom) }, "model", &bag)
    for model in schema.typesWithProperties where model.propertyAttributes.contains(.renamedFrom) {
      check(model.properties.map { ($0.name, $0.renamedFrom) }, "property", &bag)
    }
    for structure in schema.structs { checkMembers(of: structure, &bag) }
  }

  /// Checks the members of a struct. Stored structs have no version: the current names are looked up first, then the earlier
  /// ones.
  private static func checkMembers(of structure: Model, _ bag: inout DiagnosticBag) {
    for member in structure.properties {
      for earlier in member.renamedFrom {
        guard let other = structure.property(earlier.value), other.name != member.name,
          !other.renamedFrom.isEmpty
        else { continue }
        bag.error(
          .invalidRename,
          "“\(other.name)” is both a member of “\(structure.name)” and an earlier name, so stored values are ambiguous: rename one of them",
          at: earlier.range)
      }
    }
  }

  /// A current name and its earlier names.
  private typealias Named = (name: String, earlier: [Located<String>])

  private static func check(_ all: [Named], _ kind: String, _ bag: inout DiagnosticBag) {
    // If a declaration was itself renamed, another one may have had its current name before.
    let staying = Set(all.filter { $0.earlier.isEmpty }.map(\.name))
    var claimed: [String: SourceRange] = [:]
    for named in all {
      for earlier in named.earlier {
        if earlier.value.isEmpty {
          bag.error(.invalidRename, "an earlier name must not be empty", at: earlier.range)
        } else if earlier.value == named.name {
          bag.error(.invalidRename, "“\(named.name)” is its own earlier name", at: earlier.range)
        } else if staying.contains(earlier.value) {
          bag.error(
            .invalidRename,
            "“\(named.name)” was not renamed from “\(earlier.value)”: that \(kind) still exists",
            at: earlier.range)
        } else if let first = claimed[earlier.value] {
          bag.error(
            .invalidRename, "another \(kind) also has the earlier name “\(earlier.value)”", at: earlier.range,
            notes: [.init(message: "the first is here", range: first)])
        } else {
          claimed[earlier.value] = earlier.range
        }
      }
    }
  }
}
