/// Reports structs that contain themselves so that no value can be created.
enum EndlessStructRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    let cycles = StructCycles(schema)
    var reported: [String] = []
    for structure in schema.structs
    where !reported.contains(where: { cycles.areMutuallyRecursive($0, structure.name) }) {
      guard let member = cycles.recursiveMember(of: structure.name) else { continue }
      reported.append(structure.name)
      bag.error(
        .recursiveStruct,
        "“\(structure.name)” always contains another one through “\(member.name)”: make it optional, a list or a map",
        at: member.range, fixIts: [.write(member.typeText + "?", for: member.typeRange)])
    }
  }
}
