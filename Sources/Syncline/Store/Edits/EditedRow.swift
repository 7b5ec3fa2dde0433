/// An edit, and the row that was edited.
struct EditedRow {
  let edit: Edit
  let store: StoredEdits
  /// The row as it was edited; nil if it was deleted.
  let local: Edit.Values?

  /// The values that the server last sent; nil if it does not have the row.
  var base: Edit.Values? { edit.isGone ? nil : edit.base }

  /// Resets rows, except for their lists, to the values that the server last sent. Rows that it does not have are removed.
  ///
  /// - Parameter isFinal: whether the edits end here. Then a row keeps a required value that is unique, if another row has the one
  ///   that the server last sent.
  /// - Returns: the rows that the server has and that can be stored, without links to one-to-one partners that other rows have
  ///   now.
  static func resetToBase(
    _ rows: [EditedRow], _ sources: TimeAndRandomness, isFinal: Bool = false
  ) throws -> [(row: EditedRow, base: Edit.Values)] {
    var discarded: [EditedRow] = []
    for row in rows where row.local != nil && row.base == nil {
      if isFinal {
        try row.store.clearUnique(of: row.edit)
        discarded.append(row)
      } else {
        try row.store.removeTemporarily(row.edit.row, sources)
      }
    }
    var placed = rows.compactMap { row in
      row.base.map { (row: row, base: row.store.model.keepingLocal($0, of: row.local)) }
    }
    // Two rows may have swapped values that are unique.
    for (row, base) in placed where row.local != nil {
      try row.store.clearUnique(base.differingColumns(from: row.local), of: row.edit)
    }
    var omitted: Set<Int> = []
    for isStored in [true, false] {
      for index in placed.indices where (placed[index].row.local != nil) == isStored {
        let row = placed[index].row
        let columns = placed[index].base.differingColumns(from: row.local)
        // If the server has linked the partner to another row since, the link is omitted.
        let base = try row.store.withoutTaken(
          placed[index].base, of: row.edit.row, insteadUsing: isFinal ? row.local : nil)
        placed[index].base = base
        if isStored {
          try row.store.update(row.edit.row, columns, to: base.columns)
        } else if try !row.store.insert(base, ignoresConflicts: true) {
          omitted.insert(index)
        }
      }
    }
    // When no other edited row refers to them: their deletion clears links of rows without edits, and concerns users' tables.
    for row in discarded { try row.store.delete(row.edit.row) }
    return placed.indices.filter { !omitted.contains($0) }.map { placed[$0] }
  }
}

extension EditedRow {
  /// An edit of a row as it is stored.
  init(_ edit: Edit, _ store: StoredEdits) throws {
    self.init(edit: edit, store: store, local: try store.stored(edit.row))
  }
}
