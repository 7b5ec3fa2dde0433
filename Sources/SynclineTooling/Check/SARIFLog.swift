import Foundation
import SynclineCompiler

/// Diagnostics in the Static Analysis Results Interchange Format 2.1.0, for GitHub and GitLab code scanning;
/// `syncline check --sarif` prints it.
public struct SARIFLog: Encodable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  struct Run: Encodable {
    let tool: Tool
    let columnKind = "utf16CodeUnits"
    let results: [Result]
  }

  struct Tool: Encodable {
    struct Driver: Encodable {
      let name = "syncline"
      let version: String
      let rules: [Rule]
    }

    let driver: Driver
  }

  struct Message: Encodable {
    let text: String
    var markdown: String?
  }

  struct Rule: Encodable {
    let id: String
    let shortDescription: Message
    let fullDescription: Message
    let help: Message
  }

  struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Message
    let locations: [Location]
    let relatedLocations: [Location]
    let fixes: [Fix]
  }

  struct Location: Encodable {
    struct Physical: Encodable {
      let artifactLocation: Artifact
      let region: Region
    }

    let physicalLocation: Physical
    var message: Message?

    init(_ range: SourceRange, _ message: String? = nil) {
      physicalLocation = Physical(artifactLocation: Artifact(range.file), region: Region(range))
      self.message = message.map { Message(text: $0) }
    }
  }

  struct Artifact: Encodable {
    let uri: String

    init(_ file: SourceFile) {
      let path = file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.path
      uri = path.hasPrefix("/") ? "file://\(path)" : path
    }
  }

  /// A range of a file: lines and columns are counted from 1, and the end is after the last character.
  struct Region: Encodable {
    let startLine, startColumn, endLine, endColumn: Int

    init(_ range: SourceRange) {
      let start = range.file.location(of: range.offsets.lowerBound, counting: .utf16)
      let end = range.file.location(of: range.offsets.upperBound, counting: .utf16)
      (startLine, startColumn) = (start.line, start.column)
      (endLine, endColumn) = (end.line, end.column)
    }
  }

  struct Fix: Encodable {
    struct Change: Encodable {
      struct Replacement: Encodable {
        let deletedRegion: Region
        let insertedContent: Message
      }

      let artifactLocation: Artifact
      let replacements: [Replacement]
    }

    let description: Message
    let artifactChanges: [Change]

    init(_ fixIt: Diagnostic.FixIt) {
      description = Message(text: fixIt.message)
      artifactChanges = [
        Change(
          artifactLocation: Artifact(fixIt.range.file),
          replacements: [
            .init(deletedRegion: Region(fixIt.range), insertedContent: Message(text: fixIt.replacement))
          ])
      ]
    }
  }

  /// Creates the log of one run, with the explanations of all its codes.
  public init(_ diagnostics: [Diagnostic]) {
    let codes = Set(diagnostics.map(\.code))
    let pages = Explanation.all.filter { codes.contains($0.code) }
    let rules = pages.map { page in
      Rule(
        id: page.code.rawValue, shortDescription: Message(text: page.title),
        fullDescription: Message(text: page.reason), help: Message(text: page.reason, markdown: page.markdown)
      )
    }
    let results = diagnostics.map { diagnostic in
      Result(
        ruleId: diagnostic.code.rawValue,
        ruleIndex: pages.firstIndex { $0.code == diagnostic.code } ?? -1,
        level: diagnostic.severity.rawValue, message: Message(text: diagnostic.message),
        locations: [Location(diagnostic.range)],
        relatedLocations: diagnostic.notes.map { Location($0.range, $0.message) },
        fixes: diagnostic.fixIts.map(Fix.init))
    }
    runs = [
      Run(tool: Tool(driver: .init(version: CompilerPipeline.version, rules: rules)), results: results)
    ]
  }
}
