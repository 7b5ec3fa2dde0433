import Syncline
import SynclineCompiler

/// Definitions, references and renaming, across all targets.
extension LanguageServer {
  /// A source range as a `Location` of the protocol.
  func location(_ range: SourceRange) -> SyncJSON {
    ["uri": .string(uri(of: range.file.path)), "range": json(range)]
  }

  mutating func definition(at offset: Int, in file: ParsedFile) -> SyncJSON {
    guard let symbol = workspace.symbol(at: offset, in: file) else { return [] }
    return .array([symbol.declaration].compactMap(\.self).map(location))
  }

  /// All ranges of the symbol at an offset, sorted by file and offset.
  mutating func places(at offset: Int, in file: ParsedFile, declaration isWhole: Bool) -> [SourceRange] {
    guard let symbol = workspace.symbol(at: offset, in: file) else { return [] }
    guard let declaration = symbol.declaration else { return sorted(symbol.references) }
    var places: Set<SourceRange> = []
    for target in workspace.targetsNear(declaration.file.path) {
      for same in workspace.symbols(in: target) where same.declaration == declaration {
        places.formUnion(same.references)
      }
    }
    if isWhole { places.insert(declaration) } else { places.remove(declaration) }
    return sorted(Array(places))
  }

  private func sorted(_ ranges: [SourceRange]) -> [SourceRange] {
    let places = ranges.map { range in
      (range, workspace.file(at: range.file.path)?.offsets(of: range)?.lowerBound ?? 0)
    }
    return places.sorted { ($0.0.file.path, $0.1) < ($1.0.file.path, $1.1) }.map(\.0)
  }

  /// The symbols whose names contain the letters of a query in this order, ignoring case.
  mutating func symbols(named query: String) -> SyncJSON {
    let letters = query.lowercased()
    var found: [SyncJSON] = []
    for (target, _) in workspace.shownAnalyses() {
      for symbol in workspace.symbols(in: target.folder.path)
      where symbol.module == nil && symbol.kind != .module {
        guard let declaration = symbol.declaration, letters.isSubsequence(of: symbol.name.lowercased()) else {
          continue
        }
        found.append(
          .object([
            "name": .string(symbol.name), "kind": SyncJSON(symbol.kind.rawValue),
            "containerName": symbol.container.map(SyncJSON.string), "location": location(declaration),
          ]))
      }
    }
    return .array(found)
  }

  /// The symbol at an offset, and its range there.
  mutating func renamed(at offset: Int, in file: ParsedFile) throws(RequestError)
    -> (symbol: Symbol, place: SourceRange)
  {
    guard let symbol = workspace.symbol(at: offset, in: file),
      let place = symbol.place(at: offset, in: file.source)
    else { throw .failed("There is no name of a declaration here.") }
    if let path = symbol.declaration?.file.path, !workspace.isOwn(path) {
      throw .failed("“\(symbol.name)” is declared by a package that is not open: \(path)")
    }
    guard symbol.declaration != nil else {
      throw .failed("“\(symbol.name)” is a target: its manifest names it.")
    }
    return (symbol, place)
  }

  /// The edits that rename the symbol at an offset in all files.
  mutating func rename(at offset: Int, in file: ParsedFile, to name: String) throws(RequestError) -> SyncJSON
  {
    let (symbol, _) = try renamed(at: offset, in: file)
    guard name != symbol.name else { return ["changes": [:]] }
    let places = places(at: offset, in: file, declaration: true)
    let edits = places.map { place -> (range: SourceRange, text: String) in
      guard place == symbol.declaration else { return (place, name) }
      return workspace.declaration(of: symbol, at: place, as: name)
    }
    if let reason = workspace.problem(renaming: symbol, to: name, by: edits) {
      throw .failed("“\(symbol.name)” cannot be renamed to “\(name)”: \(reason)")
    }
    return changes(edits)
  }
}

extension Workspace {
  mutating func symbol(at offset: Int, in file: ParsedFile) -> Symbol? {
    guard let target = target(of: file.source.path)?.folder.path else { return nil }
    return symbols(in: target).first { $0.place(at: offset, in: file.source) != nil }
  }

  /// Whether the editor may change a file: it is open, or in an open folder but not in the checkout of a dependency.
  func isOwn(_ path: String) -> Bool {
    if openPaths.contains(path) { return true }
    guard !path.contains("/.build/") else { return false }
    return roots.isEmpty || roots.contains { path.hasPrefix($0 + "/") }
  }

  /// The targets that may use the declarations of a file: its own, those of its package, and the loaded targets of other
  /// packages.
  mutating func targetsNear(_ path: String) -> [String] {
    guard let own = target(of: path)?.folder else { return [] }
    for neighbor in own.neighbors() where neighbor.package == own.package { load(neighbor) }
    return targets.keys.sorted().filter { $0 == own.path || targets[$0]?.folder.package != nil }
  }

  /// The edit that renames a declaration. A renamed case keeps its JSON value, because payloads and rows contain it. If the value
  /// equals the new name, it is not written.
  func declaration(of symbol: Symbol, at place: SourceRange, as name: String) -> (
    range: SourceRange, text: String
  ) {
    guard let written = written(symbol, at: place) else { return (place, name) }
    guard let value = written.value else {
      let rest = place.file.text(place.offsets.upperBound..<written.end.offsets.upperBound)
      return (place.through(written.end), "\(name)\(rest) = \"\(symbol.name)\"")
    }
    let (end, start) = (written.end.offsets.upperBound, value.offsets.lowerBound)
    let sign = end < start ? place.file.text(end..<start) : ""
    guard value.text == "\"\(name)\"", sign.allSatisfy({ $0 == " " || $0 == "=" }) else {
      return (place, name)
    }
    let rest = place.file.text(place.offsets.upperBound..<end)
    return (place.through(value), name + rest)
  }

  /// For a case with a string as JSON value: the end of the source before the value, and the range of the value if it is written.
  private func written(_ symbol: Symbol, at place: SourceRange) -> (end: SourceRange, value: SourceRange?)? {
    guard symbol.kind == .enumCase,
      let tree = file(at: place.file.path)?.section(of: place)?.file.tree
    else { return nil }
    for syntax in tree.enums where syntax.rawType.text == Enumeration.RawType.string.rawValue {
      guard let entry = syntax.cases.first(where: { $0.name.range == place }) else { continue }
      return entry.isIncomplete ? nil : (place, entry.rawValue?.range)
    }
    for syntax in tree.unions {
      guard let entry = syntax.properties.first(where: { $0.name.range == place }) else { continue }
      return entry.isIncomplete ? nil : (entry.type.range, entry.defaultValue?.range)
    }
    return nil
  }

  /// The reason why a symbol cannot be renamed: the new name would cause an error, or change the meaning of a reference.
  func problem(renaming symbol: Symbol, to name: String, by edits: [(range: SourceRange, text: String)])
    -> String?
  {
    guard name.isIdentifier else { return "that is not a valid name" }
    var (former, changed) = (self, self)
    if symbol.kind == .enumCase, let path = symbol.declaration?.file.path,
      let target = target(of: path)?.folder.path, let name = symbol.container,
      let union = former.analysis(in: target).draft.union(name), !union.isOfValues
    {
      return
        "the columns of the properties of \(union.name) have the name, and stores would lose their values"
    }
    let files = Dictionary(grouping: edits) { $0.range.file.path }
    for (path, edits) in files { changed.replace(edits, at: path) }
    for target in Set(files.keys.compactMap { self.target(of: $0)?.folder.path }).sorted() {
      let (before, after) = (former.analysis(in: target), changed.analysis(in: target))
      let known = before.diagnostics.count { $0.severity == .error }
      let errors = after.diagnostics.filter { $0.severity == .error }
      if errors.count > known {
        // Prefer an error in an edited file.
        return (errors.first { files[$0.range.file.path] != nil } ?? errors.first)?.message
      }
      func uses(_ name: String, _ symbols: [Symbol]) -> Int? {
        symbols.first {
          $0.kind == symbol.kind && $0.name == name && $0.container == symbol.container
        }?.references.count
      }
      if uses(symbol.name, before.symbols) != uses(name, after.symbols) {
        return "that means something else already"
      }
    }
    return nil
  }
}

extension String {
  fileprivate var isIdentifier: Bool {
    let tokens = ParsedFile(SourceFile(path: "", text: self)).tree.tokens
    return tokens.map(\.kind) == [.identifier, .end] && tokens[0].range == 0..<utf8.count
  }

  /// Whether another string contains all letters of this one, in the same order.
  fileprivate func isSubsequence(of text: String) -> Bool {
    var rest = self[...]
    for letter in text where letter == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }
}
