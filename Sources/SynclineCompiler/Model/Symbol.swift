/// A name that a schema declares or imports, with all its uses. Renaming and editors use it.
public struct Symbol: Sendable, Hashable {
  /// The kind of declaration.
  public enum Kind: String, Sendable {
    /// A model.
    case model
    /// A property of a model, or a member of a struct.
    case property
    /// A struct.
    case structure
    /// An enum.
    case enumeration
    /// A union.
    case union
    /// A case of an enum or a union.
    case enumCase
    /// A target that is imported.
    case module
  }

  /// The kind of its declaration.
  public let kind: Kind
  /// The name.
  public let name: String
  /// The model or struct of a property, the enum or union of a case.
  public let container: String?
  /// The target that declares it, if it is another target.
  public let module: String?
  /// Where it is declared; nil for a target.
  public let declaration: SourceRange?
  /// The other uses of its name, file by file.
  public internal(set) var references: [SourceRange]

  /// The range of its name at an offset of a file; nil if there is none.
  package func place(at offset: Int, in file: SourceFile) -> SourceRange? {
    func holds(_ range: SourceRange) -> Bool {
      range.file === file && range.offsets.lowerBound <= offset && offset <= range.offsets.upperBound
    }
    return declaration.flatMap { holds($0) ? $0 : nil } ?? references.first(where: holds)
  }
}
