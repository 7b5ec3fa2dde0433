extension SliceSync {
  /// Whether a list has exactly the stored rows, in the order of their places, between which deleted rows have left gaps.
  func listsRowsInPlace() throws -> Bool {
    guard lists == nil, let place = table.place.map({ table.properties[$0].quotedName }), !slice.isItem,
      !slice.isPage, slice.part?.isWholeList ?? true
    else { return false }
    let count = try query.rows("COUNT(*), MIN(\(place)), MAX(\(place))", orderedBy: "1")
    defer { count.reset() }
    guard try count.step(), count.column(0).int64 > 0,
      count.column(1).int64 != 0 || count.column(2).int64 != count.column(0).int64 - 1
    else { return false }
    let stored = try query.rows("\(table.identityProperty.quotedName), \(place)", orderedBy: "\(place), 1")
    defer { stored.reset() }
    var last: Int64?
    var isSame = true
    _ = try feed.forEachElement { tape, index in
      guard index != nil, tape.value(at: 0).isObject, try stored.step(), stored.column(1).isInteger,
        case let next = stored.column(1).int64, last.map({ $0 < next }) ?? true,
        object(tape, index).identity?.isStored(in: stored.column(0)) ?? false
      else {
        isSame = false
        return .stop
      }
      last = next
      return .done
    }
    return try isSame && !stored.step()
  }
}
