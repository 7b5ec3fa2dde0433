import SynclineNaming

extension SyncTable {
  /// Whether a type is the model's name: in any style, as one or as many.
  func isCalled(_ type: String) -> Bool {
    let snake = Names.snake(name)
    let other = Names.snake(type.replacing("-", with: "_"))
    return other == snake || other == Names.plural(of: snake) || Names.singulars(of: other).contains(snake)
  }

  /// What documents call the type of the rows.
  var documentType: String { typeName ?? Names.plural(of: Names.snake(name)) }
}
