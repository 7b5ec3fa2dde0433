import Syncline
import SynclineCompiler
import SynclineNaming

extension LanguageServer {
  /// The capabilities of the server, as in the response to `initialize`.
  static let abilities: SyncJSON = [
    "serverInfo": ["name": "syncline", "version": .string(CompilerPipeline.version)],
    "capabilities": [
      "positionEncoding": "utf-16",
      "textDocumentSync": ["openClose": true, "change": 2, "save": true],
      "completionProvider": ["triggerCharacters": ["@", ".", "\\", "(", ":", "="]],
      "hoverProvider": true,
      "definitionProvider": true,
      "referencesProvider": true,
      "documentHighlightProvider": true,
      "documentSymbolProvider": true,
      "workspaceSymbolProvider": true,
      "documentFormattingProvider": true,
      "codeActionProvider": ["codeActionKinds": ["quickfix"]],
      "renameProvider": ["prepareProvider": true],
      "foldingRangeProvider": true,
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": .array(Highlighting.Kind.allCases.map { .string($0.rawValue) }),
          "tokenModifiers": ["declaration", "defaultLibrary"],
        ], "full": true,
      ],
      "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
    ],
  ]

  /// Answers a request for a language feature.
  mutating func feature(_ method: String, _ parameters: SyncJSON) throws(RequestError) -> SyncJSON {
    if method == "workspace/symbol" { return symbols(named: parameters["query"]?.string ?? "") }
    let isKnown = [
      "completion", "hover", "definition", "references", "documentHighlight", "documentSymbol", "formatting",
      "codeAction", "rename", "prepareRename", "foldingRange", "semanticTokens/full",
    ].contains { "textDocument/" + $0 == method }
    guard isKnown else { throw .unknownMethod(method) }
    guard let path = parameters["textDocument"]?.path, let file = workspace.file(at: path),
      let target = workspace.target(of: path)?.folder.path
    else { throw .failed("The file is not open.") }
    let offset = file.source.offset(of: parameters["position"])
    switch method {
    case "textDocument/completion":
      return Completion(
        schema: workspace.analysis(in: target).draft, symbols: workspace.symbols(in: target), file: file,
        modules: importable(by: path)
      ).items(at: offset)
    case "textDocument/hover":
      return Hover(
        schema: workspace.analysis(in: target).draft, symbol: workspace.symbol(at: offset, in: file),
        file: file
      ).text(at: offset)
    case "textDocument/definition": return definition(at: offset, in: file)
    case "textDocument/references":
      let isWhole = parameters["context"]?["includeDeclaration"]?.bool ?? true
      return .array(places(at: offset, in: file, declaration: isWhole).map(location))
    case "textDocument/documentHighlight":
      return .array(
        places(at: offset, in: file, declaration: true).filter { $0.file === file.source }
          .map { ["range": $0.json] })
    case "textDocument/documentSymbol": return Outline(file).json
    case "textDocument/formatting": return formatting(file)
    case "textDocument/codeAction":
      return actions(file, workspace.analysis(in: target), over: file.source.offsets(of: parameters["range"]))
    case "textDocument/prepareRename": return try renamed(at: offset, in: file).place.json
    case "textDocument/rename":
      return try rename(at: offset, in: file, to: parameters["newName"]?.string ?? "")
    case "textDocument/foldingRange": return Folding(file.tree).json
    default: return Highlighting(file.tree).json
    }
  }

  /// The targets that a file may import.
  private mutating func importable(by path: String) -> [String] {
    guard let folder = workspace.target(of: path)?.folder else { return [] }
    return folder.neighbors().filter { neighbor in
      workspace.load(neighbor)
      return workspace.targets[neighbor.path]?.files.isEmpty == false
    }.map { ModuleName.of(target: $0.name) }
  }

  // MARK: Formatting and actions

  /// The edit that formats a file: it spans the first to the last byte that differs.
  private func formatting(_ file: ParsedFile) -> SyncJSON {
    guard let formatted = file.formatted else { return [] }
    let (old, new) = (file.source.bytes, Array(formatted.utf8))
    guard old != new else { return [] }
    let shared = min(old.count, new.count)
    var start = 0
    while start < shared, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shared - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    // An edit must not start or end within a character.
    while start > 0, start < old.count, old[start] & 0xC0 == 0x80 { start -= 1 }
    while end > 0, old[old.count - end] & 0xC0 == 0x80 { end -= 1 }
    let text = String(decoding: new[start..<(new.count - end)], as: UTF8.self)
    return [["range": file.source.range(of: start..<(old.count - end)), "newText": .string(text)]]
  }

  /// The quick fixes for diagnostics in a range of a file.
  private func actions(_ file: ParsedFile, _ analysis: Analysis, over offsets: Range<Int>) -> SyncJSON {
    var actions: [SyncJSON] = []
    for diagnostic in analysis.diagnostics where diagnostic.range.file === file.source {
      let place = diagnostic.range.offsets
      guard place.lowerBound <= offsets.upperBound, offsets.lowerBound <= place.upperBound else { continue }
      for fixIt in diagnostic.fixIts {
        let message = fixIt.message.prefix(1).uppercased() + fixIt.message.dropFirst()
        actions.append([
          "title": .string(message), "kind": "quickfix",
          "diagnostics": [diagnostic.json(uri: uri(of:))],
          "isPreferred": .bool(diagnostic.fixIts.count == 1),
          "edit": changes([(fixIt.range, fixIt.replacement)]),
        ])
      }
    }
    return .array(actions)
  }

  /// A `WorkspaceEdit` of the protocol.
  func changes(_ edits: [(range: SourceRange, text: String)]) -> SyncJSON {
    let files = Dictionary(grouping: edits) { $0.range.file.path }.sorted { $0.key < $1.key }
    return [
      "changes": .object(
        SyncJSONObject(
          files.map { path, edits in
            let list = edits.map { ["range": $0.range.json, "newText": .string($0.text)] as SyncJSON }
            return (uri(of: path), .array(list))
          }))
    ]
  }
}
