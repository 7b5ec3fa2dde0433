/// Finds structs that contain themselves without a list or a map in between.
struct StructCycles {
  /// A member whose type is a struct.
  struct Edge: Sendable {
    let member: Property
    let target: String
  }

  private let edges: [String: [Edge]]

  init(_ schema: Schema) {
    var edges: [String: [Edge]] = [:]
    for structure in schema.structs where edges[structure.name] == nil {
      edges[structure.name] = structure.properties.compactMap { member in
        if case .value(.structure(let target)) = member.type {
          Edge(member: member, target: target)
        } else {
          nil
        }
      }
    }
    self.edges = edges
  }

  /// The optional members of a struct that contain it again.
  func indirectMembers(of name: String) -> Set<String> {
    Set(
      (edges[name] ?? []).filter { $0.member.isOptional && reaches(name, from: $0.target) { _ in true } }
        .map(\.member.name))
  }

  /// The first required member that begins a cycle of required members back to the struct. No value of such a struct can be
  /// created.
  func recursiveMember(of name: String) -> Property? {
    (edges[name] ?? []).first { edge in
      !edge.member.isOptional && reaches(name, from: edge.target) { !$0.member.isOptional }
    }?.member
  }

  /// Whether two structs contain each other by required members only.
  func areMutuallyRecursive(_ name: String, _ other: String) -> Bool {
    reaches(other, from: name) { !$0.member.isOptional }
      && reaches(name, from: other) { !$0.member.isOptional }
  }

  private func reaches(_ goal: String, from start: String, by isTaken: (Edge) -> Bool) -> Bool {
    var seen: Set<String> = [start]
    var rest = [start]
    while let name = rest.popLast() {
      if name == goal { return true }
      for edge in edges[name] ?? [] where isTaken(edge) && seen.insert(edge.target).inserted {
        rest.append(edge.target)
      }
    }
    return false
  }
}
