/// The layout that objects of one kind share: the index of each key in the last one.
///
/// Objects of one list mostly have the same keys in the same order, so a key is found by one comparison, or a few if objects
/// leave out keys.
final class ObjectShape {
  /// The shape owns a copy of the key's bytes, so comparing needs no reference counting.
  private struct Entry {
    let name: UnsafeMutableBufferPointer<UInt8>
    let position: Int32
  }

  let keys: KeyTable
  private var entries: [Entry] = []
  var entryCount: Int { entries.count }
  private static let limit = 1_024
  /// The maximum number of entries that are compared with a key. The entries before the match are keys that the object lacks.
  private static let skipLimit = 4

  init(_ keys: KeyTable) {
    self.keys = keys
  }

  deinit {
    for entry in entries { entry.name.deallocate() }
  }

  /// Writes the position of each name's value to the output, which holds -1 for all of them.
  ///
  /// If a key is repeated, the last one wins. A value that is not an object has no keys.
  func resolve(_ object: SyncValue, into output: UnsafeMutablePointer<Int32>) {
    guard object.isObject else { return }
    var index = 0
    var next = object.position + 1
    let end = Int(object.node.next)
    while next < end {
      let key = SyncValue(bytes: object.bytes, nodes: object.nodes, position: next)
      let position = position(of: key, at: &index)
      if position >= 0 { output[Int(position)] = Int32(truncatingIfNeeded: next + 1) }
      next = Int(object.nodes[next + 1].next)
    }
  }

  /// - Parameter index: the entry of the key, if the object has the keys of the last one; then the entry of the next key.
  @inline(__always)
  private func position(of key: SyncValue, at index: inout Int) -> Int32 {
    guard !key.node.flag else { return keys.position(of: key) }
    if index < entries.count, JSONText.equal(key.content, UnsafeBufferPointer(entries[index].name)) {
      index += 1
      return entries[index - 1].position
    }
    return laterPosition(of: key, at: &index)
  }

  private func laterPosition(of key: SyncValue, at index: inout Int) -> Int32 {
    let end = min(index + Self.skipLimit, entries.count)
    for later in min(index + 1, end)..<end
    where JSONText.equal(key.content, UnsafeBufferPointer(entries[later].name)) {
      index = later + 1
      return entries[later].position
    }
    let position = keys.position(of: key)
    remember(key.content, position, at: index)
    index += 1
    return position
  }

  /// Adds an entry between the others. If there are many, it replaces one, so that objects with changing keys add no more.
  private func remember(_ name: UnsafeBufferPointer<UInt8>, _ position: Int32, at index: Int) {
    guard index <= entries.count, index < Self.limit else { return }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: name.count)
    _ = copy.initialize(from: name)
    let entry = Entry(name: copy, position: position)
    if index == entries.count || entries.count < 2 * keys.names.count + 64 {
      entries.insert(entry, at: index)
    } else {
      entries[index].name.deallocate()
      entries[index] = entry
    }
  }
}
