/// The layout that objects of one kind share: the index of each key in the last one.
///
/// Objects of one list mostly have the same keys in the same order, so a key is found by one comparison.
final class ObjectShape {
  /// The shape owns a copy of the key's bytes, so comparing needs no reference counting.
  private struct Entry {
    let name: UnsafeMutableBufferPointer<UInt8>
    let position: Int32
  }

  let keys: KeyTable
  private var entries: [Entry] = []
  private static let limit = 1_024

  init(_ keys: KeyTable) {
    self.keys = keys
  }

  deinit {
    for entry in entries { entry.name.deallocate() }
  }

  /// Writes the position of each name's value to the output, which holds -1 for all of them.
  ///
  /// If a key is repeated, the last one wins.
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
    let hasEscapes = key.node.flag
    if index < entries.count, !hasEscapes,
      JSONText.equal(key.content, UnsafeBufferPointer(entries[index].name))
    {
      return entries[index].position
    }
    let position = keys.position(of: key)
    if !hasEscapes { remember(key.content, position, at: index) }
    return position
  }

  private func remember(_ name: UnsafeBufferPointer<UInt8>, _ position: Int32, at index: Int) {
    guard index <= entries.count, index < Self.limit else { return }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
    _ = copy.initialize(from: name)
    let entry = Entry(name: copy, position: position)
    if index == entries.count {
      entries.append(entry)
    } else {
      entries[index].name.deallocate()
      entries[index] = entry
    }
  }
}
