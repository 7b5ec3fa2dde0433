/// Reports required struct members that are never exported: an exported payload could not be synced.
enum UnexportedMemberRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    for structure in schema.structs {
      for member in structure.properties where member.export == .never && !member.isIncomplete {
        guard !member.isOptional, member.defaultRange == nil, let range = member.places[.notExport] else {
          continue
        }
        bag.error(
          .contradiction,
          "“\(structure.name).\(member.name)” is required and never exported: an exported “\(structure.name)” could not be read; make it optional, or give it a default",
          at: range)
      }
    }
  }
}
