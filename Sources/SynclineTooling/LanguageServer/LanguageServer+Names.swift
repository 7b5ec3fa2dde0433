import Syncline
import SynclineCompiler
import SynclineNaming

/// Definitions, references and renaming, across all targets.
extension LanguageServer {
  /// A source range as a `Location` of the protocol.
  func location(_ range: SourceRange) -> SyncJSON {
    ["uri": .string(uri(of: range.file.path)), "range": range.json]
  }

  mutating func definition(at offset: Int, in file: ParsedFile) -> SyncJSON {
    guard let symbol = workspace.symbol(at: offset, in: file) else { return [] }
    return .array([symbol.declaration].compactMap(\.self).map(location))
  }

  /// All ranges of the symbol at an offset, in the order of the files.
  mutating func places(at offset: Int, in file: ParsedFile, declaration isWhole: Bool) -> [SourceRange] {
    guard let symbol = workspace.symbol(at: offset, in: file) else { return [] }
    guard let declaration = symbol.declaration else { return symbol.references }
    var places: Set<SourceRange> = []
    for target in workspace.targetsNear(declaration.file.path) {
      for same in workspace.symbols(in: target) where same.declaration == declaration {
        places.formUnion(same.references)
      }
    }
    if isWhole { places.insert(declaration) } else { places.remove(declaration) }
    return places.sorted {
      ($0.file.path, $0.offsets.lowerBound) < ($1.file.path, $1.offsets.lowerBound)
    }
  }

  /// The symbols whose names contain the letters of a query in the same order, ignoring case.
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
            "name": .string(symbol.name), "kind": SyncJSON(symbol.kind.number),
            "containerName": symbol.container.map(SyncJSON.string), "location": location(declaration),
          ]))
      }
    }
    return .array(found)
  }

  // MARK: Renaming

  /// The symbol at an offset, and its range there.
  mutating func renamed(at offset: Int, in file: ParsedFile) throws(RequestError)
    -> (symbol: Symbol, place: SourceRange)
  {
    guard let symbol = workspace.symbol(at: offset, in: file),
      let place = symbol.place(at: offset, in: file.source)
    else { throw .failed("Here is no name that the schema declares.") }
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
    let edits = places(at: offset, in: file, declaration: true).map { (range: $0, text: name) }
    if let reason = workspace.problem(renaming: symbol, to: name, by: edits) {
      throw .failed("“\(symbol.name)” cannot be renamed to “\(name)”: \(reason)")
    }
    return changes(edits)
  }
}

extension Workspace {
  /// The symbol at an offset of a file.
  mutating func symbol(at offset: Int, in file: ParsedFile) -> Symbol? {
    guard let target = target(of: file.source.path)?.folder.path else { return nil }
    return symbols(in: target).first { $0.place(at: offset, in: file.source) != nil }
  }

  /// Whether the editor may change a file: it is open, or in an open folder and not in a dependency's checkout.
  func isOwn(_ path: String) -> Bool {
    if openPaths.contains(path) { return true }
    guard !path.contains("/.build/") else { return false }
    return roots.isEmpty || roots.contains { path.hasPrefix($0 + "/") }
  }

  /// The targets that may use a file's declarations: its own, others of its package, and loaded ones of other packages.
  mutating func targetsNear(_ path: String) -> [String] {
    guard let own = target(of: path)?.folder else { return [] }
    for neighbor in own.neighbors() where neighbor.package == own.package { load(neighbor) }
    return targets.keys.sorted().filter { $0 == own.path || targets[$0]?.folder.package != nil }
  }

  /// Why a symbol cannot be renamed: the new name would cause an error or change the meaning of a reference.
  func problem(renaming symbol: Symbol, to name: String, by edits: [(range: SourceRange, text: String)])
    -> String?
  {
    guard name.isIdentifier else { return "that is no name" }
    var (former, changed) = (self, self)
    let files = Dictionary(grouping: edits) { $0.range.file.path }
    for (path, edits) in files {
      guard let source = file(at: path)?.source else { continue }
      changed.replace(source, source.replacing(edits.map { ($0.range.offsets, $0.text) }))
    }
    for target in Set(files.keys.compactMap { self.target(of: $0)?.folder.path }).sorted() {
      let (before, after) = (former.analysis(in: target), changed.analysis(in: target))
      let known = before.diagnostics.count { $0.severity == .error }
      let errors = after.diagnostics.filter { $0.severity == .error }
      if errors.count > known {
        // An error in an edited file is the most helpful.
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
  /// Whether the string is a single identifier.
  fileprivate var isIdentifier: Bool {
    let tokens = ParsedFile(SourceFile(path: "", text: self)).tree.tokens
    return tokens.map(\.kind) == [.identifier, .end] && tokens[0].range == 0..<utf8.count
  }
}

extension Symbol.Kind {
  /// The `SymbolKind` of the protocol.
  var number: Int {
    switch self {
    case .model: 5
    case .property: 8
    case .structure: 23
    case .enumeration: 10
    case .union: 11
    case .enumCase: 22
    case .module: 2
    }
  }
}

extension String {
  /// Whether another string contains all letters of this one, in the same order.
  fileprivate func isSubsequence(of text: String) -> Bool {
    var rest = self[...]
    for letter in text where letter == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }
}
