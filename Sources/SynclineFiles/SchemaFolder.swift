import Foundation

// The plugin, which can use no other target, has this file too.

/// A schema file where it was found.
public struct SchemaPath: Sendable {
  /// The path as it was given, or found.
  public let path: String
  /// The path below the folder that was searched, so that files of one name in two folders have two outputs.
  public let relativePath: String

  /// A file that was named itself, or that was found below a folder.
  public init(_ path: String, below folder: String? = nil) {
    self.path = folder.map { $0 + "/" + path } ?? path
    relativePath = folder == nil ? URL(fileURLWithPath: path).lastPathComponent : path
  }

  /// A file whose path below a folder is known.
  public init(_ path: String, named relativePath: String) {
    self.path = path
    self.relativePath = relativePath
  }

  /// The paths without those that lead to a file that an earlier one leads to.
  public static func distinct(_ paths: [SchemaPath]) -> [SchemaPath] {
    var known: Set<String> = []
    return paths.filter {
      known.insert(URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path).inserted
    }
  }
}

/// A folder that is searched for schema files.
public struct SchemaFolder: Sendable {
  private let path: String

  /// The folder at a path.
  public init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The schema files in the folder and below it, but for what is hidden: what build tools, editors and file systems
  /// keep there is nobody's schema.
  ///
  /// - Parameter limit: how many files and folders are looked at: somebody's whole home is no folder of schemas.
  public func schemaFiles(lookingAt limit: Int = .max) -> [SchemaPath] {
    // The folder itself may be a link; what links in it lead to is not searched, and so no circle is.
    let searched = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let entries = FileManager.default.enumerator(atPath: searched) else { return [] }
    var names: [String] = []
    var count = 0
    while count < limit, let name = entries.nextObject() as? String {
      count += 1
      let isFolder = SchemaFolder.isFolder(path + "/" + name)
      if name.split(separator: "/").last?.hasPrefix(".") ?? false {
        if isFolder { entries.skipDescendants() }
      } else if !isFolder, name.hasSuffix(".syncline") {
        names.append(name)
      }
    }
    return names.sorted().map { SchemaPath($0, below: path) }
  }

  /// Whether there is a folder at a path.
  public static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
