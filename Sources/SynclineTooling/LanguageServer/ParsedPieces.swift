import SynclineCompiler

/// The parsed pieces of a file. Most are parsed on their own. Those that a pair of braces contains are parsed together, and a
/// piece with syntax errors at its end is parsed with what follows it, because messages and recovery may depend on that.
struct ParsedPieces: Sendable {
  private struct Entry: Sendable {
    /// Retains the files, because their object identities are compared.
    let sources: [SourceFile]
    let file: ParsedFile
    /// Whether it ends with a declaration without an error, so that what follows changes nothing.
    let isClosed: Bool
    /// Whether it has types with parameters.
    let hasParameters: Bool
  }

  private var entries: [[ObjectIdentifier]: Entry] = [:]
  private var former: [[ObjectIdentifier]: Entry] = [:]
  /// The names that the file declares with type parameters.
  private var generics: Set<String> = []
  /// The number of declarations that have been parsed.
  private(set) var declarations = 0

  /// The parsed files, each with the position of its first piece. Those that were parsed before are not parsed again.
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
      // Doubling the number of pieces that are added keeps the work linear in the length of the file.
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

  /// Whether each piece must be parsed with the next one: a pair of braces contains the line between them, or a parenthesis is
  /// open there.
  private static func joined(_ pieces: [FilePiece]) -> [Bool] {
    // At each piece, how many more pairs of braces contain its end than that of the piece before it.
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
