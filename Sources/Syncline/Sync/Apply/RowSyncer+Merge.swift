extension RowSyncer {
  func state(_ object: PayloadObject, of row: RowKey) throws -> StatedObjects? {
    guard table.isGenerated, var said = try stated[row] ?? reread(row).map(StatedRow.init) else {
      return nil
    }
    try said.add(object, of: table)
    stated[row] = said
    return said.objects
  }
}

/// The values that the objects of a row gave it so far. Lists of rows and values that are merged are left out.
struct StatedRow<Model: SyncUpdatableModel> {
  private(set) var objects = StatedObjects(count: 0, differing: [], allDiffering: [])
  /// The values of the last objects; where none gave a value, the stored one.
  private var value: Model
  /// The properties with a value of an object.
  private var given: Set<Int> = []
  /// The targets of to-one relationships; of a union, under its first case.
  private var targets: [Int: Target] = [:]

  private struct Target: Equatable {
    /// The relationship, which is one of the cases for a union.
    var position: Int
    var identity: SyncIdentity?
  }

  init(_ stored: Model) {
    value = stored
  }

  mutating func add(_ object: PayloadObject, of table: SyncTable) throws {
    objects.differing = []
    try addValues(of: object, table)
    addTargets(of: object, table)
    objects.count += 1
    objects.allDiffering.formUnion(objects.differing)
  }

  private mutating func addValues(of object: PayloadObject, _ table: SyncTable) throws {
    let stated = table.columns.indices.filter {
      let property = table.properties[$0]
      // The order of a list belongs to the list, whose rows are not compared.
      return !property.isRelationship && !property.isMerged && property.orderedList == nil
        && object.contains(SyncKey($0))
    }
    var next = value
    do {
      if try next.apply(SyncPayload(object)) {
        let known = given.intersection(stated)
        let (old, new) = (try value.columnValues(of: known), try next.columnValues(of: known))
        objects.differing = known.filter { !new[$0].isStoredLike(old[$0]) }
      }
    } catch SyncError.invalidPayload {
      return
    }
    value = next
    given.formUnion(stated)
  }

  private mutating func addTargets(of object: PayloadObject, _ table: SyncTable) {
    var stated: [Int: Target] = [:]
    for (position, property) in table.properties.enumerated() where !property.isToMany {
      guard let related = property.related, object.scope?.position != position else { continue }
      let relationship = table.unionGates[position]?.positions.first ?? position
      let reading = object.toOne(SyncKey(position), target: related.syncTable)
      switch reading.decision {
      case .absent, .unreadable: continue
      case .null:
        // Null for a case of a union does not replace the target of another case.
        if stated[relationship] == nil {
          stated[relationship] = Target(position: relationship, identity: nil)
        }
      case .key, .nested:
        guard let identity = reading.identity else { continue }
        stated[relationship] = Target(position: position, identity: identity)
      }
    }
    for (relationship, target) in stated {
      if let known = targets[relationship], known != target { objects.differing.insert(relationship) }
      targets[relationship] = target
    }
  }
}
