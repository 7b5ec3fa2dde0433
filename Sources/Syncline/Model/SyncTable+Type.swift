import SynclineNaming

extension SyncTable {
  /// Whether a type names the model: by `@TypeName`, or by the model's name in any style, as one or as many.
  func isNamed(_ type: String) -> Bool {
    if let typeName { return typeName == type }
    let snake = Names.snake(name)
    let other = Names.snake(type.replacing("-", with: "_"))
    return other == snake || other == Names.plural(of: snake) || Names.singulars(of: other).contains(snake)
  }

  /// Whether a type is the model's very name, in any style.
  func isCalled(_ type: String) -> Bool {
    Names.snake(type.replacing("-", with: "_")) == Names.snake(name)
  }

  /// What documents call the type of the rows.
  var documentType: String { typeName ?? Names.plural(of: Names.snake(name)) }
}
