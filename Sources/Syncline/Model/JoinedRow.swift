import GRDB

/// The row that a request joined under the name of one of its columns.
///
/// A to-one's association is called like its column, and GRDB's decoder prefers the column: it asks the model to decode
/// itself from one value. The row that the value was taken from is only to be had by looking into that decoder. Where
/// that fails, the decoder's own error stands.
enum JoinedRow {
  static func row(of model: Any.Type, _ decoder: any Decoder) throws -> Row? {
    guard let name = decoder.codingPath.last?.stringValue,
      let row = Mirror(reflecting: decoder).descendant("row") as? Row, let joined = row.scopesTree[name]
    else { return nil }
    guard joined.containsNonNullValue else {
      throw DecodingError.valueNotFound(
        model,
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the column “\(name)” names a row, and none was joined:"
            + " where an association is filtered, give it a name of its own with forKey(_:)"))
    }
    return joined
  }
}
