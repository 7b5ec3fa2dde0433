import Foundation
import Syncline
import SynclineFiles
import Yams

/// Reads a document that may be JSON or YAML.
enum DocumentFile {
  /// The maximum number of values and nesting levels of a document. YAML aliases can multiply a few values.
  private static let limits = (values: 5_000_000, levels: 400)

  static func read(_ path: String) throws -> SyncJSON {
    var bytes = try PayloadFile.read(path)
    if bytes.starts(with: "\u{FEFF}".utf8) { bytes.removeFirst(3) }
    do {
      let first = bytes.first { !" \t\r\n".utf8.contains($0) }
      if first == UInt8(ascii: "{"), let json = try? SyncJSON(parsing: bytes) { return json }
      var count = 0
      guard let node = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self)) else { return .null }
      return try json(node, level: 0, &count)
    } catch let error as YamlError {
      // The error quotes the whole line, which can be very long.
      let lines = "\(error)".split(separator: "\n").map { $0.prefix(200) }
      throw SchemaFileError(description: "\(path): \(lines.joined(separator: "\n"))")
    } catch is TooLarge {
      throw SchemaFileError(description: "\(path): The document is too deep, or too large.")
    }
  }

  /// Reads a file that a document refers to. Returns nil if there is no such file, or if it cannot be read, which is also
  /// reported.
  static func part(_ path: String) -> SyncJSON? {
    guard FileManager.default.fileExists(atPath: path), !SchemaFolder.isFolder(path),
      ["json", "yaml", "yml"].contains(URL(filePath: path).pathExtension.lowercased())
    else { return nil }
    do {
      return try read(path)
    } catch {
      printError("note: a file of the document is left out: \(error)\n")
      return nil
    }
  }

  private struct TooLarge: Error {}

  private static func json(_ node: Node, level: Int, _ count: inout Int) throws -> SyncJSON {
    count += 1
    guard level < limits.levels, count < limits.values else { throw TooLarge() }
    switch node {
    case .mapping(let mapping):
      var members: [(String, SyncJSON)] = []
      var merged: [SyncJSONObject] = []
      for (key, value) in mapping {
        let value = try json(value, level: level + 1, &count)
        let objects = value.object.map { [$0] } ?? value.array?.compactMap(\.object) ?? []
        if key.string == "<<", !objects.isEmpty {
          merged += objects
        } else {
          members.append((key.string ?? "", value))
        }
      }
      var object = SyncJSONObject(members)
      // A merge key adds the members that the mapping lacks.
      for other in merged { for (key, value) in other where object[key] == nil { object[key] = value } }
      return .object(object)
    case .sequence(let sequence):
      var elements: [SyncJSON] = []
      for element in sequence { elements.append(try json(element, level: level + 1, &count)) }
      return .array(elements)
    case .scalar(let scalar):
      guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
      if node.null != nil { return .null }
      if let bool = node.bool, ["true", "false"].contains(scalar.string.lowercased()) { return .bool(bool) }
      if let number = try? SyncJSON(parsing: scalar.string), case .number = number { return number }
      return .string(scalar.string)
    // In Yams 6 and later, aliases are a separate kind of node.
    default: return .null
    }
  }
}
