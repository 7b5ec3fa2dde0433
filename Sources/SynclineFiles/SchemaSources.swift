import Foundation
import SynclineCompiler
import SynclineNaming

/// The schema files of a target, and those of the targets that it may import. They are the input of `check`, `generate` and the
/// plugin.
public struct SchemaSources {
  private let target: String
  private var files: [SchemaPath] = []
  private var imports: [(module: String, isOfSamePackage: Bool, files: [SchemaPath])] = []

  /// Creates the sources of a target, without files.
  ///
  /// - Throws: ``UnusableTarget`` if no target can have the name.
  public init(target: String) throws(UnusableTarget) {
    let isName = !target.isEmpty && !target.contains { $0 == "/" || $0 == "\\" || $0.isNewline || $0 == "\0" }
    guard isName, target != ".", target != ".." else { throw UnusableTarget(name: target) }
    self.target = ModuleName.of(target: target)
  }

  /// Adds files of the target. A file that was already added is not added again.
  public mutating func add(_ paths: [SchemaPath]) {
    files = SchemaPath.distinct(files + paths)
  }

  /// Allows the schema to import that of another target.
  public mutating func addImport(of target: String, isOfSamePackage: Bool, _ paths: [SchemaPath]) {
    imports.append((ModuleName.of(target: target), isOfSamePackage, paths))
  }

  /// Reads all files.
  ///
  /// - Throws: ``UnreadableFiles`` with all files that could not be read.
  public func input() throws(UnreadableFiles) -> CompilerInput {
    var unreadable: [UnreadableFile] = []
    func read(_ paths: [SchemaPath]) -> [SourceFile] {
      paths.compactMap { path in
        switch SchemaFile.read(path.path) {
        case .success(let text):
          return SourceFile(path: path.path, relativePath: path.relativePath, text: text)
        case .failure(let error): unreadable.append(error)
        }
        return nil
      }
    }
    let own = read(files)
    var modules: [String: [SourceFile]] = [:]
    for entry in imports { modules[entry.module, default: []] += read(SchemaPath.distinct(entry.files)) }
    guard unreadable.isEmpty else { throw UnreadableFiles(files: unreadable) }
    let otherPackages = imports.filter { !$0.isOfSamePackage }.map(\.module)
    return CompilerInput(
      target: target, files: own, modules: modules, otherPackages: Set(otherPackages))
  }
}

/// Thrown if no target can have the name. Generated files would be written to a wrong folder.
public struct UnusableTarget: Error, CustomStringConvertible {
  let name: String
  /// The message for the user.
  public var description: String { "“\(name)” is not a valid name of a target" }
}
