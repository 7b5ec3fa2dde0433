import Foundation
import SynclineFiles

/// The folder of a target, whose schema files are compiled together. The target of a file is derived from its path: from the usual
/// layout of Swift packages, or from `Schemas/<Target>/`. The manifest is not executed.
struct TargetFolder: Hashable {
  let path: String
  /// The folder of the package that contains it.
  var package: String?

  /// The name of the target if the manifest does not specify another one.
  var name: String { URL(filePath: path).lastPathComponent }

  func overlaps(_ other: String) -> Bool {
    path.hasPrefix(other + "/") || other.hasPrefix(path + "/")
  }

  private static let sourceFolders: Set<String> = ["Sources", "Source", "src", "srcs", "Tests", "Schemas"]

  /// The folder of the target that contains a file: a target of its package, or the outermost folder with schema files.
  ///
  /// - Parameter roots: the folders that are open in the editor. Folders above them are not searched.
  static func containing(_ file: String, below roots: [String]) -> TargetFolder {
    let folder = URL(filePath: file).deletingLastPathComponent().path
    let ancestors = Array(sequence(first: folder) { $0 == "/" ? nil : parent(of: $0) })
    if let package = ancestors.first(where: isPackage) {
      // A path in the manifest may be anywhere, also below `Sources`. The folder of one target may be inside that of another.
      let named = targetPaths(in: package).filter { file.hasPrefix($0 + "/") }
      if let innermost = named.max(by: { $0.count < $1.count }) {
        return TargetFolder(path: innermost, package: package)
      }
      let parts = file.dropFirst(package.count).split(separator: "/").map(String.init)
      if parts.count > 1, sourceFolders.contains(parts[0]) {
        let sources = package + "/" + parts[0]
        let isTarget = parts.count == 2 || holdsSources(sources)
        return TargetFolder(path: isTarget ? sources : sources + "/" + parts[1], package: package)
      }
    }
    let root = roots.filter { file.hasPrefix($0 + "/") }.min { $0.count < $1.count }
    let searched = root.map { root in ancestors.filter { $0.count >= root.count } } ?? [folder]
    return TargetFolder(path: searched.last(where: holdsSchemas) ?? folder)
  }

  /// The targets whose schemas this one may import: those of its package and of the packages that it depends on.
  func neighbors() -> [TargetFolder] {
    guard let package else { return [] }
    let checkouts = TargetFolder.folders(in: package + "/.build/checkouts")
    let others = TargetFolder.namedPaths(in: package).filter(TargetFolder.isPackage)
    return ([package] + others + checkouts).flatMap(TargetFolder.targets).filter { $0.path != path }
  }

  private static func targets(of package: String) -> [TargetFolder] {
    let named = targetPaths(in: package)
    let below = sourceFolders.sorted().flatMap { name -> [String] in
      let sources = package + "/" + name
      return holdsSources(sources) ? [sources] : folders(in: sources)
    }.filter { folder in
      // A folder that only contains, or is inside, the folder of a target is not a target itself.
      !named.contains {
        folder.hasPrefix($0 + "/") || $0.hasPrefix(folder + "/") && !holdsSources(folder)
      }
    }
    return (below + named.filter { !below.contains($0) }).map { TargetFolder(path: $0, package: package) }
  }

  private static func targetPaths(in package: String) -> [String] {
    namedPaths(in: package).filter { !isPackage($0) }
  }

  /// The paths in a manifest: those of targets, and those of packages.
  private static func namedPaths(in package: String) -> [String] {
    guard let manifest = try? String(contentsOfFile: package + "/Package.swift", encoding: .utf8) else {
      return []
    }
    return manifest.matches(of: /\bpath:\s*"([^"\\]+)"/).map { match in
      URL(filePath: String(match.1), relativeTo: URL(filePath: package + "/")).standardizedFileURL.path
    }.filter { $0 != package && SchemaFolder.isFolder($0) }
  }

  private static func parent(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path
  }

  private static func isPackage(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/Package.swift")
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
  }

  private static func folders(in folder: String) -> [String] {
    names(in: folder).filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }.filter(SchemaFolder.isFolder)
  }

  private static func holdsSchemas(_ folder: String) -> Bool {
    names(in: folder).contains { $0.hasSuffix(".syncline") }
  }

  /// Whether a folder contains source files directly, as in a package with a single target.
  private static func holdsSources(_ folder: String) -> Bool {
    names(in: folder).contains { $0.hasSuffix(".syncline") || $0.hasSuffix(".swift") }
  }
}
