/// Checks default values against the types of their properties.
struct DefaultResolver {
  /// The cases of each enum.
  let cases: [String: DeclarationTable.Cases]

  /// The value, or nil if it does not fit the type.
  func value(_ literal: LiteralSyntax, _ type: Property.PropertyType) -> DefaultValue? {
    if case .value(let type) = type { value(literal, type) } else { nil }
  }

  private func value(_ literal: LiteralSyntax, _ type: ValueType) -> DefaultValue? {
    switch type {
    case .scalar(let scalar): return self.scalar(literal, scalar)
    case .enumeration(let name): return member(literal, of: name)
    case .list(let element):
      guard case .list(let literals) = literal.value else { return nil }
      let values = literals.compactMap { value($0, element) }
      return values.count == literals.count ? .list(values) : nil
    case .map: if case .emptyMap = literal.value { return .emptyMap } else { return nil }
    case .structure, .union: return nil
    }
  }

  private func member(_ literal: LiteralSyntax, of name: String) -> DefaultValue? {
    guard case .member(let member) = literal.value else { return nil }
    // The declaration may spell it with other bytes that `String` treats as equal.
    return cases[name]?.names.first { $0 == member.text }.map { .member($0) }
  }

  private func scalar(_ literal: LiteralSyntax, _ type: ScalarType) -> DefaultValue? {
    switch (type, literal.value) {
    case (.string, .text(let text)): return .text(text)
    case (.bool, .bool(let value)): return .bool(value)
    case (.double, .number(let digits)):
      return DefaultResolver.isHeld(digits, as: Double(digits)) ? .number(digits) : nil
    case (.float, .number(let digits)):
      return DefaultResolver.isHeld(digits, as: Float(digits)) ? .number(digits) : nil
    case (.decimal, .number(let digits)):
      return digits.lowercased().contains("e") || digits.count > 30 ? nil : .number(digits)
    case (.uuid, .text(let text)):
      return DefaultResolver.uuidBytes(text).map(DefaultValue.uuid)
    case (.json, .null): return .null
    case (.json, .text(let text)): return .text(text)
    case (.json, .bool(let value)): return .bool(value)
    case (.json, .number(let digits)):
      // Swift reads the literal as one of these.
      let isInteger = digits.allSatisfy { $0.isNumber || $0 == "-" }
      let fits = isInteger ? Int64(digits) != nil : DefaultResolver.isHeld(digits, as: Double(digits))
      return fits ? .number(digits) : nil
    case (_, .number(let digits)):
      guard let range = type.integerRange, let value = Int64(digits), range.contains(value) else {
        return nil
      }
      return .number(String(value))
    default: return nil
    }
  }

  /// Whether a type can represent a number. Numbers so small that they lose precision are refused, since Swift warns of them.
  private static func isHeld(_ digits: String, as value: (some BinaryFloatingPoint)?) -> Bool {
    guard let value else { return false }
    let significand = digits.lowercased().prefix { $0 != "e" }
    return value.isNormal || !significand.contains { ("1"..."9").contains($0) }
  }

  /// The sixteen bytes of a UUID in its 36-character form.
  private static func uuidBytes(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = parts.flatMap(Array.init)
    guard parts.map(\.count) == [8, 4, 4, 4, 12], text.utf8.count == 36, digits.allSatisfy(\.isHexDigit)
    else { return nil }
    return stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }
}
