extension Names {
  /// The accepted singulars of a relationship's name in snake case. An export uses the first.
  ///
  /// `courses` gives `course` and `cours`; `grandChildren` gives `grand_child`. A name that is not a plural is returned
  /// unchanged.
  package static func singulars(of name: String) -> [String] {
    let snake = snake(name)
    let start = snake.lastIndex(of: "_").map(snake.index(after:)) ?? snake.startIndex
    let prefix = snake[..<start]
    return wordSingulars(String(snake[start...])).map { prefix + $0 }
  }

  /// The plural of a name in snake case: `blog_post` gives `blog_posts`, `person` gives `people`.
  package static func plural(of snake: String) -> String {
    let start = snake.lastIndex(of: "_").map(snake.index(after:)) ?? snake.startIndex
    let word = String(snake[start...])
    return snake[..<start] + wordPlural(word)
  }

  private static func wordPlural(_ word: String) -> String {
    if uncountable.contains(word) { return word }
    if let irregular = IrregularPlurals.words.first(where: { $0.singular == word }) {
      return irregular.plural
    }
    if let ending = IrregularPlurals.endings.first(where: { word.hasSuffix($0.singular) }) {
      return word.dropLast(ending.singular.count) + ending.plural
    }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + (["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) ? "es" : "s")
  }

  private static func wordSingulars(_ word: String) -> [String] {
    if uncountable.contains(word) { return [word] }
    var singulars = (IrregularPlurals.words + IrregularPlurals.borrowedWords)
      .filter { $0.plural == word }.map(\.singular)
    if singulars.isEmpty { singulars = [regularSingular(word)] }
    // A payload may use the singular of another rule.
    for other in otherSingulars(word) where !singulars.contains(other) { singulars.append(other) }
    return singulars
  }

  /// The singular according to the first matching ending.
  private static func regularSingular(_ word: String) -> String {
    let known = IrregularPlurals.words + IrregularPlurals.endings + IrregularPlurals.borrowedWords
    // The word only looks like a plural, as `status` and `bus` do.
    if known.contains(where: { $0.singular == word }) { return word }
    if let ending = IrregularPlurals.endings.first(where: { word.hasSuffix($0.plural) }) {
      return word.dropLast(ending.plural.count) + ending.singular
    }
    let ending = regularEndings.first { word.count > $0.plural.count && word.hasSuffix($0.plural) }
    return ending.map { word.dropLast($0.plural.count) + $0.singular } ?? word
  }

  /// The endings of most words, longer ones first. A word without any of them is not a plural.
  private static let regularEndings: [(plural: String, singular: String)] = [
    ("ouses", "ouse"), ("auses", "ause"), ("uses", "us"), ("sses", "ss"), ("zzes", "zz"), ("tzes", "tz"),
    ("ches", "ch"), ("shes", "sh"), ("sis", "sis"), ("xes", "x"), ("ies", "y"), ("oes", "o"), ("ss", "ss"),
    ("s", ""),
  ]

  /// Other accepted singulars of a plural, for plurals that several words share.
  private static func otherSingulars(_ word: String) -> [String] {
    guard word.count > 1, word.hasSuffix("s"), !word.hasSuffix("ss") else { return [] }
    let withoutS = String(word.dropLast())
    if word.hasSuffix("ies"), word.count > 3 { return [word.dropLast(3) + "y", withoutS] }
    if ["ses", "xes", "zes", "ches", "shes"].contains(where: { word.hasSuffix($0) && word.count > $0.count })
    {
      return [String(word.dropLast(2)), withoutS]
    }
    return [withoutS]
  }

  /// Words whose singular and plural are equal.
  private static let uncountable: Set<String> = ["series", "species", "news"]
}
