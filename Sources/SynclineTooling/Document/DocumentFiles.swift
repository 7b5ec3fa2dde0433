import Foundation
import Syncline

/// A document merged with the other files that it refers to. All references of the result are internal.
struct DocumentFiles {
  /// The key of the other files in the root, which are in the order in which they were found.
  private static let key = "x-syncline-files"
  private static let fileLimit = 2_000
  private static let levelLimit = 500

  private(set) var root: SyncJSON
  /// The references to other files, with a suggested name for each.
  private(set) var references: [(pointer: String, name: String)] = []
  private var numbers: [String: Int] = [:]
  private var paths: [String] = []
  private var files: [SyncJSON] = []
  private var seen: Set<String> = []
  private let start: String
  private let read: (String) -> SyncJSON?

  /// - Parameter read: reads a file; nil if it cannot be read.
  init(of document: SyncJSON, at path: String, reading read: @escaping (String) -> SyncJSON?) {
    root = document
    start = DocumentFiles.normalised(path)
    self.read = read
    let own = rewritten(document, in: nil, level: 0)
    guard !files.isEmpty, var object = own.object else { return }
    var next = 0
    while next < files.count {
      files[next] = rewritten(files[next], in: next, level: 0)
      next += 1
    }
    object[DocumentFiles.key] = .array(files)
    root = .object(object)
  }

  /// - Parameter file: the number of the file that has the value; nil for the document itself.
  private mutating func rewritten(_ value: SyncJSON, in file: Int?, level: Int) -> SyncJSON {
    guard level < DocumentFiles.levelLimit else { return value }
    if let array = value.array {
      return .array(array.map { rewritten($0, in: file, level: level + 1) })
    }
    guard let object = value.object else { return value }
    var result: [(String, SyncJSON)] = []
    for (key, member) in object {
      if key == "$ref", let reference = member.string {
        result.append((key, .string(rewritten(reference, in: file))))
      } else if key == "mapping", let names = member.object {
        result.append(
          (key, .object(SyncJSONObject(names.map { ($0.key, mapped($0.value, in: file, level: level)) }))))
      } else {
        result.append((key, rewritten(member, in: file, level: level + 1)))
      }
    }
    return .object(SyncJSONObject(result))
  }

  /// Rewrites a value of a discriminator's mapping, which is a name or a reference.
  private mutating func mapped(_ value: SyncJSON, in file: Int?, level: Int) -> SyncJSON {
    guard let text = value.string, text.contains("#") || DocumentFiles.isFile(text) else {
      return rewritten(value, in: file, level: level + 1)
    }
    return .string(rewritten(text, in: file))
  }

  private mutating func rewritten(_ reference: String, in file: Int?) -> String {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    let fragment = parts.count > 1 ? parts[1] : ""
    guard let name = parts.first, !name.isEmpty else {
      return file.map { pointer(to: $0, fragment) } ?? reference
    }
    // Only files with relative paths are read, not URLs or absolute paths.
    guard !name.hasPrefix("/"), !name.contains(":") else { return reference }
    let decoded = name.removingPercentEncoding ?? name
    let folder = (file.map { paths[$0] } ?? start).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().map { "\($0)/" }.joined()
    let path = DocumentFiles.normalised(folder + decoded)
    if path == start { return "#" + fragment }
    guard let number = number(of: path) else { return reference }
    return pointer(to: number, fragment)
  }

  /// The pointer of a part of another file.
  private mutating func pointer(to number: Int, _ fragment: String) -> String {
    let pointer = "#/\(DocumentFiles.key)/\(number)\(fragment == "/" ? "" : fragment)"
    if seen.insert(pointer).inserted {
      references.append((pointer, DocumentFiles.suggestedName(of: paths[number], fragment)))
    }
    return pointer
  }

  /// The number of a file. Reads the file if it is new.
  private mutating func number(of path: String) -> Int? {
    if let known = numbers[path] { return known < 0 ? nil : known }
    guard files.count < DocumentFiles.fileLimit, let file = read(path) else {
      numbers[path] = -1
      return nil
    }
    numbers[path] = files.count
    paths.append(path)
    files.append(file)
    return files.count - 1
  }

  private static func isFile(_ text: String) -> Bool {
    [".json", ".yaml", ".yml"].contains { text.lowercased().hasSuffix($0) }
  }

  /// The path without `.` components, and without `..` where it can be resolved.
  private static func normalised(_ path: String) -> String {
    var result: [Substring] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      if part == "." { continue }
      if part == "..", let last = result.last, !last.isEmpty, last != ".." {
        result.removeLast()
      } else {
        result.append(part)
      }
    }
    return result.joined(separator: "/")
  }

  /// The suggested name of a schema in a file: the last part of its pointer, or else the name of the file.
  private static func suggestedName(of path: String, _ fragment: String) -> String {
    if let last = fragment.split(separator: "/").last { return SchemaDocument.unescaped(last) }
    let file = path.split(separator: "/").last ?? ""
    return String(file.prefix { $0 != "." })
  }
}
