/// Something the compiler has to say about a place in a schema.
public struct Diagnostic: Sendable, Hashable {
  public enum Severity: String, Sendable {
    case error, warning
  }

  /// Another place that belongs to it.
  public struct Note: Sendable, Hashable {
    public let message: String
    public let range: SourceRange
  }

  /// A change of the text that would put it right.
  public struct FixIt: Sendable, Hashable {
    public let message: String
    public let range: SourceRange
    public let replacement: String
  }

  public let code: DiagnosticCode
  public let severity: Severity
  public let message: String
  public let range: SourceRange
  public var notes: [Note] = []
  public var fixIts: [FixIt] = []
}

extension [Diagnostic] {
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// In the order of the files and their lines.
  func sorted() -> [Diagnostic] {
    sorted {
      ($0.range.file.path, $0.range.offsets.lowerBound, $0.code.rawValue, $0.message)
        < ($1.range.file.path, $1.range.offsets.lowerBound, $1.code.rawValue, $1.message)
    }
  }
}
