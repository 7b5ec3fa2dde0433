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

  mutating func feature(_ method: String, _ parameters: SyncJSON) throws(RequestError) -> SyncJSON {
    if method == "workspace/symbol" { return symbols(named: parameters["query"]?.string ?? "") }
    let isKnown = [
      "completion", "hover", "definition", "references", "documentHighlight", "documentSymbol", "formatting",
      "codeAction", "rename", "prepareRename", "foldingRange", "semanticTokens/full",
    ].contains { "textDocument/" + $0 == method }
    guard isKnown else { throw .unknownMethod(method) }
    guard let path = parameters["textDocument"]?.path, let file = workspace.settledFile(at: path) else {
      throw .failed("The file is not open.")
    }
    switch method {
    case "textDocument/codeAction": return actions(file, over: file.offsets(of: parameters["range"]))
    case "textDocument/documentSymbol": return .array(file.sections.flatMap(\.outline))
    case "textDocument/foldingRange": return Folding.json(file.sections)
    case "textDocument/semanticTokens/full": return Highlighting.json(file.sections)
    case "textDocument/formatting": return formatting(file.whole)
    default:
      guard let place = file.section(at: file.offset(of: parameters["position"])) else { return .null }
      return try answer(method, parameters, in: place.section, at: place.offset)
    }
  }

  private mutating func answer(
    _ method: String, _ parameters: SyncJSON, in section: EditedFile.Section, at offset: Int
  ) throws(RequestError) -> SyncJSON {
    let file = section.file
    let path = file.source.path
    let target = workspace.target(of: path)?.folder.path ?? ""
    switch method {
    case "textDocument/completion":
      return Completion(
        schema: workspace.analysis(in: target).draft, symbols: workspace.symbols(in: target), file: file,
        line: section.line, modules: importable(by: path)
      ).items(at: offset)
    case "textDocument/hover":
      return Hover(
        schema: workspace.analysis(in: target).draft, symbol: workspace.symbol(at: offset, in: file),
        file: file, line: section.line
      ).text(at: offset)
    case "textDocument/definition": return definition(at: offset, in: file)
    case "textDocument/references":
      let isWhole = parameters["context"]?["includeDeclaration"]?.bool ?? true
      return .array(places(at: offset, in: file, declaration: isWhole).map(location))
    case "textDocument/documentHighlight":
      return .array(
        places(at: offset, in: file, declaration: true).filter { $0.file.path == path }
          .map { ["range": json($0)] })
    case "textDocument/prepareRename": return json(try renamed(at: offset, in: file).place)
    default: return try rename(at: offset, in: file, to: parameters["newName"]?.string ?? "")
    }
  }

  private mutating func importable(by path: String) -> [String] {
    guard let folder = workspace.target(of: path)?.folder else { return [] }
    return folder.neighbors().filter { neighbor in
      workspace.load(neighbor)
      return workspace.targets[neighbor.path]?.files.isEmpty == false
    }.map { ModuleName.of(target: $0.name) }
  }

  /// The edit that formats a file. It spans from the first to the last different byte.
  private func formatting(_ file: ParsedFile) -> SyncJSON {
    guard let formatted = file.formatted else { return [] }
    let (old, new) = (file.source.bytes, Array(formatted.utf8))
    guard old != new else { return [] }
    let change = EditedFile.change(from: old, to: new)
    return [["range": file.source.range(of: change.offsets), "newText": .string(change.text)]]
  }

  /// The quick fixes for diagnostics in a range of a file.
  private mutating func actions(_ file: EditedFile, over offsets: Range<Int>) -> SyncJSON {
    var actions: [SyncJSON] = []
    let target = workspace.target(of: file.path)?.folder.path ?? ""
    for diagnostic in workspace.analysis(in: target).diagnostics {
      guard let place = file.offsets(of: diagnostic.range), place.lowerBound <= offsets.upperBound,
        offsets.lowerBound <= place.upperBound
      else { continue }
      for fixIt in diagnostic.fixIts {
        let message = fixIt.message.prefix(1).uppercased() + fixIt.message.dropFirst()
        actions.append([
          "title": .string(message), "kind": "quickfix",
          "diagnostics": [json(diagnostic)],
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
            let list = edits.map { ["range": json($0.range), "newText": .string($0.text)] as SyncJSON }
            return (uri(of: path), .array(list))
          }))
    ]
  }
}
