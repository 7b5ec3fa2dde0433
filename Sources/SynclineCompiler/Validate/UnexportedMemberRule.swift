/// Reports required struct members that are never exported: an exported payload could not be synced.
enum UnexportedMemberRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for (structure, _, member, range) in schema.structs.properties(with: .notExport)
    where !member.isOptional && member.defaultRange == nil {
      bag.error(
        .contradiction,
        "“\(structure.name).\(member.name)” is required and never exported: an exported “\(structure.name)” could not be read; make it optional, or give it a default",
        at: range)
    }
  }
}
