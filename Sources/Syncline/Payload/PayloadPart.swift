/// Rows from several parts of a payload, as one list.
struct PayloadPart: Sendable {
  /// The paths of the lists that the rows come from.
  private var lists: [String] = []
  /// The list of each row; the row's index in it, nil for a row that is not an element of a list; and its places in the payload.
  private var places: [(list: Int, index: Int?, span: Range<Int>)] = []
  private var text: [UInt8] = [UInt8(ascii: "[")]
  /// Whether the part is a single row rather than a list.
  private(set) var isItem = false

  /// The path of the list whose rows have indexes; nil if no rows have one.
  private let list: String?
  /// The number of elements of that list, including those in other parts.
  var listLength: Int?

  init(of list: String? = nil, length: Int? = nil) {
    self.list = list
    listLength = length
  }

  /// Whether these are the rows that the call asks for, rather than rows that come with them.
  var isMain: Bool { list != nil || listLength != nil }

  /// Whether the part has all rows of that list.
  var isWholeList: Bool { listLength == places.count }

  var isEmpty: Bool { places.isEmpty }

  /// The JSON text of the list, or of the item.
  var bytes: [UInt8] { isItem ? Array(text.dropFirst()) : text + [UInt8(ascii: "]")] }

  /// Adds a row, from the list at a path or the path of the row itself, with its index in the list; nil for a single row.
  /// The closure writes it as JSON.
  mutating func append(
    _ row: SyncValue, on tape: JSONTape, from path: String, at index: Int?,
    _ write: (SyncValue, inout [UInt8]) -> Void = { $0.append(to: &$1) }
  ) {
    if lists.last != path { lists.append(path) }
    if !places.isEmpty { text.append(UInt8(ascii: ",")) }
    places.append((lists.count - 1, index, tape.order.places(of: row)))
    write(row, &text)
  }

  /// The same part as an item, if it has exactly one row.
  func asItem() -> PayloadPart {
    var part = self
    part.isItem = places.count == 1
    return part
  }

  /// Whether a row comes from the list whose rows have indexes.
  func isOfList(_ index: Int) -> Bool {
    places.indices.contains(index) && lists[places[index].list] == list && !isItem
  }

  /// Sets the order of a row's values to the position of the row in the payload.
  ///
  /// - Parameter index: its index in this part; nil for an item.
  func order(_ tape: JSONTape, _ index: Int?) {
    let (row, index) = (tape.value(at: 0), index ?? 0)
    guard places.indices.contains(index) else { return }
    tape.order = PayloadOrder(row.node.offset..<row.end, within: places[index].span)
  }

  func place(_ index: Int?) -> PayloadObject.Location? {
    guard let place = places.indices.contains(index ?? 0) ? places[index ?? 0] : nil else { return nil }
    let path = lists[place.list]
    return place.index.map { .row(index: $0, prefix: path) } ?? .item(prefix: path)
  }
}
