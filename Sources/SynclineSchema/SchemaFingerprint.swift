extension SyncSchemaSnapshot {
  /// A short text that is equal for schemas whose stores are alike: the order of declarations, earlier names, defaults and JSON
  /// keys are no part of it.
  public var fingerprint: String {
    var hash = StableHash()
    for model in models.sorted(by: { $0.name < $1.name }) {
      hash.add("model", model.name, model.identity, model.parentScope ?? "")
      for part in model.identityParts { hash.add("part", part) }
      for property in model.properties.sorted(by: { $0.name < $1.name }) {
        hash.add("property", property.name, property.type)
        switch property.kind {
        case .value: hash.add("value")
        case .toOne(_, let isUnique): hash.add(isUnique ? "unique" : "toOne")
        case .inverse(let column, _, _): hash.add("inverse", column)
        case .links(_, let table, let isSource): hash.add(isSource ? "source" : "target", table)
        }
      }
      for index in model.indexes.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        hash.add("index")
        for column in index { hash.add(column) }
      }
    }
    return hash.text
  }
}

/// FNV-1a in 64 bits: the same in each process and on each platform, as Swift's own hash is not.
package struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ texts: String...) {
    for text in texts {
      for byte in text.utf8 { add(byte) }
      // No text of UTF-8 has it: texts cannot run into each other.
      add(0xff)
    }
  }

  private mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  package var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
