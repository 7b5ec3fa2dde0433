/// Reports `@Null(true)` and `@Null(false)` on a `Bool`: one of its two values could no longer be read. Warns of defaults that are
/// read as null: an exported default would be read back as another value.
enum NullRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for property in model.properties where !property.isIncomplete && property.transform == nil {
      checkDefault(of: property, &bag)
      guard case .value(.scalar(.bool)) = property.type, let words = property.ownNulls,
        let range = property.places[.null]
      else { continue }
      let others = words.filter { if case .bool = $0.value { false } else { true } }.map(\.range.text)
      for word in words {
        guard case .bool = word.value else { continue }
        bag.error(
          .nullOfBool,
          "“\(property.name)” is a Bool: “\(word.range.text)” is an ordinary value of it, and cannot be read as null",
          at: word.range,
          fixIts: [
            others.isEmpty
              ? .remove(range) : .write("@Null(\(others.joined(separator: ", ")))", for: range)
          ])
      }
    }
  }

  private static func checkDefault(of property: Property, _ bag: inout DiagnosticBag) {
    guard let value = property.defaultValue, let word = NullWord(value), property.nulls.contains(word),
      let range = property.ownNulls?.first(where: { $0.value == word })?.range ?? property.defaultRange
    else { return }
    // For a required property null is the zero value.
    let zero = word.zero
    guard property.isOptional || word != zero else { return }
    bag.warning(
      .invalidNullWord,
      "“\(property.name)”: its default \(word.text) is read as null, so an exported default is read back as \(property.isOptional ? "nil" : zero.text)",
      at: range)
  }
}

extension NullWord {
  /// Returns nil for a default that cannot be listed as null.
  fileprivate init?(_ value: DefaultValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .number(let digits): self.init(number: digits)
    case .bool(let value): self = .bool(value)
    case .list(let elements) where elements.isEmpty: self = .emptyList
    case .list, .uuid, .member, .emptyMap, .null: return nil
    }
  }

  /// The value of a required property whose value is null.
  fileprivate var zero: NullWord {
    switch self {
    case .text: .text("")
    case .number: .number("0")
    case .bool: .bool(false)
    case .emptyList: .emptyList
    }
  }
}
