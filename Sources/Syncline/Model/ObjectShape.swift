/// The layout that objects of one kind share: which key stood where in the last one.
///
/// Objects of one list mostly have the same keys in the same order, so a key is found by one comparison.
final class ObjectShape {
  private struct Entry {
    var name: [UInt8]
    var position: Int32
  }

  let keys: KeyTable
  private var entries: [Entry] = []

  init(_ keys: KeyTable) {
    self.keys = keys
  }

  /// Writes the position of each name's value to the output, which holds -1 for all of them.
  ///
  /// Of equal keys the last one counts.
  func resolve(_ object: SyncValue, into output: UnsafeMutablePointer<Int32>) {
    var index = 0
    var next = object.position + 1
    let end = Int(object.node.next)
    while next < end {
      let key = SyncValue(bytes: object.bytes, nodes: object.nodes, position: next)
      let position = position(of: key, at: index)
      if position >= 0 { output[Int(position)] = Int32(truncatingIfNeeded: next + 1) }
      index += 1
      next = Int(object.nodes[next + 1].next)
    }
  }

  @inline(__always)
  private func position(of key: SyncValue, at index: Int) -> Int32 {
    if index < entries.count, !key.node.flag, key.hasText(entries[index].name) {
      return entries[index].position
    }
    let position = keys.position(of: key)
    if !key.node.flag, index <= entries.count, index < 1_024 {
      let entry = Entry(name: Array(key.content), position: position)
      if index < entries.count { entries[index] = entry } else { entries.append(entry) }
    }
    return position
  }
}
