/// The closing brace of each opening one of a file. All are found at once: looking for each of them anew would take
/// ages where many are missing.
struct BraceMatches {
  /// As they stand.
  private(set) var all: [Int: Int] = [:]
  /// Those that close before the next declaration begins.
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
