/// The options of a command: `--name value`, or `--name` alone for a flag.
struct Options {
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// - Throws: an error for an unknown option, or for an option without its value.
  init(_ arguments: [String], names: Set<String>, flags known: Set<String> = []) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let name = argument.hasPrefix("--") ? String(argument.dropFirst(2)) : ""
      if known.contains(name) {
        flags.insert(name)
      } else if names.contains(name), let value = rest.popFirst() {
        values[name] = value
      } else {
        throw Failure(description: "“\(argument)” is not an option, or has no value")
      }
    }
  }

  subscript(name: String) -> String? { values[name] }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  func number(_ name: String) throws -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value) else {
      throw Failure(description: "--\(name) takes a number, not “\(value)”")
    }
    return number
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
