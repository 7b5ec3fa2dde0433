import Syncline

/// Encodes strings as JSON.
enum JSONText {
  static func list(_ texts: [String]) -> String { "[\(texts.map(string).joined(separator: ", "))]" }

  static func string(_ text: String) -> String { SyncJSON.string(text).description }
}
