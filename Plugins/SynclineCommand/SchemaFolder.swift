import Foundation

// The plugins, which can use no other target, have copies of this file.

/// A schema file where it was found.
public struct SchemaPath: Sendable {
  /// The path as it was given, or found.
  public let path: String
  /// The path below the folder that was searched, so that files of one name in two folders have two outputs.
  public let relativePath: String

  /// The extension of schema files.
  public static let fileExtension = "syncline"

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
    // Names that Unicode has as the same are two files on many file systems.
    var known: Set<[UInt8]> = []
    return paths.filter {
      known.insert(Array(URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path.utf8)).inserted
    }
  }

  /// Why a file is not compiled although its name looks like that of a schema file; nil for all other files.
  public static func note(onFile path: String) -> String? {
    let found = URL(fileURLWithPath: path).pathExtension
    guard found != fileExtension, found.lowercased() == fileExtension else { return nil }
    return "\(path) is not compiled: the names of schema files end in “.\(fileExtension)”, in lowercase"
  }
}

/// A folder that is searched for schema files.
public struct SchemaFolder: Sendable {
  private let path: String

  /// The folder at a path.
  public init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// What a folder holds.
  public struct Contents: Sendable {
    /// The schema files, in the order of their paths.
    public var files: [SchemaPath] = []
    /// A sentence for each file or folder that looks like a schema and is not compiled.
    public var notes: [String] = []
  }

  /// The schema files in the folder and below it, without what is hidden: build tools, editors and file systems keep
  /// files of their own there.
  ///
  /// - Parameters:
  ///   - fileExtension: the extension of the files, for callers that look for others.
  ///   - limit: how many files and folders are looked at, for callers that may be given a user's home folder.
  ///   - isLeftOut: whether a folder is left out, with all that is in it. It is called with the folder's path.
  public func contents(
    of fileExtension: String = SchemaPath.fileExtension, lookingAt limit: Int = .max,
    leavingOut isLeftOut: (String) -> Bool = { _ in false }
  ) -> Contents {
    // The folder itself may be a link. Links below it are not followed: they may form a circle.
    let searched = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let entries = FileManager.default.enumerator(atPath: searched) else { return Contents() }
    var names: [String] = []
    var notes: [String] = []
    var count = 0
    while count < limit, let name = entries.nextObject() as? String {
      count += 1
      let found = path + "/" + name
      let isFolder = SchemaFolder.isFolder(found)
      let isHidden = name.split(separator: "/").last?.hasPrefix(".") ?? false
      if isFolder, isHidden || isLeftOut(found) {
        entries.skipDescendants()
      } else if isFolder, SchemaFolder.isLink(found) {
        if !SchemaFolder(found).schemaFiles(lookingAt: min(limit, 1000)).isEmpty {
          notes.append("the schema files in \(found) are not compiled: the folder is a symbolic link")
        }
      } else if !isFolder, !isHidden {
        if name.hasSuffix(".\(fileExtension)") { names.append(name) }
        if let note = SchemaPath.note(onFile: found) { notes.append(note) }
      }
    }
    return Contents(files: names.sorted().map { SchemaPath($0, below: path) }, notes: notes.sorted())
  }

  /// The files of ``contents(of:lookingAt:leavingOut:)``.
  public func schemaFiles(lookingAt limit: Int = .max) -> [SchemaPath] { contents(lookingAt: limit).files }

  /// Whether there is a folder at a path.
  public static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }
}
