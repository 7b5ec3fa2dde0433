import SynclineCompiler
import SynclineNaming

/// Adds properties and types from sample payloads to schema files that lack them. Existing text is kept byte for byte.
package struct SchemaAddition {
  /// The new contents of the files that change, by path.
  package private(set) var texts: [String: String] = [:]
  /// Sentences that describe the additions.
  package private(set) var additions: [String] = []

  /// Lines to be inserted at an offset of a file.
  private struct Insertion {
    let file: SourceFile
    let offset: Int
    let lines: [String]
    let title: String
    /// Whether the lines are a declaration, appended to the file.
    var isDeclaration = false
  }

  let schema: Schema
  let style: KeyStyle
  var draft: SchemaDraft
  /// The existing models, by the index of the matching declaration in the draft.
  var known: [Int: Model] = [:]
  private var insertions: [Insertion] = []

  /// - Parameters:
  ///   - endpoints: sample rows. Models that the schema lacks are new.
  ///   - input: schema files without errors, and their analysis.
  ///   - folder: the folder of the schema, in which a new model is a file of its own; otherwise it is added to the last file.
  package init(
    of endpoints: [SampleEndpoint], to input: CompilerInput, _ analysis: Analysis, folder: String? = nil
  ) throws(Mistake) {
    schema = analysis.draft
    let given = endpoints
    var endpoints = endpoints
    var newCases: [UnionRows.NewCase] = []
    for endpoint in given {
      guard let union = analysis.draft.union(DraftName.type(endpoint.name)),
        let index = endpoints.firstIndex(where: { $0.name == endpoint.name })
      else { continue }
      let rows = try UnionRows(endpoints.remove(at: index), of: union, in: analysis.draft)
      endpoints += rows.endpoints
      newCases += rows.newCases
    }
    for index in endpoints.indices {
      let name = endpoints[index].name
      // The rows of an existing model are not split into several models.
      endpoints[index].mayBeUnion = SchemaAddition.model(name, in: schema) == nil
      if endpoints[index].mayBeUnion, schema.declares(DraftName.type(name)) {
        throw Mistake(
          "“\(DraftName.type(name))” is not a model in the schema, and rows need one. Pass another name with “--as”."
        )
      }
    }
    let inference = SchemaInference(of: endpoints)
    style = inference.style
    draft = inference.draft
    matchAll(inference.roots)
    nameOthers()
    linkKeys()
    if schema.keyStyle != style { draft.stateKeys(in: schema.keyStyle) }
    var added: [Int] = []
    for index in known.keys.sorted() { add(index, &added) }
    if let file = known.keys.min().flatMap({ known[$0]?.range.file }) { declare(added, in: file) }
    declareNew(inference.roots, besides: &added, in: input, folder)
    for newCase in newCases { add(newCase, inference.roots) }
    finish(input)
  }

  private static func model(_ name: String, in schema: Schema) -> Model? {
    schema.model(name) ?? schema.model(DraftName.type(name))
  }

  // MARK: Matching

  private mutating func matchAll(_ roots: [(name: String, declaration: Int)]) {
    for root in roots {
      guard let model = SchemaAddition.model(root.name, in: schema) else { continue }
      match(root.declaration, model)
    }
    // Rows of a new model may contain rows of existing models.
    for index in draft.declarations.indices where known[index] == nil && draft.isModel(index) {
      guard let model = schema.model(draft.declarations[index].name),
        !known.values.contains(where: { $0.name == model.name }),
        let key = draft.declarations[index].properties.first(where: \.isIdentity)?.key,
        model.identityProperty?.keys(in: schema.keyStyle).contains(key) ?? false
      else { continue }
      match(index, model)
    }
    for (index, model) in known { draft.declarations[index].name = model.name }
  }

  /// Renames new declarations whose names are taken.
  private mutating func nameOthers() {
    for index in draft.declarations.indices where known[index] == nil {
      var name = draft.declarations[index].name
      if schema.declares(name) { name += "Record" }
      draft.declarations[index].name = DraftName.free(name) { schema.declares($0) }
    }
  }

  /// Matches the draft's declarations with the models that are read from the same objects.
  private mutating func match(_ index: Int, _ model: Model) {
    guard known[index] == nil else { return }
    known[index] = model
    for property in draft.declarations[index].properties {
      guard let key = property.key, let target = property.type.declaration,
        let own = model.properties.first(where: { $0.keys(in: schema.keyStyle).contains(key) })
      else { continue }
      if let name = own.target, let related = schema.model(name) {
        match(target, related)
      } else if let name = own.valueType?.declaredName, let structure = schema.structure(name) {
        match(target, structure)
      }
    }
  }

  // MARK: Adding

  private mutating func add(_ index: Int, _ declared: inout [Int]) {
    guard let model = known[index] else { return }
    var names = Set(model.properties.map(\.name))
    let readPaths = ReadPaths(of: model, schema.keyStyle)
    for property in draft.declarations[index].properties {
      guard let key = property.key, !property.isIdentity, !readPaths.overlap(key) else { continue }
      // A struct cannot contain rows.
      if model.isStruct, draft.isRelationship(property) { continue }
      var property = property
      let name = DraftName.free(property.name) { names.contains($0) }
      if name != property.name { property.isKeyExplicit = true }
      property.name = name
      names.insert(name)
      // Rows and values that are already stored have no value for it.
      if !isToMany(property) { property.isOptional = true }
      if case .property = property.inverse { property.inverse = .nothing }
      if case .derived = property.inverse, leadsBack(property, to: model) { property.inverse = .nothing }
      collect(property.type, &declared)
      insertions.append(
        Insertion(
          file: model.end.file, offset: model.end.offsets.lowerBound, lines: draft.lines(of: property),
          title: "\(model.name).\(name)"))
    }
  }

  private func isToMany(_ property: SchemaDraft.Property) -> Bool {
    if case .list = property.type { draft.isRelationship(property) } else { false }
  }

  /// Whether the schema has a property that could be interpreted as the inverse of a relationship.
  private func leadsBack(_ property: SchemaDraft.Property, to model: Model) -> Bool {
    draft.models(of: property.type).contains { target in
      known[target]?.properties.contains { $0.target == model.name } ?? false
    }
  }

  private func collect(_ type: SchemaDraft.TypeReference, _ declared: inout [Int]) {
    guard let index = type.declaration, known[index] == nil, !declared.contains(index) else { return }
    declared.append(index)
    for property in draft.declarations[index].properties { collect(property.type, &declared) }
  }

  /// Adds the new models of endpoints, and the declarations that they require.
  private mutating func declareNew(
    _ roots: [(name: String, declaration: Int)], besides added: inout [Int], in input: CompilerInput,
    _ folder: String?
  ) {
    for root in roots where known[root.declaration] == nil {
      let before = added.count
      collect(.declared(root.declaration), &added)
      let name = draft.declarations[root.declaration].name
      guard let file = SchemaAddition.file(for: name, in: input, folder) else { continue }
      declare(Array(added[before...]), in: file)
    }
  }

  private static func file(for name: String, in input: CompilerInput, _ folder: String?) -> SourceFile? {
    guard let folder else { return input.files.last }
    let path = (folder.hasSuffix("/") ? folder : folder + "/") + name + ".syncline"
    // Many file systems ignore the case of names.
    let known = input.files.first { $0.path.lowercased() == path.lowercased() }
    return known ?? SourceFile(path: path, relativePath: name + ".syncline", text: "")
  }

  private mutating func declare(_ added: [Int], in file: SourceFile) {
    for index in added {
      // The inverse may be a property that is not added.
      for place in draft.declarations[index].properties.indices {
        guard case .property(let other, _) = draft.declarations[index].properties[place].inverse,
          known[other] != nil
        else { continue }
        draft.declarations[index].properties[place].inverse = .nothing
      }
      insertions.append(
        Insertion(
          file: file, offset: file.text.utf8.count, lines: draft.declarationLines(index).map(\.text),
          title: draft.declarations[index].name, isDeclaration: true))
    }
  }

  /// Adds a case to a union of the schema.
  private mutating func add(_ newCase: UnionRows.NewCase, _ roots: [(name: String, declaration: Int)]) {
    guard let end = newCase.end, let root = roots.first(where: { $0.name == newCase.model }) else { return }
    let type = draft.declarations[root.declaration].name
    insertions.append(
      Insertion(
        file: end.file, offset: end.offsets.lowerBound,
        lines: ["case \(newCase.name): \(type) = \(SwiftText.literal(newCase.tag))"],
        title: "\(newCase.union).\(newCase.name)"))
  }

  // MARK: Writing

  /// Removes additions that the compiler rejects, and writes the others.
  private mutating func finish(_ input: CompilerInput) {
    while true {
      var owners: [String: [(Range<Int>, Int)]] = [:]
      texts = [:]
      for file in Set(insertions.map(\.file.path)) { texts[file] = merged(file, &owners) }
      let paths = Set(input.files.map(\.path))
      var new: [String: SourceFile] = [:]
      for file in insertions.map(\.file) where !paths.contains(file.path) { new[file.path] = file }
      let all = input.files + new.values.sorted { $0.path < $1.path }
      let files = all.map { file in
        texts[file.path].map { SourceFile(path: file.path, relativePath: file.relativePath, text: $0) }
          ?? file
      }
      let result = CompilerPipeline.analyse(
        CompilerInput(
          target: input.target, files: files, modules: input.modules, otherPackages: input.otherPackages))
      var refused: Set<Int> = []
      for diagnostic in result.diagnostics where diagnostic.severity == .error {
        let line = diagnostic.range.start.line - 1
        for (lines, insertion) in owners[diagnostic.range.file.path] ?? [] where lines.contains(line) {
          refused.insert(insertion)
        }
      }
      // An addition causes an error elsewhere, so the last one is removed.
      if refused.isEmpty, result.diagnostics.hasErrors, !insertions.isEmpty {
        refused.insert(insertions.count - 1)
      }
      guard !refused.isEmpty else { break }
      for index in refused.sorted(by: >) { insertions.remove(at: index) }
    }
    additions = insertions.map(\.title)
  }

  /// The text of a file with its insertions, and the lines of each insertion.
  private func merged(_ path: String, _ owners: inout [String: [(Range<Int>, Int)]]) -> String {
    let own = insertions.enumerated().filter { $0.element.file.path == path }
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    guard let file = own.first?.element.file else { return "" }
    let bytes = Array(file.text.utf8)
    var result: [UInt8] = []
    var done = 0
    // The lines of the result, and the bytes in which they were counted.
    var (line, counted) = (0, 0)
    for (number, insertion) in own {
      let offset = max(done, place(of: insertion, in: bytes))
      result += bytes[done..<offset]
      done = offset
      let isLineStart = result.isEmpty || result.last == UInt8(ascii: "\n")
      if !isLineStart { result.append(UInt8(ascii: "\n")) }
      if insertion.isDeclaration, !result.isEmpty { result.append(UInt8(ascii: "\n")) }
      line += result[counted...].count { $0 == UInt8(ascii: "\n") }
      counted = result.count
      let indent = insertion.isDeclaration ? "" : "  "
      for text in insertion.lines { result += Array((indent + text + "\n").utf8) }
      owners[path, default: []].append((line..<(line + insertion.lines.count), number))
    }
    result += bytes[done...]
    return String(decoding: result, as: UTF8.self)
  }

  /// The offset of an insertion. If only whitespace precedes the closing brace, it is the start of the brace's line.
  private func place(of insertion: Insertion, in bytes: [UInt8]) -> Int {
    guard !insertion.isDeclaration else { return bytes.count }
    var start = insertion.offset
    while start > 0, bytes[start - 1] == UInt8(ascii: " ") || bytes[start - 1] == UInt8(ascii: "\t") {
      start -= 1
    }
    return start == 0 || bytes[start - 1] == UInt8(ascii: "\n") ? start : insertion.offset
  }
}
