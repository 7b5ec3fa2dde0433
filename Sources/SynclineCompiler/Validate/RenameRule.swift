/// `@RenamedFrom` of what could not have been renamed.
enum RenameRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    check(schema.models.map { Named(name: $0.name, earlier: $0.renamedFrom) }, "model", &bag)
    for model in schema.typesWithProperties
    where model.properties.contains(where: { !$0.renamedFrom.isEmpty }) {
      check(model.properties.map { Named(name: $0.name, earlier: $0.renamedFrom) }, "property", &bag)
    }
    for structure in schema.structs { checkMembers(of: structure, &bag) }
  }

  /// Values hold no version: one that was stored before is read by the names of today, then by the earlier ones.
  private static func checkMembers(of structure: Model, _ bag: inout DiagnosticBag) {
    for member in structure.properties {
      for earlier in member.renamedFrom {
        guard let other = structure.property(earlier.value), other.name != member.name,
          !other.renamedFrom.isEmpty
        else { continue }
        bag.error(
          .invalidRename,
          "“\(other.name)” is a member of “\(structure.name)” again: in values that are stored, it could be either; give one of them another name",
          at: earlier.range)
      }
    }
  }

  /// A name of today, and those of earlier versions.
  private struct Named {
    let name: String
    let earlier: [Located<String>]
  }

  private static func check(_ all: [Named], _ kind: String, _ bag: inout DiagnosticBag) {
    // What is renamed itself has left its name to others.
    let staying = Set(all.filter(\.earlier.isEmpty).map(\.name))
    var claimed: [String: SourceRange] = [:]
    for named in all {
      for earlier in named.earlier {
        if earlier.value.isEmpty {
          bag.error(.invalidRename, "an empty text is no earlier name", at: earlier.range)
        } else if earlier.value == named.name {
          bag.error(.invalidRename, "“\(named.name)” is its own earlier name", at: earlier.range)
        } else if staying.contains(earlier.value) {
          bag.error(
            .invalidRename,
            "“\(named.name)” was not renamed from “\(earlier.value)”: that \(kind) still exists",
            at: earlier.range)
        } else if let first = claimed[earlier.value] {
          bag.error(
            .invalidRename, "the \(kind) “\(earlier.value)” is renamed twice", at: earlier.range,
            notes: [.init(message: "the first is here", range: first)])
        } else {
          claimed[earlier.value] = earlier.range
        }
      }
    }
  }
}
