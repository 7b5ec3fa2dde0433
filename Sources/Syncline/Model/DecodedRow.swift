import GRDB

/// Gets the rows of GRDB's decoder. Reading a model from a row is faster and more exact than from the decoder.
enum DecodedRow {
  /// A row of `including(all:)`, which GRDB decodes column by column; nil for any other decoder.
  ///
  /// GRDB passes its row to any `FetchableRecord` that is decoded: ``Caught``.
  static func prefetched(_ decoder: any Decoder) throws -> Row? {
    guard decoder.codingPath.isEmpty, decoderTypes.value.isOfGRDB(type(of: decoder)) else { return nil }
    return try decoder.singleValueContainer().decode(Caught.self).row
  }

  /// The model that a request joined under the name of one of its columns.
  ///
  /// A to-one association has the name of its column, and GRDB's decoder prefers the column: it asks the model to decode itself
  /// from a single value. Only reflection on that decoder gives access to the row of the value. If it fails, the decoder's own
  /// error is thrown.
  static func joined<Model: SyncGeneratedModel>(_ decoder: any Decoder) throws -> Model? {
    guard let name = decoder.codingPath.last?.stringValue,
      let row = Mirror(reflecting: decoder).children.first?.value as? Row
    else { return nil }
    if let model = try row.joinedIfPresent(Model.self, forKey: name) { return model }
    guard row.scopesTree[name] != nil else { return nil }
    throw DecodingError.valueNotFound(
      Model.self,
      .init(
        codingPath: decoder.codingPath,
        debugDescription: "the column “\(name)” contains an identity, but the request joined no row:"
          + " give a filtered association another name with forKey(_:)"))
  }

  private static let decoderTypes = ThreadLocal { DecoderTypes() }

  /// Caches which decoder types are GRDB's, per thread: creating a type's name takes as long as reading a row.
  private final class DecoderTypes {
    private var known: [ObjectIdentifier: Bool] = [:]

    func isOfGRDB(_ type: Any.Type) -> Bool {
      known.value(of: ObjectIdentifier(type)) { String(reflecting: type).hasPrefix("GRDB.") }
    }
  }

  private struct Caught: Decodable, FetchableRecord {
    let row: Row?

    init(row: Row) { self.row = row }
    init(from decoder: any Decoder) { row = nil }
  }
}
