import SynclineCompiler

/// A cache of the parsed pieces of a file. Most pieces are parsed separately. Pieces inside one pair of braces are parsed
/// together. A piece with a syntax error at its end is parsed together with the next ones, because messages and error recovery
/// may depend on them.
struct ParsedPieces: Sendable {
  private struct Entry: Sendable {
    /// Retains the files, because their object identities are compared.
    let sources: [SourceFile]
    let file: ParsedFile
    /// Whether it ends with a declaration without errors, so that the following text does not affect it.
    let isClosed: Bool
    /// Whether it contains declarations with type parameters.
    let hasParameters: Bool
  }

  private var entries: [[ObjectIdentifier]: Entry] = [:]
  private var former: [[ObjectIdentifier]: Entry] = [:]
  /// The names that the file declares with type parameters.
  private var generics: Set<String> = []
  private(set) var declarations = 0

  /// The parsed files, each with the index of its first piece. Pieces that were already parsed are taken from the cache.
  mutating func files(of pieces: [FilePiece]) -> [(first: Int, file: ParsedFile)] {
    let generics = pieces.reduce(into: Set<String>()) { $0.formUnion($1.shape?.generics ?? []) }
    if generics != self.generics { entries = entries.filter { !$0.value.hasParameters } }
    self.generics = generics
    (former, entries) = (entries, [:])
    defer { former = [:] }
    let joined = ParsedPieces.joined(pieces)
    var files: [(first: Int, file: ParsedFile)] = []
    var first = 0
    while first < pieces.count {
      var end = first + 1
      while end < pieces.count, joined[end - 1] { end += 1 }
      var entry = self.entry(of: pieces[first..<end])
      // Doubling the number of added pieces keeps the total work linear in the length of the file.
      var step = 1
      while !entry.isClosed, end < pieces.count {
        end = min(pieces.count, end + step)
        step *= 2
        while end < pieces.count, joined[end - 1] { end += 1 }
        entry = self.entry(of: pieces[first..<end])
      }
      files.append((first, entry.file))
      first = end
    }
    return files
  }

  /// Whether each piece must be parsed with the next one, because a pair of braces or an open parenthesis contains the boundary
  /// between them.
  private static func joined(_ pieces: [FilePiece]) -> [Bool] {
    // For each piece, the change in the number of brace pairs that contain its end, relative to the previous piece.
    var changes = [Int](repeating: 0, count: pieces.count + 1)
    var open: [Int] = []
    for (index, piece) in pieces.enumerated() {
      guard let shape = piece.shape else { continue }
      for _ in 0..<shape.closes {
        guard let opening = open.popLast() else { break }
        changes[opening] += 1
        changes[index] -= 1
      }
      open += [Int](repeating: index, count: shape.opens)
    }
    var pairs = 0
    return pieces.indices.map { index in
      pairs += changes[index]
      return pairs > 0 || pieces[index].shape?.isOpen ?? false
    }
  }

  private mutating func entry(of pieces: ArraySlice<FilePiece>) -> Entry {
    let sources = pieces.map(\.source)
    let key = sources.map(ObjectIdentifier.init)
    if let entry = entries[key] ?? former[key] {
      entries[key] = entry
      return entry
    }
    let file = ParsedFile(ParsedPieces.source(of: sources), besideGenerics: generics)
    declarations += file.tree.declarations.count
    let entry = Entry(
      sources: sources, file: file, isClosed: file.isClosed,
      hasParameters: file.tree.tokens.contains { $0.kind == .leftAngle })
    entries[key] = entry
    return entry
  }

  private static func source(of sources: [SourceFile]) -> SourceFile {
    guard sources.count != 1, let first = sources.first else {
      return sources.first ?? SourceFile(path: "", text: "")
    }
    let bytes = sources.flatMap(\.bytes)
    return SourceFile(
      path: first.path, relativePath: first.relativePath, text: String(decoding: bytes, as: UTF8.self))
  }
}

extension ParsedFile {
  /// Whether it ends with a declaration without a syntax error.
  fileprivate var isClosed: Bool {
    guard let last = tree.declarations.last else { return diagnostics.isEmpty }
    if case .unexpected = last { return false }
    let start = tree.tokens[last.tokens.lowerBound].range.lowerBound
    return !tree.isCut && !diagnostics.contains { $0.range.offsets.upperBound > start }
  }
}
