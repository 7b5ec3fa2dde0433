/// The structure of a composed value, parsed from the text in a stored schema.
package struct ValueShape {
  package indirect enum Part: Hashable {
    case scalar(SyncStoredType.Scalar)
    case list(Part)
    case map(Part)
    /// A struct, by its number.
    case structure(Int)
  }

  package struct Member: Hashable {
    package let name: String
    package let part: Part
    package let isOptional: Bool
  }

  package let root: Part
  /// The members of each struct, in the order of first appearance.
  package private(set) var structs: [[Member]] = []

  /// Returns nil if the text is not valid.
  package init?(_ text: String) {
    var reader = Reader(text: Array(text.utf8))
    guard let root = reader.part(depth: 0), reader.isAtEnd else { return nil }
    self.root = root
    structs = reader.structs
  }

  /// Whether the value is neither a scalar nor a list of scalars.
  var isMade: Bool {
    switch root {
    case .scalar, .list(.scalar): false
    default: true
    }
  }

  /// Whether each stored value of the shape is also valid for another shape. New members of that shape must
  /// be optional.
  func isKept(as other: ValueShape) -> Bool {
    var compared: [Int: Int] = [:]
    func isKept(_ own: Part, _ others: Part) -> Bool {
      switch (own, others) {
      case (.scalar(let own), .scalar(let others)):
        return SyncStoredType(own).isKept(as: SyncStoredType(others))
      case (.list(let own), .list(let others)), (.map(let own), .map(let others)): return isKept(own, others)
      case (.structure(let own), .structure(let others)):
        if let known = compared[own] { return known == others }
        compared[own] = others
        let (members, today) = (structs[own], other.structs[others])
        let hasAll = members.allSatisfy { member in today.contains { $0.name == member.name } }
        return hasAll
          && today.allSatisfy { member in
            guard let former = members.first(where: { $0.name == member.name }) else {
              return member.isOptional
            }
            return isKept(former.part, member.part) && (member.isOptional || !former.isOptional)
          }
      default: return false
      }
    }
    return isKept(root, other.root)
  }

  private struct Reader {
    let text: [UInt8]
    var offset = 0
    var structs: [[Member]] = []
    private static let depthLimit = 256

    var isAtEnd: Bool { offset == text.count }

    private mutating func skip(_ token: String) -> Bool {
      guard text[offset...].starts(with: token.utf8) else { return false }
      offset += token.utf8.count
      return true
    }

    private mutating func word() -> String {
      let end = text[offset...].firstIndex { Array(" :,?[]{}^".utf8).contains($0) } ?? text.count
      defer { offset = end }
      return String(decoding: text[offset..<end], as: UTF8.self)
    }

    mutating func part(depth: Int) -> Part? {
      guard depth < Reader.depthLimit else { return nil }
      if skip("[String: ") {
        guard let value = part(depth: depth + 1), skip("]") else { return nil }
        return .map(value)
      }
      if skip("[") {
        guard let element = part(depth: depth + 1), skip("]") else { return nil }
        return .list(element)
      }
      if skip("^") {
        guard let number = Int(word()), structs.indices.contains(number) else { return nil }
        return .structure(number)
      }
      guard skip("{") else { return SyncStoredType.Scalar(rawValue: word()).map(Part.scalar) }
      let number = structs.count
      structs.append([])
      var members: [Member] = []
      while offset < text.count, text[offset] != UInt8(ascii: "}") {
        if !members.isEmpty { guard skip(", ") else { return nil } }
        let name = word()
        guard !name.isEmpty, skip(": "), let part = part(depth: depth + 1) else { return nil }
        members.append(Member(name: name, part: part, isOptional: skip("?")))
      }
      structs[number] = members
      return skip("}") ? .structure(number) : nil
    }
  }
}
