import Foundation
import Syncline
import SynclineTooling
import TestSupport
import Testing

/// An editor that talks to a server of its own.
final class Editor {
  private let home = TemporaryFolder()
  /// The folder that is open.
  let folder: String
  private var server = LanguageServer()
  private var nextID = 1
  private var texts: [String: String] = [:]
  /// The messages of the server that answer nothing.
  private(set) var notes: [SyncJSON] = []
  /// What is wrong with each file, as the server said last.
  private(set) var diagnostics: [String: [SyncJSON]] = [:]

  /// Opens a folder with stored files.
  init(_ stored: [String: String] = [:], options: SyncJSON = [:]) throws {
    folder = try home.file("work").path
    for (name, text) in stored { try store(text, at: name) }
    try ask("initialize", ["rootUri": .string(uri("")), "capabilities": options])
    tell("initialized", [:])
  }

  /// The file that a position of it is marked in by “‸”, open in the only folder.
  convenience init(marked text: String) throws {
    try self.init()
    open("Schema.syncline", text.replacing("‸", with: ""))
  }

  func uri(_ name: String) -> String {
    URL(filePath: folder).absoluteString + (name.isEmpty ? "" : "/" + name)
  }

  func store(_ text: String, at name: String) throws {
    let url = URL(filePath: folder + "/" + name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder + "/" + name) }

  // MARK: Messages

  /// Sends messages together, and gives the answers.
  @discardableResult
  func send(_ messages: [SyncJSON]) -> [SyncJSON] {
    var answers: [SyncJSON] = []
    server.receive(messages) { message in
      if message["method"] == nil {
        answers.append(message)
      } else {
        notes.append(message)
        if message["method"]?.string == "textDocument/publishDiagnostics",
          let uri = message["params"]?["uri"]?.string
        {
          diagnostics[uri] = message["params"]?["diagnostics"]?.array
        }
      }
    }
    return answers
  }

  func tell(_ method: String, _ parameters: SyncJSON) {
    send([["jsonrpc": "2.0", "method": .string(method), "params": parameters]])
  }

  /// Sends a request, and gives the answer's result.
  @discardableResult
  func ask(_ method: String, _ parameters: SyncJSON) throws -> SyncJSON {
    let message = try #require(answer(method, parameters))
    return try #require(message["result"], "\(message)")
  }

  /// Sends a request, and gives the whole answer.
  func answer(_ method: String, _ parameters: SyncJSON) -> SyncJSON? {
    nextID += 1
    return send([
      ["jsonrpc": "2.0", "id": .number(SyncNumber(nextID)), "method": .string(method), "params": parameters]
    ])
    .first
  }

  var exitCode: Int32? { server.exitCode }

  // MARK: Documents

  func open(_ name: String, _ text: String) {
    texts[name] = text
    tell(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(uri(name)), "languageId": "syncline", "version": 1, "text": .string(text),
        ]
      ])
  }

  /// Writes a text in place of the first that is like another.
  func change(_ name: String, _ old: String, to new: String) throws {
    let text = try #require(texts[name])
    let range = try #require(text.range(of: old))
    change(name, [["range": self.range(range, in: text), "text": .string(new)]])
    texts[name] = text.replacingCharacters(in: range, with: new)
  }

  func change(_ name: String, _ changes: [SyncJSON]) {
    tell(
      "textDocument/didChange",
      ["textDocument": ["uri": .string(uri(name)), "version": 2], "contentChanges": .array(changes)])
  }

  func close(_ name: String) { tell("textDocument/didClose", ["textDocument": ["uri": .string(uri(name))]]) }

  /// The messages of what is wrong with a file.
  func problems(_ name: String) -> [String]? {
    diagnostics[uri(name)]?.map { $0["message"]?.string ?? "" }
  }

  // MARK: Positions

  /// The position of a place of a text, as the protocol counts: an implementation of its own.
  func position(_ index: String.Index, in text: String) -> SyncJSON {
    let before = text[..<index]
    let lines = before.split(omittingEmptySubsequences: false) { $0.isNewline }
    return [
      "line": .number(SyncNumber(lines.count - 1)),
      "character": .number(SyncNumber(lines.last?.utf16.count ?? 0)),
    ]
  }

  func range(_ range: Range<String.Index>, in text: String) -> SyncJSON {
    ["start": position(range.lowerBound, in: text), "end": position(range.upperBound, in: text)]
  }

  /// Asks about the mark of a text whose file is open, or the start of a word of it.
  @discardableResult
  func ask(
    _ method: String, at mark: String = "‸", in text: String, of name: String = "Schema.syncline",
    with more: SyncJSON = [:]
  ) throws
    -> SyncJSON
  {
    try ask("textDocument/\(method)", parameters(at: mark, in: text, of: name, with: more))
  }

  func parameters(
    at mark: String = "‸", in text: String, of name: String = "Schema.syncline", with more: SyncJSON = [:]
  ) throws -> SyncJSON {
    let index = try #require(text.range(of: mark)).lowerBound
    var members: [(String, SyncJSON)] = [
      ("textDocument", ["uri": .string(uri(name))]), ("position", position(index, in: text)),
    ]
    for (key, value) in more.object ?? SyncJSONObject() { members.append((key, value)) }
    return .object(SyncJSONObject(members))
  }

  /// A text after changes of the protocol.
  func applying(_ edits: SyncJSON?, to text: String) throws -> String {
    var result = text
    let list = try #require(edits?.array)
    let changes = try list.map { edit in
      (try range(of: edit["range"], in: text), edit["newText"]?.string ?? "")
    }
    for (range, replacement) in changes.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      result.replaceSubrange(range, with: replacement)
    }
    return result
  }

  /// The text at a range of the protocol.
  func range(of range: SyncJSON?, in text: String) throws -> Range<String.Index> {
    func index(_ position: SyncJSON?) throws -> String.Index {
      let line = try #require(position?["line"]?.int), column = try #require(position?["character"]?.int)
      var start = text.startIndex
      for _ in 0..<line {
        let end = text[start...].firstIndex(where: \.isNewline)
        start = text.index(after: try #require(end))
      }
      return try #require(text.utf16.index(start, offsetBy: column, limitedBy: text.endIndex))
    }
    return try index(range?["start"])..<index(range?["end"])
  }
}
