/// A body with several lists, items and changes.
struct PayloadBody {
  /// A part of a body: its rows, wherever they begin.
  struct Part {
    let whole: PayloadSlice
    let kind: PayloadKind
    /// Whether the part is left out.
    let isLate: Bool
  }

  /// The parts that a call names.
  let parts: [Part]
  let text: PayloadText

  /// The slices of the parts that the body has, in the order of the text. A part that is absent or null has none.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a body with none of the parts.
  func slices(in run: Run) throws -> [PayloadSlice] {
    let places = try PayloadPlaces(of: parts.map(\.whole.path.steps), in: text.bytes).places
    var slices: [PayloadSlice] = []
    var isAny = false
    for (index, part) in parts.enumerated() {
      var whole = part.whole
      switch places[index] {
      case .absent, .null: continue
      case .value(let offset, _) where text.bytes[offset] == UInt8(ascii: "n"): continue
      case .unreadable:
        throw SyncError(
          .noList(found: RowProblem.noObjectOnPath, path: whole.path.text ?? ""),
          model: whole.entry.table.name)
      case .value(let offset, let depth):
        isAny = true
        if part.isLate { continue }
        whole.start = (offset, depth)
        whole.callPart = index
        slices += try part.kind.slices(of: whole, in: run)
      }
    }
    guard isAny else { throw try noLists() }
    return slices.enumerated().sorted {
      ($0.element.start?.offset ?? 0, $0.offset) < ($1.element.start?.offset ?? 0, $1.offset)
    }.map(\.element)
  }

  private func noLists() throws -> SyncError {
    SyncError(
      .noParts(
        keys: parts.map { $0.whole.path.text ?? "" },
        found: try JSONDocument.read(text.bytes, PayloadShape.init)),
      model: parts.first?.whole.entry.table.name ?? "")
  }
}
