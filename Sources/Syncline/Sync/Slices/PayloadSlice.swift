import GRDB

/// The rows of one model in one list of a payload, or a single row, and the policy for stored rows that are missing from it.
struct PayloadSlice {
  let text: PayloadText
  let path: PayloadPath
  let entry: ModelCatalog.Entry
  var policy: DeletionPolicy
  /// Whether an empty list deletes nothing.
  var requiresRows = false
  var isItem = false
  /// Whether a lone object is read as a list of one row.
  var acceptsSingleRow = false
  var children: [ChildPolicy] = []
  var scope: PayloadObject.Scope?
  /// The identity for an item whose object has none.
  var givenIdentity: SyncIdentity?
  /// The condition for stored rows that may be missing from the list; nil for all rows.
  var condition: SQLExpression?
  /// The part of the payload that the rows come from; nil if the payload is one list.
  var part: PayloadPart?
  /// The key with the case of a union's row.
  var unionKey: String?
  /// The rows that the payload lists as deleted.
  var gone: RowsListedAsDeleted?
  /// Whether the list is one page of a longer list.
  var isPage = false
  /// The place of the first row in its list; nil if the rows have none.
  var firstPlace: Int? = 0
  /// Where the value at the path begins, if it is one of several in a body; nil if it must be searched for.
  var start: (offset: Int, depth: Int)?
  /// The index of the call's part that the slice is of.
  var callPart = 0

  var isInBody: Bool { start != nil }

  /// The stored rows that the list covers.
  var storedRows: StoredSlice { StoredSlice(table: entry.table, scope: scope, condition: condition) }

  /// The slice of a part of the payload. The call's parent and child policies apply to the main part only.
  func part(_ part: PayloadPart, of entry: ModelCatalog.Entry, policy: DeletionPolicy) -> PayloadSlice {
    PayloadSlice(
      text: PayloadText(of: part), path: PayloadPath(), entry: entry, policy: policy,
      requiresRows: requiresRows, isItem: part.isItem, children: part.isMain ? children : [],
      scope: part.isMain ? scope : nil, condition: part.isMain ? condition : nil, part: part,
      isPage: isPage, firstPlace: firstPlace, start: start, callPart: callPart)
  }

  /// Scans the payload, or just the slice's value if it is one of several in a body. The caller must close the tape.
  ///
  /// - Returns: the tape, and the steps from its root to the slice's value.
  func scan() throws(JSONError) -> (tape: JSONTape, path: [PathStep]) {
    guard let start else { return (try JSONDocument.scan(text.bytes), path.steps) }
    let tape = try JSONTape(
      scanning: JSONDocument.pointer(text.bytes), count: text.bytes.count, at: start.offset,
      outerDepth: start.depth)
    return (tape, [])
  }
}

/// Where the rows are in a payload.
struct PayloadPath: Sendable {
  /// The path as the call states it; empty for the root.
  var text = ""
  var steps: [PathStep] = []

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for an invalid path.
  init(_ text: String?, model: String) throws {
    self.text = text ?? ""
    steps = try PathStep.steps(ofCall: text, model: model)
  }

  init() {}
}

struct RowsListedAsDeleted {
  /// Their list, its path, and its place in the payload.
  let list: PayloadText
  let path: String
  let begin: Int
  let policy: DeletionPolicy
}

/// The text with the rows: the payload's bytes, or a copy of one of its parts, which the object owns.
final class PayloadText {
  let bytes: UnsafeRawBufferPointer
  /// Whether it is newline-delimited JSON, not one value.
  let isLines: Bool
  /// The copy of a part; nil for the payload's bytes.
  private let copy: UnsafeMutableRawBufferPointer?

  /// - Parameter bytes: the payload's bytes, which must outlive the object.
  init(_ bytes: UnsafeRawBufferPointer, isLines: Bool) {
    self.bytes = bytes
    self.isLines = isLines
    copy = nil
  }

  init(of part: PayloadPart) {
    let text = part.bytes
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    copy.copyBytes(from: text)
    bytes = UnsafeRawBufferPointer(copy)
    isLines = false
    self.copy = copy
  }

  deinit { copy?.deallocate() }
}

extension SyncTable {
  /// The policy for missing rows if a call states none.
  var missingPolicy: DeletionPolicy { softDelete == nil ? .hardDeleteMissing : .softDeleteMissing }
}
