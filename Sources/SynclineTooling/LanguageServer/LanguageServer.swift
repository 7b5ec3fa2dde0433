import Foundation
import Syncline
import SynclineCompiler

/// A Language Server Protocol server for schema files. It receives messages from an editor and sends replies.
///
/// Messages are received in batches. Diagnostics are computed after the whole batch, so that no diagnostics of outdated text are
/// sent if the editor sends changes faster than the server compiles them.
package struct LanguageServer {
  /// The state of the protocol's lifecycle.
  private enum Phase {
    case started, running, shutDown, exited(code: Int32)
  }

  private var phase = Phase.started
  var workspace = Workspace()
  /// The URIs and versions of the open files, by path.
  private var documents: [String: (uri: String, version: SyncJSON?)] = [:]
  /// The last diagnostics sent to the editor, by path.
  private var published: [String: SyncJSON] = [:]
  private var hasChanged = false
  /// Whether the editor supports registration for file changes.
  private var canRegister = false

  package init() {}

  /// The exit code of the process; nil until the editor has asked it to exit.
  package var exitCode: Int32? {
    if case .exited(let code) = phase { code } else { nil }
  }

  package mutating func receive(_ batch: [SyncJSON], send: (SyncJSON) -> Void) {
    let cancelled = batch.filter { $0["method"]?.string == "$/cancelRequest" }
      .compactMap { $0["params"]?["id"] }
    for message in batch {
      guard exitCode == nil else { return }
      receive(message, isCancelled: message["id"].map(cancelled.contains) ?? false, send)
    }
    if case .running = phase { publish(send) }
  }

  private mutating func receive(_ message: SyncJSON, isCancelled: Bool, _ send: (SyncJSON) -> Void) {
    guard let method = message["method"]?.string else {
      // A response to the registration, which is the only request of the server, needs no handling.
      if message["result"] == nil, message["error"] == nil {
        send(.failed(message["id"] ?? .null, .invalidRequest("This is not a message.")))
      }
      return
    }
    let parameters = message["params"] ?? .null
    guard let id = message["id"] else { return notify(method, parameters, send) }
    do throws(RequestError) {
      if isCancelled { throw .cancelled }
      send(["jsonrpc": "2.0", "id": id, "result": try answer(method, parameters)])
    } catch {
      send(.failed(id, error))
    }
  }

  private mutating func notify(_ method: String, _ parameters: SyncJSON, _ send: (SyncJSON) -> Void) {
    if method == "exit" {
      if case .shutDown = phase { phase = .exited(code: 0) } else { phase = .exited(code: 1) }
      return
    }
    guard case .running = phase else { return }
    let document = parameters["textDocument"]
    switch method {
    case "initialized":
      if canRegister { send(LanguageServer.registration) }
    case "textDocument/didOpen":
      guard let document, let text = document["text"]?.string, let uri = document["uri"]?.string,
        let path = document.path
      else { return }
      documents[path] = (uri, document["version"])
      workspace.take(text, at: path, isFile: uri.hasPrefix("file:"))
      hasChanged = true
    case "textDocument/didChange":
      guard let document, let uri = document["uri"]?.string, let path = document.path,
        workspace.file(at: path) != nil
      else { return }
      documents[path] = (uri, document["version"])
      workspace.apply(
        parameters["contentChanges"]?.array ?? [], at: path, isFile: uri.hasPrefix("file:"))
      hasChanged = true
    case "textDocument/didClose":
      guard let path = document?.path else { return }
      documents[path] = nil
      workspace.close(path)
      hasChanged = true
    case "textDocument/didSave", "workspace/didChangeWatchedFiles":
      // Editors may also save files that are not open on this server.
      workspace.refresh()
      hasChanged = true
    case "workspace/didChangeWorkspaceFolders":
      let event = parameters["event"]
      let removed = LanguageServer.paths(event?["removed"])
      workspace.roots =
        workspace.roots.filter { !removed.contains($0) } + LanguageServer.paths(event?["added"])
      hasChanged = true
    default: break
    }
  }

  /// The request to be notified of file changes on disk.
  private static let registration: SyncJSON = [
    "jsonrpc": "2.0", "id": "watch", "method": "client/registerCapability",
    "params": [
      "registrations": [
        [
          "id": "watch", "method": "workspace/didChangeWatchedFiles",
          "registerOptions": [
            "watchers": [["globPattern": "**/*.syncline"], ["globPattern": "**/Package.swift"]]
          ],
        ]
      ]
    ],
  ]

  private static func paths(_ folders: SyncJSON?) -> [String] {
    (folders?.array ?? []).compactMap(\.path)
  }

  private mutating func answer(_ method: String, _ parameters: SyncJSON) throws(RequestError) -> SyncJSON {
    switch (phase, method) {
    case (.started, "initialize"):
      phase = .running
      let abilities = parameters["capabilities"]?["workspace"]?["didChangeWatchedFiles"]
      canRegister = abilities?["dynamicRegistration"]?.bool ?? false
      let folders = LanguageServer.paths(parameters["workspaceFolders"])
      let root = parameters["rootUri"].flatMap { SyncJSON.object(["uri": $0]).path }
      workspace.roots = folders.isEmpty ? [root].compactMap(\.self) : folders
      return LanguageServer.abilities
    case (.started, _): throw .notInitialized
    case (.running, "shutdown"):
      phase = .shutDown
      return .null
    case (.running, _): return try feature(method, parameters)
    case (.shutDown, _), (.exited, _): throw .invalidRequest("The server is shut down.")
    }
  }

  /// Sends the diagnostics of each file whose diagnostics have changed.
  private mutating func publish(_ send: (SyncJSON) -> Void) {
    guard hasChanged else { return }
    hasChanged = false
    var lists: [String: [SyncJSON]] = [:]
    for (target, analysis) in workspace.shownAnalyses() {
      let found = Dictionary(grouping: analysis.diagnostics) { ObjectIdentifier($0.range.file) }
      for (path, file) in target.files {
        lists[path] = file.sections.flatMap { found[ObjectIdentifier($0.file.source)] ?? [] }.map(json)
      }
    }
    for path in Set(lists.keys).union(published.keys).sorted() {
      let list = SyncJSON.array(lists[path] ?? [])
      // A file that is not open and never had diagnostics needs no empty list.
      if published[path] ?? [] != list || (published[path] == nil && documents[path] != nil) {
        send([
          "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics",
          "params": .object([
            "uri": .string(uri(of: path)), "version": documents[path]?.version, "diagnostics": list,
          ]),
        ])
      }
      published[path] = lists[path] == nil ? nil : list
    }
  }

  func json(_ diagnostic: Diagnostic) -> SyncJSON {
    .object([
      "range": json(diagnostic.range), "severity": diagnostic.severity == .error ? 1 : 2,
      "code": .string(diagnostic.code.rawValue), "source": "syncline", "message": .string(diagnostic.message),
      "relatedInformation": diagnostic.notes.isEmpty
        ? nil
        : .array(diagnostic.notes.map { ["location": location($0.range), "message": .string($0.message)] }),
    ])
  }

  /// A range of a section as a `Range` of the protocol, in the whole file.
  func json(_ range: SourceRange) -> SyncJSON {
    let line = workspace.file(at: range.file.path)?.section(of: range)?.line
    return range.file.range(of: range.offsets, from: line ?? 0)
  }

  func uri(of path: String) -> String {
    if let uri = documents[path]?.uri { return uri }
    return path.hasPrefix("/") ? URL(filePath: path).absoluteString : path
  }
}

enum RequestError: Error {
  case notInitialized
  case unknownMethod(String)
  case invalidRequest(String)
  case failed(String)
  case cancelled

  var json: SyncJSON {
    switch self {
    case .notInitialized: ["code": -32002, "message": "The first request must be “initialize”."]
    case .unknownMethod(let name):
      ["code": -32601, "message": .string("There is no method “\(name)”.")]
    case .invalidRequest(let reason): ["code": -32600, "message": .string(reason)]
    case .failed(let reason): ["code": -32803, "message": .string(reason)]
    case .cancelled: ["code": -32800, "message": "The request was cancelled."]
    }
  }
}

extension SyncJSON {
  fileprivate static func failed(_ id: SyncJSON, _ error: RequestError) -> SyncJSON {
    ["jsonrpc": "2.0", "id": id, "error": error.json]
  }

  /// The path of a file URI. Other URIs are returned unchanged.
  var path: String? {
    guard let uri = self["uri"]?.string else { return nil }
    guard uri.hasPrefix("file:"), let url = URL(string: uri) else { return uri }
    let path = url.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
