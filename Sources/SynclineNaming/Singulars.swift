extension Names {
  /// Every accepted singular of a relationship's name in snake case, the one that export writes first.
  ///
  /// `categories` gives `category` and `categorie`; `grandChildren` gives `grand_child`. A name that is no
  /// plural gives itself.
  public static func singulars(of name: String) -> [String] {
    let snake = snake(name)
    let start = snake.lastIndex(of: "_").map(snake.index(after:)) ?? snake.startIndex
    let prefix = snake[..<start]
    return wordSingulars(String(snake[start...])).map { prefix + $0 }
  }

  /// The plural of a name in snake case: `blog_post` gives `blog_posts`, `person` gives `people`.
  public static func plural(of snake: String) -> String {
    let start = snake.lastIndex(of: "_").map(snake.index(after:)) ?? snake.startIndex
    let word = String(snake[start...])
    return snake[..<start] + wordPlural(word)
  }

  private static func wordPlural(_ word: String) -> String {
    if let irregular = irregularSingulars.first(where: { $0.value == word }) { return irregular.key }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + (["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) ? "es" : "s")
  }

  private static func wordSingulars(_ word: String) -> [String] {
    if let irregular = irregularSingulars[word] { return [irregular] }
    guard word.count > 1, word.hasSuffix("s"), !word.hasSuffix("ss") else { return [word] }
    let withoutS = String(word.dropLast())
    if word.hasSuffix("ies"), word.count > 3 { return [word.dropLast(3) + "y", withoutS] }
    if ["ses", "xes", "zes", "ches", "shes"].contains(where: { word.hasSuffix($0) && word.count > $0.count })
    {
      return [String(word.dropLast(2)), withoutS]
    }
    return [withoutS]
  }

  private static let irregularSingulars = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "geese": "goose", "indices": "index", "data": "datum",
    "criteria": "criterion", "series": "series", "species": "species", "news": "news",
  ]
}
