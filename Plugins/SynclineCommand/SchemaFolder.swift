import Foundation

// The plugins contain copies of this file, because a plugin cannot depend on library targets.

/// The path of a schema file.
public struct SchemaPath: Sendable {
  /// The path as given, or as found in a folder.
  public let path: String
  /// The path relative to the searched folder. It determines the name of the generated file, so files with the same name in two
  /// folders have different outputs.
  public let relativePath: String

  /// The extension of schema files.
  public static let fileExtension = "syncline"

  /// Creates the path of a file that was given directly, or that was found in a folder.
  public init(_ path: String, below folder: String? = nil) {
    self.path = folder.map { $0 + "/" + path } ?? path
    relativePath = folder == nil ? URL(fileURLWithPath: path).lastPathComponent : path
  }

  /// Creates a path with a known relative path.
  public init(_ path: String, named relativePath: String) {
    self.path = path
    self.relativePath = relativePath
  }

  /// The paths without those that refer to the same file as an earlier path.
  public static func distinct(_ paths: [SchemaPath]) -> [SchemaPath] {
    // Names are compared by bytes, because many file systems distinguish names that are equal in Unicode.
    var known: Set<[UInt8]> = []
    return paths.filter {
      known.insert(Array(URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path.utf8)).inserted
    }
  }

  /// The reason why a file is not compiled although its name resembles that of a schema file; nil for all other files.
  public static func note(onFile path: String) -> String? {
    let found = URL(fileURLWithPath: path).pathExtension
    guard found != fileExtension, found.lowercased() == fileExtension else { return nil }
    return "\(path) is not compiled: the names of schema files end in “.\(fileExtension)”, in lowercase"
  }
}

/// A folder that is searched for schema files.
public struct SchemaFolder: Sendable {
  private let path: String

  /// Creates a value for a path.
  public init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The contents of a folder.
  public struct Contents: Sendable {
    /// The schema files, in the order of their paths.
    public var files: [SchemaPath] = []
    /// A message for each file or folder that looks like a schema but is not compiled.
    public var notes: [String] = []
  }

  /// The schema files in the folder and its subfolders, except hidden ones, in which build tools, editors and file systems keep
  /// their own files.
  ///
  /// - Parameters:
  ///   - fileExtension: the extension of the files to find.
  ///   - limit: the maximum number of visited files and folders, for callers that may search a user's home folder.
  ///   - notesLinks: whether to add a note for each symbolic link to a folder with schema files.
  ///   - isLeftOut: whether a folder is skipped with all of its contents. Called with the folder's path.
  public func contents(
    of fileExtension: String = SchemaPath.fileExtension, lookingAt limit: Int = .max,
    notingLinks notesLinks: Bool = true, leavingOut isLeftOut: (String) -> Bool = { _ in false }
  ) -> Contents {
    // The folder itself may be a symbolic link. Links inside it are not followed, because they may form a cycle.
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
      } else if isFolder, (try? FileManager.default.destinationOfSymbolicLink(atPath: found)) != nil {
        if notesLinks, !SchemaFolder(found).schemaFiles(lookingAt: min(limit, 1000)).isEmpty {
          notes.append("the schema files in \(found) are not compiled: the folder is a symbolic link")
        }
      } else if !isFolder, !isHidden {
        if name.hasSuffix(".\(fileExtension)") { names.append(name) }
        if let note = SchemaPath.note(onFile: found) { notes.append(note) }
      }
    }
    return Contents(files: names.sorted().map { SchemaPath($0, below: path) }, notes: notes.sorted())
  }

  /// The files of ``contents(of:lookingAt:notingLinks:leavingOut:)``. Folders behind links are not searched, because a link to an
  /// enclosing folder leads back to itself.
  public func schemaFiles(lookingAt limit: Int = .max) -> [SchemaPath] {
    contents(lookingAt: limit, notingLinks: false).files
  }

  /// Whether there is a folder at a path.
  public static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
