/// Rows from several parts of a payload, as one list.
struct PayloadPart: Sendable {
  /// The paths of the lists that rows are from.
  private var lists: [String] = []
  /// The list of each row, and its index in that; nil for a row that is not an element.
  private var places: [(list: Int, index: Int?)] = []
  private var text: [UInt8] = [UInt8(ascii: "[")]
  /// Whether it is one row, not a list.
  private(set) var isItem = false

  /// The path of the list whose rows have indexes; nil where none have.
  private let list: String?
  /// How many elements that list has, those of other parts too.
  let listLength: Int?

  init(of list: String? = nil, length: Int? = nil) {
    self.list = list
    listLength = length
  }

  /// Whether the rows are what the payload is of, and not what comes with them.
  var isMain: Bool { list != nil || listLength != nil }

  /// Whether they are all rows of one list.
  var isWholeList: Bool { listLength == places.count }

  var isEmpty: Bool { places.isEmpty }

  /// The text of the list, or of the item.
  var bytes: SyncPayloadBytes {
    SyncPayloadBytes(isItem ? Array(text.dropFirst()) : text + [UInt8(ascii: "]")])
  }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - path: the path of its list, or of the row itself.
  ///   - index: its index in the list; nil for a single row.
  ///   - write: writes it as JSON.
  mutating func append(from path: String, at index: Int?, _ write: (inout [UInt8]) throws -> Void) rethrows {
    if lists.last != path { lists.append(path) }
    if !places.isEmpty { text.append(UInt8(ascii: ",")) }
    places.append((lists.count - 1, index))
    try write(&text)
  }

  /// Adds a row as it is in the payload.
  mutating func append(_ row: SyncValue, from path: String, at index: Int) {
    append(from: path, at: index) { row.append(to: &$0) }
  }

  /// The same, where it is one row by itself.
  func asItem() -> PayloadPart {
    var part = self
    part.isItem = places.count == 1
    return part
  }

  /// Whether a row is from the list whose rows have indexes.
  func isOfList(_ index: Int) -> Bool {
    places.indices.contains(index) && lists[places[index].list] == list && !isItem
  }

  /// The location of a row in the payload.
  ///
  /// - Parameter index: its index in this list; nil for an item.
  func place(_ index: Int?) -> PayloadObject.Location? {
    guard let place = places.indices.contains(index ?? 0) ? places[index ?? 0] : nil else { return nil }
    let path = lists[place.list]
    return place.index.map { .row(index: $0, prefix: path) } ?? .item(prefix: path)
  }
}
