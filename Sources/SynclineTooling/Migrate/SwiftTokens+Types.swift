import SynclineCompiler

extension [SwiftTokens.Token] {
  /// The qualified name of a type; nil for a type that is not just a name.
  var typePath: String? {
    guard count % 2 == 1 else { return nil }
    var names: [String] = []
    for (place, token) in enumerated() {
      switch token {
      case .word(let word) where place % 2 == 0: names.append(word)
      case .sign(".") where place % 2 == 1: continue
      default: return nil
      }
    }
    return names.joined(separator: ".")
  }

  /// The type arguments of a generic type with this name.
  func arguments(of name: String) -> [[SwiftTokens.Token]]? {
    guard count > 3, last == .sign(">"), let open = firstIndex(of: .sign("<")),
      self[..<open].last == .word(name), Array(self[..<open]).typePath != nil
    else { return nil }
    return Array(self[(open + 1)...].dropLast()).elements
  }

  /// The element of `[T]`, `Array<T>` or `Set<T>`.
  var listElement: [SwiftTokens.Token]? {
    for name in ["Array", "Set", "ContiguousArray"] {
      if let arguments = arguments(of: name), arguments.count == 1 { return arguments[0] }
    }
    guard count > 2, first == .sign("["), last == .sign("]"), mapValue == nil else { return nil }
    return Array(dropFirst().dropLast())
  }

  /// The value of `[String: T]` or `Dictionary<String, T>`.
  var mapValue: [SwiftTokens.Token]? {
    if let arguments = arguments(of: "Dictionary"), arguments.count == 2, arguments[0] == [.word("String")] {
      return arguments[1]
    }
    guard count > 4, first == .sign("["), last == .sign("]"), self[1] == .word("String"),
      self[2] == .sign(":")
    else { return nil }
    return Array(self[3...].dropLast())
  }

  /// The type of a default value, for a property without a declared type; nil if only the Swift compiler could infer it.
  var impliedType: [SwiftTokens.Token]? { impliedType(level: 0) }

  private func impliedType(level: Int) -> [SwiftTokens.Token]? {
    guard let first, level < 8 else { return nil }
    switch first {
    case .text, .interpolation: return count == 1 ? [.word("String")] : nil
    case .word("true"), .word("false"): return count == 1 ? [.word("Bool")] : nil
    default: break
    }
    if number != nil { return [.word(contains(.sign(".")) || isExponential ? "Double" : "Int")] }
    if let called { return called.isType ? called : called.typeOfMember }
    if first == .sign("["), last == .sign("]") {
      guard let element = Array(dropFirst().dropLast()).elements.first else { return nil }
      let parts = element.split(maxSplits: 1, whereSeparator: { $0 == .sign(":") })
      let types = parts.compactMap { Array($0).impliedType(level: level + 1) }
      guard types.count == parts.count, let first = types.first else { return nil }
      let value: [SwiftTokens.Token] = types.count == 2 ? [.sign(":")] + types[1] : []
      return [.sign("[")] + first + value + [.sign("]")]
    }
    return typeOfMember
  }

  /// The tokens before the final parentheses: `Date` for `Date()`, `[String]` for `[String]()`.
  private var called: [SwiftTokens.Token]? {
    guard count > 2, last == .sign(")") else { return nil }
    var depth = 0
    for place in indices.reversed() {
      switch self[place] {
      case .sign(")"), .sign("]"), .sign("}"): depth += 1
      case .sign("("), .sign("["), .sign("{"): depth -= 1
      default: break
      }
      if depth == 0 { return place > 0 ? Array(self[..<place]) : nil }
    }
    return nil
  }

  /// Whether it is a type rather than a function, which its uppercase initial shows.
  private var isType: Bool {
    if first == .sign("["), last == .sign("]") { return true }
    let name: SwiftTokens.Token? =
      last == .sign(">") ? firstIndex(of: .sign("<")).flatMap { self[..<$0].last } : last
    guard case .word(let word)? = name else { return false }
    return word.first?.isUppercase ?? false
  }

  /// The type of a member such as `Date.now`, which is assumed to be the type itself.
  private var typeOfMember: [SwiftTokens.Token]? {
    guard count > 2, typePath != nil else { return nil }
    let type = Array(dropLast(2))
    return type.isType ? type : nil
  }

  /// The case of an enum: `small` for `.small` and `Kind.small`.
  var caseName: String? {
    guard case .word(let name)? = last, dropLast().last == .sign(".") else { return nil }
    return count == 2 || typePath != nil ? name : nil
  }

  var integer: Int64? {
    guard let number, !contains(.sign(".")) else { return nil }
    let sign = number.hasPrefix("-") ? "-" : ""
    let digits = number.dropFirst(sign.count)
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
      return Int64(sign + digits.dropFirst(prefix.count), radix: radix)
    }
    return Int64(number)
  }

  private var isExponential: Bool {
    guard let number, !number.contains("x") else { return false }
    return number.contains("e") || number.contains("E")
  }

  /// A number as written, without underscores.
  private var number: String? {
    // A number has at most a sign, an integer part, a point, a fraction, and the sign and digits of an exponent.
    guard count < 7 else { return nil }
    let text = source.filter { $0 != "_" }
    return text.wholeMatch(of: /-?[0-9]\w*(\.[0-9]\w*)?([eE][-+][0-9]+)?/) == nil ? nil : text
  }

  /// The value in schema syntax; nil if a schema has no such literal.
  var schemaLiteral: String? {
    if let integer { return String(integer) }
    if let number { return isExponential ? Double(number).flatMap(\.decimal) : number }
    if count == 1, case .text(let text) = self[0] { return SwiftText.literal(text) }
    if let called, called.isType, count == called.count + 2, called.first == .sign("[") {
      return called.mapValue == nil ? "[]" : "[:]"
    }
    if self == [.word("true")] || self == [.word("false")] || self == [.sign("["), .sign(":"), .sign("]")] {
      return source.filter { $0 != " " }
    }
    guard first == .sign("["), last == .sign("]") else { return nil }
    let elements = Array(dropFirst().dropLast()).elements
    // A default value cannot be a list of lists.
    let literals = elements.compactMap { $0.first == .sign("[") ? nil : $0.schemaLiteral }
    return literals.count == elements.count ? "[\(literals.joined(separator: ", "))]" : nil
  }
}

extension Double {
  /// The number without an exponent; nil if it is too large or too small.
  fileprivate var decimal: String? { abs(self) < 1e15 && !"\(self)".contains("e") ? "\(self)" : nil }
}
