import Foundation
import Testing

@testable import SynclineCompiler

/// The grammars in `Editors` know the words of the language.
@Suite struct EditorTests {
  private static let editors = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Editors")

  private func text(_ path: String) throws -> String {
    try String(contentsOf: EditorTests.editors.appending(path: path), encoding: .utf8)
  }

  private func json(_ path: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(text(path).utf8))
    return try #require(object as? [String: Any])
  }

  private static let grammar = "VSCode/syntaxes/syncline.tmLanguage.json"

  private static let words =
    AttributeKind.allCases.map(\.rawValue) + ScalarType.allCases.map(\.rawValue)
    + Keyword.Kind.allCases.map(\.rawValue) + ["case", "on", "true", "false", "nil"]

  @Test(arguments: [grammar, "Vim/syntax/syncline.vim"])
  func editorGrammarContainsEachKeyword(grammar: String) throws {
    let known = Set(try text(grammar).split { !($0.isLetter || $0.isNumber) }.map(String.init))
    #expect(EditorTests.words.filter { !known.contains($0) } == [])
  }

  /// The expressions of the grammar, by the names of what they match.
  private func expressions(_ node: Any, _ found: inout [(name: String, expression: NSRegularExpression)])
    throws
  {
    if let list = node as? [Any] { for element in list { try expressions(element, &found) } }
    guard let object = node as? [String: Any] else { return }
    let captures = (object["captures"] as? [String: [String: String]])?["2"]?["name"]
    for key in ["match", "begin", "end"] {
      guard let pattern = object[key] as? String else { continue }
      found.append((object["name"] as? String ?? captures ?? "", try NSRegularExpression(pattern: pattern)))
    }
    for value in object.values { try expressions(value, &found) }
  }

  @Test(arguments: [
    ("model Task {", "entity.name.type.syncline"), ("import Base", "entity.name.namespace.syncline"),
    ("@RemoteKey(", "storage.modifier.attribute.syncline"),
    ("@Remote(", "invalid.illegal.attribute.syncline"),
    ("// note", "comment.line.double-slash.syncline"), ("Int8?", "support.type.syncline"),
    (".open", "constant.other.case.syncline"), ("-1.5e3", "constant.numeric.syncline"),
    ("case open", "keyword.declaration.syncline"), ("on \"type\"", "keyword.other.syncline"),
    ("inverse: \\Tag", "variable.parameter.syncline"),
    ("madeBy: .server", "variable.parameter.syncline"),
    ("is: \"cancelled\"", "variable.parameter.syncline"),
    ("@Null(", "storage.modifier.attribute.syncline"),
    ("unknown: .create", "variable.parameter.syncline"),
    ("by: \\Country", "variable.parameter.syncline"),
  ])
  func grammarAssignsTheExpectedScope(text: String, name: String) throws {
    var found: [(name: String, expression: NSRegularExpression)] = []
    try expressions(json(EditorTests.grammar), &found)
    let range = NSRange(text.startIndex..., in: text)
    let names = found.filter { $0.expression.firstMatch(in: text, range: range)?.range.location == 0 }.map(
      \.name)
    #expect(names.contains(name), "\(names)")
  }

  @Test func extensionManifestReferencesItsFiles() throws {
    let manifest = try json("VSCode/package.json")
    let contributes = try #require(manifest["contributes"] as? [String: Any])
    func list(_ name: String) -> [[String: Any]] { contributes[name] as? [[String: Any]] ?? [] }
    let paths =
      list("grammars").compactMap { $0["path"] as? String }
      + list("languages").compactMap { $0["configuration"] as? String }
    #expect(paths.count == 2)
    #expect(try text("VSCode/\(manifest["main"] as? String ?? "")").contains("args: ['lsp']"))
    for path in paths { _ = try json("VSCode/\(path)") }
    #expect(manifest["version"] as? String == CompilerPipeline.version)
  }
}
