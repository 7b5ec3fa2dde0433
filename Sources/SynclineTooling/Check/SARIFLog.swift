import Foundation
import Syncline
import SynclineCompiler

/// Diagnostics in the Static Analysis Results Interchange Format 2.1.0, for GitHub and GitLab code scanning;
/// `syncline check --sarif` prints it.
public struct SARIFLog: Encodable, Sendable {
  private let log: SyncJSON

  /// Creates the log of one run, with the explanations of all its codes.
  public init(_ diagnostics: [Diagnostic]) {
    let codes = Set(diagnostics.map(\.code))
    let pages = Explanation.all.filter { codes.contains($0.code) }
    let rules = pages.map { page -> SyncJSON in
      [
        "id": .string(page.code.rawValue), "shortDescription": SARIFLog.message(page.title),
        "fullDescription": SARIFLog.message(page.reason),
        "help": ["text": .string(page.reason), "markdown": .string(page.markdown)],
      ]
    }
    let results = diagnostics.map { diagnostic -> SyncJSON in
      let page = pages.firstIndex { $0.code == diagnostic.code } ?? -1
      return [
        "ruleId": .string(diagnostic.code.rawValue), "ruleIndex": SyncJSON(page),
        "level": .string(diagnostic.severity.rawValue), "message": SARIFLog.message(diagnostic.message),
        "locations": [SARIFLog.location(diagnostic.range)],
        "relatedLocations": .array(diagnostic.notes.map { SARIFLog.location($0.range, $0.message) }),
        "fixes": .array(diagnostic.fixIts.map(SARIFLog.fix)),
      ]
    }
    let driver: SyncJSON = [
      "name": "syncline", "version": .string(CompilerPipeline.version), "rules": .array(rules),
    ]
    let run: SyncJSON = [
      "tool": ["driver": driver], "columnKind": "utf16CodeUnits", "results": .array(results),
    ]
    log = ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
  }

  public func encode(to encoder: any Encoder) throws { try log.encode(to: encoder) }

  private static func message(_ text: String) -> SyncJSON { ["text": .string(text)] }

  private static func location(_ range: SourceRange, _ text: String? = nil) -> SyncJSON {
    .object([
      "physicalLocation": ["artifactLocation": artifact(range.file), "region": region(range)],
      "message": text.map { message($0) },
    ])
  }

  private static func artifact(_ file: SourceFile) -> SyncJSON {
    let path = file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.path
    return ["uri": .string(path.hasPrefix("/") ? "file://\(path)" : path)]
  }

  /// A range of a file: lines and columns are counted from 1, and the end is after the last character.
  private static func region(_ range: SourceRange) -> SyncJSON {
    let start = range.file.location(of: range.offsets.lowerBound, counting: .utf16)
    let end = range.file.location(of: range.offsets.upperBound, counting: .utf16)
    return [
      "startLine": SyncJSON(start.line), "startColumn": SyncJSON(start.column),
      "endLine": SyncJSON(end.line), "endColumn": SyncJSON(end.column),
    ]
  }

  private static func fix(_ fixIt: Diagnostic.FixIt) -> SyncJSON {
    let replacement: SyncJSON = [
      "deletedRegion": region(fixIt.range), "insertedContent": message(fixIt.replacement),
    ]
    let change: SyncJSON = [
      "artifactLocation": artifact(fixIt.range.file), "replacements": [replacement],
    ]
    return ["description": message(fixIt.message), "artifactChanges": [change]]
  }
}
