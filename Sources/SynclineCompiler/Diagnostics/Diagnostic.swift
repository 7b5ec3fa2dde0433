/// Something the compiler has to say about a place in a schema.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is: errors leave no Swift.
  public enum Severity: String, Sendable {
    /// The schema means nothing, or what was not meant.
    case error
    /// The schema is compiled all the same.
    case warning
  }

  /// Another place that belongs to it.
  public struct Note: Sendable, Hashable {
    /// What the place has to do with it.
    public let message: String
    /// The place.
    public let range: SourceRange
  }

  /// A change of the text that would put it right.
  public struct FixIt: Sendable, Hashable {
    /// What the change does.
    public let message: String
    /// What is replaced.
    public let range: SourceRange
    /// What stands there then.
    public let replacement: String
  }

  /// The stable code of its kind.
  public let code: DiagnosticCode
  /// How bad it is.
  public let severity: Severity
  /// The sentence, without its place and code.
  public let message: String
  /// The place.
  public let range: SourceRange
  /// Other places that belong to it.
  public var notes: [Note] = []
  /// The changes that would put it right; each of them does.
  public var fixIts: [FixIt] = []
}

extension Diagnostic.FixIt {
  /// Writes another text in place of a range.
  static func write(_ replacement: String, for range: SourceRange) -> Self {
    .init(message: "write “\(replacement)”", range: range, replacement: replacement)
  }

  /// Takes a range out of the text.
  static func remove(_ range: SourceRange) -> Self {
    .init(message: "remove “\(range.text)”", range: range, replacement: "")
  }
}

extension [Diagnostic] {
  /// Whether one of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// In the order of the files and their lines.
  func sorted() -> [Diagnostic] {
    sorted {
      ($0.range.file.path, $0.range.offsets.lowerBound, $0.code.rawValue, $0.message)
        < ($1.range.file.path, $1.range.offsets.lowerBound, $1.code.rawValue, $1.message)
    }
  }
}
