import Foundation
import Syncline
import SynclineTooling
import TestSupport
import Testing

/// How a server and an editor come together, and what the editor is told of its files.
@Suite struct LanguageServerTests {
  @Test func requestsBeforeInitializeAndAfterShutdownFail() throws {
    var server = LanguageServer()
    var sent: [SyncJSON] = []
    func take(_ message: SyncJSON) { server.receive([message]) { sent.append($0) } }
    take(["id": 1, "method": "textDocument/hover", "params": [:]])
    #expect(sent.last?["error"]?["code"] == -32002)
    take(["method": "textDocument/didOpen", "params": [:]])
    #expect(sent.count == 1)
    take(["id": "a", "method": "initialize", "params": [:]])
    #expect(sent.last?["id"] == "a")
    #expect(sent.last?["result"]?["capabilities"]?["hoverProvider"] == true)
    take(["id": 2, "method": "initialize", "params": [:]])
    #expect(sent.last?["error"]?["code"] == -32601)
    take(["id": 3, "method": "shutdown"])
    #expect(sent.last == ["jsonrpc": "2.0", "id": 3, "result": nil])
    take(["id": 4, "method": "textDocument/hover", "params": [:]])
    #expect(sent.last?["error"]?["code"] == -32600)
    #expect(server.exitCode == nil)
    take(["method": "exit"])
    #expect(server.exitCode == 0)
  }

  @Test func exitWithoutShutdownGivesExitCodeOne() {
    var server = LanguageServer()
    server.receive([["id": 1, "method": "initialize"], ["method": "exit"], ["id": 2, "method": "shutdown"]]) {
      _ in
    }
    #expect(server.exitCode == 1)
  }

  @Test func invalidMessagesAndUnknownMethodsGetErrors() throws {
    let editor = try Editor()
    #expect(editor.send([[:]]).first?["error"]?["code"] == -32600)
    #expect(editor.send([3]).first?["error"]?["code"] == -32600)
    #expect(editor.answer("workspace/unheardOf", [:])?["error"]?["code"] == -32601)
    #expect(editor.answer("textDocument/unheardOf", [:])?["error"]?["code"] == -32601)
    #expect(
      editor.answer("textDocument/hover", ["textDocument": ["uri": "file:///none"]])?["error"]?["code"]
        == -32803)
    #expect(editor.answer("textDocument/hover", nil)?["error"]?["code"] == -32803)
    // What nobody asked for is answered by nothing.
    #expect(editor.send([["method": "$/setTrace", "params": [:]], ["id": 9, "result": nil]]).isEmpty)
  }

  @Test func waitingRequestCanBeCancelled() throws {
    let editor = try Editor(["A.syncline": "model A { id: Int }"])
    editor.open("A.syncline", "model A { id: Int }")
    let document: SyncJSON = ["textDocument": ["uri": .string(editor.uri("A.syncline"))]]
    let answers = editor.send([
      ["id": 70, "method": "textDocument/documentSymbol", "params": document],
      ["id": 71, "method": "textDocument/documentSymbol", "params": document],
      ["method": "$/cancelRequest", "params": ["id": 70]],
    ])
    #expect(answers.map { $0["id"]?.int } == [70, 71])
    #expect(answers.first?["error"]?["code"] == -32800)
    #expect(answers.last?["result"]?[0]?["name"] == "A")
  }

  @Test func fileWatchingIsRegisteredIfTheEditorSupportsIt() throws {
    #expect(try Editor().notes.isEmpty)
    let editor = try Editor(options: ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
    #expect(editor.notes.map { $0["method"] } == ["client/registerCapability"])
  }

  // MARK: Diagnostics

  @Test func diagnosticsAreUpdatedWhileTyping() throws {
    let editor = try Editor()
    editor.open("A.syncline", "model A {\n  id: Int\n  name: Strin\n}\n")
    let problem = try #require(editor.diagnostics[editor.uri("A.syncline")]?.first)
    #expect(problem["code"] == "SL012")
    #expect(problem["severity"] == 1)
    #expect(problem["source"] == "syncline")
    #expect(
      problem["range"] == ["start": ["line": 2, "character": 8], "end": ["line": 2, "character": 13]])
    #expect(editor.notes.last?["params"]?["version"] == 1)
    try editor.change("A.syncline", "Strin", to: "String")
    #expect(editor.problems("A.syncline") == [])
    #expect(editor.notes.last?["params"]?["version"] == 2)
    let said = editor.notes.count
    try editor.change("A.syncline", "String", to: "String?")
    #expect(editor.notes.count == said, "nothing is said again")
  }

  @Test func relatedInformationRefersToOtherFiles() throws {
    let editor = try Editor(["B.syncline": "model A { id: Int }\n"])
    editor.open("C.syncline", "model A { id: Int }\n")
    let notes = editor.diagnostics[editor.uri("C.syncline")]?.first?["relatedInformation"]
    #expect(notes?[0]?["location"]?["uri"]?.string == editor.uri("B.syncline"))
    #expect(notes?[0]?["message"]?.string?.contains("is declared here") == true)
  }

  @Test func editUpdatesDiagnosticsOfOtherFilesInTarget() throws {
    let editor = try Editor([
      "A.syncline": "model A { id: Int; b: B? }\n", "Deep/B.syncline": "model B { id: Int }\n",
      ".hidden/C.syncline": "model B { id: Int }\n",
    ])
    editor.open("Deep/B.syncline", "model B { id: Int }\n")
    #expect(editor.problems("A.syncline") == nil)
    try editor.change("Deep/B.syncline", "model B", to: "model C")
    #expect(editor.problems("A.syncline") == ["unknown type “B”; did you mean “A”?"])
    editor.close("Deep/B.syncline")
    #expect(editor.problems("A.syncline") == [], "the stored text counts again")
  }

  @Test func changedFilesAreReadAgainFromDisk() throws {
    let editor = try Editor(["A.syncline": "model A { id: Int; b: B? }\n"])
    editor.open("A.syncline", "model A { id: Int; b: B? }\n")
    #expect(editor.problems("A.syncline")?.count == 1)
    try editor.store("model B { id: Int }\n", at: "B.syncline")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("A.syncline") == [])
    try editor.store("model B {}\n", at: "B.syncline")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("B.syncline")?.count == 1)
    try editor.remove("B.syncline")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("B.syncline") == [])
    #expect(editor.problems("A.syncline")?.count == 1)
    // The text of an open file is the editor's.
    try editor.store("model B { id: Int }\n", at: "A.syncline")
    editor.tell("workspace/didChangeWatchedFiles", ["changes": []])
    #expect(editor.problems("A.syncline")?.count == 1)
  }

  @Test func untitledDocumentIsItsOwnTarget() throws {
    let editor = try Editor(["A.syncline": "model A { id: Int }\n"])
    let document: SyncJSON = [
      "uri": "untitled:Untitled-1", "version": 1, "text": "model B { id: Int; a: A? }",
    ]
    editor.tell("textDocument/didOpen", ["textDocument": document])
    #expect(editor.diagnostics["untitled:Untitled-1"]?.count == 1)
    editor.tell("textDocument/didClose", ["textDocument": document])
    #expect(editor.diagnostics["untitled:Untitled-1"] == [])
  }

  // MARK: Texts

  @Test(arguments: ["\n", "\r\n", "\r"])
  func columnsCountUTF16CodeUnits(lineEnd: String) throws {
    let editor = try Editor()
    let text = ["// 😀é", "model A { /* 😀 */ id: Int", "}", ""].joined(separator: lineEnd)
    editor.open("A.syncline", text)
    try editor.change("A.syncline", "Int", to: "Ints")
    #expect(
      editor.diagnostics[editor.uri("A.syncline")]?.first?["range"]
        == ["start": ["line": 1, "character": 23], "end": ["line": 1, "character": 27]])
    try editor.change("A.syncline", "😀 ", to: "𝒳é")
    try editor.change("A.syncline", "Ints", to: "Int")
    #expect(editor.problems("A.syncline") == [])
  }

  @Test func invalidPositionsAreClamped() throws {
    let editor = try Editor()
    editor.open("A.syncline", "model A { id: Int }")
    let far: SyncJSON = ["line": 9_223_372_036_854_775_807, "character": 9_223_372_036_854_775_807]
    editor.change(
      "A.syncline",
      [["range": ["start": far, "end": ["line": -5, "character": -1]], "text": "\nmodel B {}"]])
    #expect(editor.problems("A.syncline")?.count == 1)
    editor.change(
      "A.syncline",
      [["range": ["start": ["line": -5, "character": -1], "end": far], "text": ""], ["text": 5], 7])
    #expect(editor.problems("A.syncline") == [])
    // The middle of a character is where it begins.
    editor.change("A.syncline", [["text": "// 😀\nmodel A {}"]])
    let middle: SyncJSON = ["line": 0, "character": 4]
    editor.change("A.syncline", [["range": ["start": middle, "end": middle], "text": "é"]])
    #expect(editor.problems("A.syncline")?.count == 1)
    #expect(
      try editor.ask(
        "textDocument/foldingRange", ["textDocument": ["uri": .string(editor.uri("A.syncline"))]]) == [])
  }

  @Test func changesOfOneMessageAreAppliedInOrder() throws {
    let editor = try Editor()
    editor.open("A.syncline", "x")
    let start: SyncJSON = ["line": 0, "character": 0]
    let one: SyncJSON = ["line": 0, "character": 1]
    editor.change(
      "A.syncline",
      [
        ["range": ["start": start, "end": one], "text": "y: Int }"],
        ["range": ["start": start, "end": one], "text": "id"],
        ["range": ["start": start, "end": start], "text": "model A { "],
      ])
    #expect(editor.problems("A.syncline") == [])
  }

  /// The lines of declarations behind an edit are others, although they are not parsed again.
  @Test func diagnosticsAfterAnEditMoveWithIt() throws {
    let editor = try Editor()
    let models = (0..<4).map { "model M\($0) {\n  id: Int\n  other: M\($0 + 1)?\n}\n" }.joined(
      separator: "\n")
    editor.open("A.syncline", models)
    func line() -> Int? {
      editor.diagnostics[editor.uri("A.syncline")]?.first?["range"]?["start"]?["line"]?.int
    }
    #expect(line() == 17)
    try editor.change("A.syncline", "id: Int\n", to: "id: Int\n  // é\n  name: String\n")
    #expect(line() == 19)
    try editor.change("A.syncline", "model M1", to: "model M0")
    let twice = editor.diagnostics[editor.uri("A.syncline")]?.first {
      $0["message"]?.string?.contains("is declared twice") == true
    }
    #expect(twice?["range"]?["start"]?["line"] == 7)
    #expect(twice?["relatedInformation"]?[0]?["location"]?["range"]?["start"]?["line"] == 0)
  }

  @Test func thousandEditsReceivedTogetherAreApplied() throws {
    let editor = try Editor()
    editor.open("A.syncline", (0..<50).map { "model M\($0) { id: Int }\n" }.joined())
    let said = editor.notes.count
    let document: SyncJSON = ["uri": .string(editor.uri("A.syncline")), "version": 2]
    editor.send(
      (0..<1_000).map { edit in
        let place: SyncJSON = ["line": SyncJSON.number(SyncNumber(edit % 50)), "character": 6]
        return [
          "jsonrpc": "2.0", "method": "textDocument/didChange",
          "params": [
            "textDocument": document,
            "contentChanges": [["range": ["start": place, "end": place], "text": "X"]],
          ],
        ]
      })
    #expect(editor.notes.count == said, "nothing is wrong, so nothing is said")
    let symbols = try editor.ask(
      "textDocument/documentSymbol", ["textDocument": ["uri": .string(editor.uri("A.syncline"))]])
    #expect(symbols.array?.last?["name"] == .string(String(repeating: "X", count: 20) + "M49"))
  }
}
