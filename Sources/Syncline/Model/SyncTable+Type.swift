import SynclineNaming

extension SyncTable {
  /// Whether a JSON type matches the model: by `@TypeName`, or by the model's name in any key style, singular
  /// or plural.
  func isNamed(_ type: String) -> Bool {
    if let typeName { return typeName == type }
    let snake = Names.snake(name)
    let other = Names.snake(type.replacing("-", with: "_"))
    return other == snake || other == Names.plural(of: snake) || Names.singulars(of: other).contains(snake)
  }

  /// Whether a JSON type is exactly the model's name, in any key style.
  func isCalled(_ type: String) -> Bool {
    Names.snake(type.replacing("-", with: "_")) == Names.snake(name)
  }

  /// The type of the rows in JSON:API documents.
  var documentType: String { typeName ?? Names.plural(of: Names.snake(name)) }
}
