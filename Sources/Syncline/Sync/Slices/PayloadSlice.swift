/// The rows of one model that a payload has in one list, or a row by itself, and what is done with those of the store that it
/// does not name.
struct PayloadSlice {
  let text: PayloadText
  let path: PayloadPath
  let entry: ModelCatalog.Entry
  let operations: SyncRelationshipOperations
  var policy: DeletionPolicy
  /// Whether an empty list deletes nothing.
  var requiresRows = false
  var isItem = false
  var children: [ChildPolicy] = []
  var scope: PayloadObject.Scope?
  /// The part of the payload that the rows are from; nil where it is one list.
  var part: PayloadPart?
  /// The key that told the rows of a case of a union from those of others.
  var unionKey: String?
  /// The rows that are gone, where the payload says so.
  var gone: GoneRows?
  /// Whether the list goes on in other payloads, or began in some.
  var isPage = false
  /// The place of the first row in its list; nil where rows have none.
  var firstPlace: Int? = 0

  /// The rows of a part of the payload. What the call says of its own rows holds for the main part.
  func part(_ part: PayloadPart, of entry: ModelCatalog.Entry, policy: DeletionPolicy) -> PayloadSlice {
    PayloadSlice(
      text: PayloadText(of: part), path: PayloadPath(), entry: entry, operations: operations, policy: policy,
      requiresRows: requiresRows, isItem: part.isItem, children: part.isMain ? children : [],
      scope: part.isMain ? scope : nil, part: part, isPage: isPage, firstPlace: firstPlace)
  }
}

/// Where the rows are inside of a payload.
struct PayloadPath: Sendable {
  /// As the call says it; nil for the root.
  var text: String?
  var steps: [PathStep] = []

  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` for a path that is none.
  init(_ text: String?, model: String) throws {
    self.text = text
    steps = try PathStep.steps(ofCall: text, model: model)
  }

  init() {}
}

/// The rows that a server says are gone.
struct GoneRows {
  /// The list of them, and its path.
  let list: SyncPayloadBytes
  let path: String
  let policy: DeletionPolicy

  func place(_ index: Int) -> PayloadObject.Location { .row(index: index, prefix: path) }
}

/// The text that rows stand in: that of the payload, or of one of its parts, which it holds.
final class PayloadText {
  let bytes: UnsafeRawBufferPointer
  /// Whether it is a value a line, and not one value.
  let isLines: Bool
  private let isOwner: Bool

  /// - Parameter bytes: those of the payload, which outlive it.
  init(_ bytes: UnsafeRawBufferPointer, isLines: Bool) {
    self.bytes = bytes
    self.isLines = isLines
    isOwner = false
  }

  init(of part: PayloadPart) {
    bytes = part.bytes.withUnsafeBytes { text in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
      copy.copyMemory(from: text)
      return UnsafeRawBufferPointer(copy)
    }
    isLines = false
    isOwner = true
  }

  deinit {
    if isOwner { bytes.deallocate() }
  }
}

extension SyncTable {
  /// What happens to missing rows where a call does not say.
  var missingPolicy: DeletionPolicy { softDelete == nil ? .hardDeleteMissing : .softDeleteMissing }
}
