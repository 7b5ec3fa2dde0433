import TestSupport
import Testing

@testable import Syncline

/// The keys of an object are found, whatever keys the previous objects had, in any order.
@Suite struct ObjectShapeTests {
  private static let names = ["id", "title", "note", "rank", "done", "owner", "size", "state"]

  /// The value of each name in an object that is read with a shape; nil if it is absent.
  private func values(_ text: String, _ shape: ObjectShape) throws -> [String?] {
    var text = text
    return try text.withUTF8 { utf8 in
      let tape = try JSONDocument.scan(UnsafeRawBufferPointer(utf8))
      defer { tape.close() }
      var positions = [Int32](repeating: -1, count: shape.keys.names.count)
      positions.withUnsafeMutableBufferPointer {
        if let base = $0.baseAddress { shape.resolve(tape.value(at: 0), into: base) }
      }
      return positions.map { $0 < 0 ? nil : tape.value(at: Int($0)).scalarText }
    }
  }

  private func shape() -> ObjectShape { ObjectShape(KeyTable(Self.names.map { [$0] })) }

  @Test(arguments: 0..<20) func keysAreFoundInObjectsWithMissingKeys(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let shape = shape()
    for row in 0..<200 {
      var expected = [String?](repeating: nil, count: Self.names.count)
      var members: [String] = []
      var keys = Array(Self.names.indices)
      if Int.random(in: 0..<8, using: &random) == 0 { keys.shuffle(using: &random) }
      if Int.random(in: 0..<8, using: &random) == 0 { keys.append(keys[0]) }
      for key in keys where Int.random(in: 0..<3, using: &random) > 0 {
        for other in 0..<Int.random(in: 0..<3, using: &random) {
          members.append(#""other\#(other * row)": 0"#)
        }
        let name = Self.names[key]
        let isEscaped = Int.random(in: 0..<10, using: &random) == 0
        let written = isEscaped ? name.replacing("i", with: #"\u0069"#) : name
        expected[key] = "\(members.count)"
        members.append("\"\(written)\": \(members.count)")
      }
      #expect(try values("{\(members.joined(separator: ", "))}", shape) == expected)
    }
  }

  @Test(arguments: [#"["id", 1]"#, #"["id", ["id"]]"#, "[]", #""id""#, "1", "null"])
  func aValueThatIsNoObjectHasNoKeys(text: String) throws {
    #expect(try values(text, shape()) == Array(repeating: nil, count: Self.names.count))
  }

  @Test func eachOfManyNamesIsFoundInAnyOrder() throws {
    var random = SeededGenerator(seed: 1)
    let names = (0..<500).map { "name\($0)" } + ["", "n", "é"]
    let keys = KeyTable(names.map { [$0] })
    for _ in 0..<5 {
      let others = (names + ["name", "name500", "m", "ê"]).shuffled(using: &random)
      let object = "{\(others.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", "))}"
      #expect(try values(object, ObjectShape(keys)) == names.map { Optional($0) })
    }
  }

  @Test func objectShapeCachesALimitedNumberOfKeys() throws {
    let shape = shape()
    for row in 0..<2_000 {
      let others = (0..<5).map { #""other\#(row)-\#($0)": 0"# }
      let object = "{\(others.joined(separator: ", ")), \"size\": \(row)}"
      #expect(try values(object, shape)[6] == "\(row)")
    }
    #expect(shape.entryCount < 200)
  }
}
