/// The offsets of values in a body of several parts. A list that is gathered may be longer than in the body, so the parts that begin
/// after it are moved. Then comparing offsets gives the order of the text, and no two values have the same offset.
struct BodyOffsets {
  /// Where the gathered lists begin in the body, and how long they are.
  private var lists: [(begin: Int, length: Int)] = []

  /// Adds a list.
  ///
  /// - Parameter length: 0 for a list that is read where it is.
  mutating func add(listAt begin: Int, gatheredLength length: Int) {
    if length > 0 { lists.append((begin, length)) }
  }

  /// How far a value at an offset of the body is moved.
  func move(at offset: Int) -> Int {
    lists.reduce(0) { move, list in list.begin < offset ? move + list.length : move }
  }
}
