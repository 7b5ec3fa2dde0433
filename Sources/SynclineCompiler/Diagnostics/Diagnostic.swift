/// A problem in a schema that the compiler reports.
public struct Diagnostic: Sendable, Hashable {
  /// How severe it is. With errors, no Swift is generated.
  public enum Severity: String, Sendable {
    /// The schema is invalid, or probably does not mean what its author intended.
    case error
    /// The schema is compiled anyway.
    case warning
  }

  /// A related location.
  public struct Note: Sendable, Hashable {
    /// How the location is related.
    public let message: String
    /// The location.
    public let range: SourceRange
  }

  /// A change of the source that fixes the problem.
  public struct FixIt: Sendable, Hashable {
    /// What the change does.
    public let message: String
    /// The range to replace.
    public let range: SourceRange
    /// The new source for the range.
    public let replacement: String
  }

  /// The stable code of this kind of diagnostic.
  public let code: DiagnosticCode
  /// How severe it is.
  public let severity: Severity
  /// The message, without location and code.
  public let message: String
  /// The location.
  public let range: SourceRange
  /// Related locations.
  public var notes: [Note] = []
  /// Alternative changes, each of which fixes the problem.
  public var fixIts: [FixIt] = []
}

extension Diagnostic.FixIt {
  /// Replaces a range.
  @inline(never)
  static func write(_ replacement: String, for range: SourceRange) -> Self {
    .init(message: "write “\(replacement)”", range: range, replacement: replacement)
  }

  /// Deletes a range. The message contains the given name, or else the deleted text.
  @inline(never)
  static func remove(_ range: SourceRange, _ name: String? = nil) -> Self {
    .init(message: "remove \(name ?? "“\(range.text)”")", range: range, replacement: "")
  }

  /// Inserts text, which may have blanks around it, before a range.
  @inline(never)
  static func insert(_ text: String, before range: SourceRange) -> Self {
    .init(message: "write “\(text.withoutBlanks)” before it", range: range.before, replacement: text)
  }

  /// Inserts text, which may have blanks around it, after a range.
  @inline(never)
  static func insert(_ text: String, after range: SourceRange) -> Self {
    .init(message: "write “\(text.withoutBlanks)” after it", range: range.behind, replacement: text)
  }
}

extension String {
  fileprivate var withoutBlanks: String { split(separator: " ").joined(separator: " ") }
}

extension [Diagnostic] {
  /// Whether one of the diagnostics is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// Sorts the diagnostics by file, in the order of the files, and by line.
  func sorted(in files: [SourceFile]) -> [Diagnostic] {
    let positions = Dictionary(
      zip(files.map(ObjectIdentifier.init), files.indices), uniquingKeysWith: { first, _ in first })
    func place(_ diagnostic: Diagnostic) -> (Int, Int, String, String) {
      let position = positions[ObjectIdentifier(diagnostic.range.file)] ?? files.count
      return (position, diagnostic.range.offsets.lowerBound, diagnostic.code.rawValue, diagnostic.message)
    }
    return sorted { place($0) < place($1) }
  }

  /// Reports an undeclared type once, with its other uses as notes. A misspelled use of a declared type stays a separate
  /// diagnostic, because each one has its own fix-it.
  func reportingUnknownTypesOnce() -> [Diagnostic] {
    var first: [String: Int] = [:]
    var result: [Diagnostic] = []
    for diagnostic in self {
      if diagnostic.code == .unknownType, diagnostic.fixIts.isEmpty {
        if let known = first[diagnostic.message] {
          result[known].notes.append(.init(message: "it is used here, too", range: diagnostic.range))
          continue
        }
        first[diagnostic.message] = result.count
      }
      result.append(diagnostic)
    }
    return result
  }
}
