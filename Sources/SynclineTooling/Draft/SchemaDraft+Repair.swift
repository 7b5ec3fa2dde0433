import SynclineCompiler

extension SchemaDraft {
  /// The maximum number of compilations of a draft: each round simplifies the rejected parts, and finally removes them.
  private static let roundLimit = 12

  /// Changes the parts that the compiler rejects: names that Swift uses, keys that two properties read, ambiguous
  /// inverses. Parts that cannot be fixed are left out.
  ///
  /// - Parameter known: schema files to which the draft is added.
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
          } else if case .union = declarations[index].kind {
            leaveOut(index)
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
    case (1, .derived) where isRelationship(property) && !isUnion(index):
      declarations[index].properties[place].inverse = .nothing
    case (1, _), (2, _):
      declarations[index].properties[place].name = freeName(property.name + "Value", in: index)
      declarations[index].properties[place].isKeyExplicit = property.key != nil
    case (3, _) where !property.isIdentity && !property.isIdentityPart && !isUnion(index):
      declarations[index].properties[place].type = .scalar("JSON")
      declarations[index].properties[place].isOptional = true
      declarations[index].properties[place].attributes = []
      declarations[index].properties[place].inverse = .derived
    default:
      declarations[index].properties[place].name = ""
    }
  }

  /// Leaves out a declaration; properties of its type become any JSON.
  private mutating func leaveOut(_ left: Int) {
    declarations[left].isLeftOut = true
    for index in declarations.indices {
      for place in declarations[index].properties.indices
      where declarations[index].properties[place].type.declaration == left {
        declarations[index].properties[place].type = .scalar("JSON")
        declarations[index].properties[place].isOptional = true
        declarations[index].properties[place].attributes = []
        declarations[index].properties[place].inverse = .derived
      }
    }
  }

  /// Leaves out the parts that could not be fixed.
  private mutating func removeEmpty() {
    for index in declarations.indices {
      let what = isUnion(index) ? "case" : "key"
      for property in declarations[index].properties where property.name.isEmpty {
        declarations[index].comments.append("Left out: the \(what) \(SwiftText.literal(property.key ?? ""))")
      }
      declarations[index].properties.removeAll { $0.name.isEmpty }
      let parts = declarations[index].properties.indices.filter {
        declarations[index].properties[$0].isIdentityPart
      }
      // The rest of a pair is an identity of its own.
      if parts.count == 1, let part = parts.first {
        declarations[index].properties[part].isIdentityPart = false
        declarations[index].properties[part].isIdentity = true
      }
    }
  }
}
