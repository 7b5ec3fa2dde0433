/// A default value as a Swift expression, where its type is known from context.
struct DefaultExpression {
  let type: Property.PropertyType
  let isOptional: Bool

  func code(_ value: DefaultValue) -> Code {
    switch (value, type) {
    case (.list(let values), .value(.list(let element))): list(values, of: .value(element))
    case (.list, _): "[]"
    case (.emptyMap, _): "[:]"
    // Swift would resolve these to the cases of `Optional`.
    case (.member(let name), _) where isOptional && (name == "none" || name == "some"): ".some(.\(name))"
    case (.member(let name), _): ".\(name)"
    case (.uuid(let bytes), _): uuid(bytes)
    case (.number(let digits), .value(.scalar(.decimal))): decimal(digits)
    case (.number(let digits), .value(.scalar(.double))): floating(digits, Double.self)
    case (.number(let digits), .value(.scalar(.float))): floating(digits, Float.self)
    case (.null, _): ".null"
    case (.text(let text), _): .literal(text)
    case (.number(let digits), _): .text(digits)
    case (.bool(let value), _): value ? "true" : "false"
    }
  }

  private func list(_ values: [DefaultValue], of type: Property.PropertyType) -> Code {
    .array(values.map(DefaultExpression(type: type, isOptional: false).code))
  }

  private func uuid(_ bytes: [UInt8]) -> Code {
    .call(
      "Foundation.UUID",
      [.list(opening: "uuid: (", bytes.map { .text(String($0)) }, closing: ")")])
  }

  /// The literal of a number. If the type rounds a whole number, `.0` is appended, because Swift warns of such integer literals.
  private func floating<Number: BinaryFloatingPoint>(_ digits: String, _ type: Number.Type) -> Code {
    let isWhole = digits.allSatisfy { $0.isNumber || $0 == "-" }
    let isExact = Int64(digits).flatMap { Number(exactly: $0) } != nil
    return .text(isWhole && !isExact ? digits + ".0" : digits)
  }

  /// Builds a decimal from its digits, because a literal would be converted through a binary fraction.
  private func decimal(_ digits: String) -> Code {
    let isNegative = digits.hasPrefix("-")
    let parts = digits.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    let significand = String((parts.first.map(String.init) ?? "0") + fraction)
    if fraction.isEmpty, significand.count < 18 { return .call("Foundation.Decimal", [.text(digits)]) }
    // Parts of eighteen digits fit an integer.
    var rest = Substring(significand)
    var terms: [Code] = []
    while !rest.isEmpty {
      let part = rest.suffix(18)
      rest = rest.dropLast(18)
      terms.append(
        .call(
          "Foundation.Decimal",
          [
            "sign: .\(isNegative ? "minus" : "plus")",
            "exponent: \(String(terms.count * 18 - fraction.count))",
            "significand: \(String(Int64(part) ?? 0))",
          ]))
    }
    return .joined(terms.enumerated().flatMap { $0.offset > 0 ? [" + ", $0.element] : [$0.element] })
  }
}
