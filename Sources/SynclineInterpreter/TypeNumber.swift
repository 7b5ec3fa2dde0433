/// A number that is represented as a type.
///
/// The runtime distinguishes models by type, so each interpreted model needs its own type. Types cannot be declared at run time,
/// but generic types can be composed: a type represents the binary digits of a number, and each digit is a generic type around
/// the preceding digits.
protocol TypeNumber: Sendable {
  static var number: Int { get }
}

enum TypeNumbers {
  /// The type that represents a number.
  static func spelling(_ number: Int) -> any TypeNumber.Type {
    guard number > 0 else { return Zero.self }
    func doubled<Half: TypeNumber>(_ half: Half.Type) -> any TypeNumber.Type {
      number.isMultiple(of: 2) ? Even<Half>.self : Odd<Half>.self
    }
    return doubled(spelling(number / 2))
  }

  private enum Zero: TypeNumber {
    static var number: Int { 0 }
  }

  private enum Even<Half: TypeNumber>: TypeNumber {
    static var number: Int { Half.number * 2 }
  }

  private enum Odd<Half: TypeNumber>: TypeNumber {
    static var number: Int { Half.number * 2 + 1 }
  }
}
