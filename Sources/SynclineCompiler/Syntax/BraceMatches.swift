/// The closing brace of each opening brace in a file. One pass finds all pairs, since a separate search for each brace would be
/// slow if many are missing.
struct BraceMatches {
  /// All pairs, as nested in the source.
  private(set) var all: [Int: Int] = [:]
  /// The pairs that close before the next declaration begins.
  private(set) var withinDeclaration: [Int: Int] = [:]

  init(_ tokens: [Token], startsDeclaration: (Int) -> Bool) {
    var open: [Int] = []
    var openWithin: [Int] = []
    for index in tokens.indices {
      if startsDeclaration(index) { openWithin = [] }
      switch tokens[index].kind {
      case .leftBrace:
        open.append(index)
        openWithin.append(index)
      case .rightBrace:
        if let start = open.popLast() { all[start] = index }
        if let start = openWithin.popLast() { withinDeclaration[start] = index }
      default: break
      }
    }
  }
}
