import SynclineCompiler

extension SchemaDraft {
  /// How often a draft is looked at: each time what is wrong becomes something simpler, and in the end nothing.
  private static let roundLimit = 12

  /// Changes what the compiler refuses: names that are taken in Swift, keys that two properties read, pairs that are not
  /// clear. What cannot be put right is left out.
  ///
  /// - Parameter known: schema files that the draft is added to.
  mutating func repair(beside known: [SourceFile] = []) {
    var attempts: [String: Int] = [:]
    for _ in 0..<SchemaDraft.roundLimit {
      let (text, lines) = lines()
      let file = SourceFile(path: "draft.syncline", text: text)
      let diagnostics = CompilerPipeline.analyse(CompilerInput(target: "Draft", files: known + [file]))
        .diagnostics
      var changed: Set<Int> = []
      for diagnostic in diagnostics where diagnostic.severity == .error {
        guard diagnostic.range.file === file else { continue }
        let line = diagnostic.range.start.line - 1
        guard lines.indices.contains(line), changed.insert(line).inserted else { continue }
        switch lines[line] {
        case .other: break
        case .declaration(let index):
          attempts["\(index)", default: 0] += 1
          if attempts["\(index)"] == 1 {
            declarations[index].name = freeName(declarations[index].name + "Record")
          } else {
            declarations[index].attributes = []
          }
        case .property(let index, let place):
          let name = "\(index) \(place)"
          attempts[name, default: 0] += 1
          change(index, place, attempt: attempts[name, default: 0])
        }
      }
      removeEmpty()
      guard !changed.isEmpty else { return }
    }
  }

  private mutating func change(_ index: Int, _ place: Int, attempt: Int) {
    let property = declarations[index].properties[place]
    switch (attempt, property.inverse) {
    case (1, .derived) where isRelationship(property):
      declarations[index].properties[place].inverse = .nothing
    case (1, _), (2, _):
      declarations[index].properties[place].name = freeName(property.name + "Value", in: index)
      declarations[index].properties[place].isKeyExplicit = property.key != nil
    case (3, _) where !property.isIdentity:
      declarations[index].properties[place].type = .scalar("JSON")
      declarations[index].properties[place].isOptional = true
      declarations[index].properties[place].attributes = []
      declarations[index].properties[place].inverse = .derived
    default:
      declarations[index].properties[place].name = ""
    }
  }

  /// Leaves out what could not be put right.
  private mutating func removeEmpty() {
    for index in declarations.indices {
      for property in declarations[index].properties where property.name.isEmpty {
        declarations[index].comments.append("Left out: the key \(SwiftText.literal(property.key ?? ""))")
      }
      declarations[index].properties.removeAll { $0.name.isEmpty }
    }
  }
}
