import Foundation
import Syncline
import SynclineCompiler
import SynclineInterpreter
import Testing

@testable import SynclineTooling

/// The reference of the schema language: each section's schema compiles, and its payloads become the rows that it shows.
@Suite struct LanguageReferenceTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Syncline/Syncline.docc/SchemaLanguage.md").standardizedFileURL

  /// A part of the page behind a heading.
  private struct Section {
    let title: String
    var lines: [String] = []

    var text: String { lines.joined(separator: "\n") }
  }

  private static func sections() throws -> [Section] {
    var sections: [Section] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("### ") {
        sections.append(Section(title: String(line.dropFirst(4))))
      } else if !sections.isEmpty {
        sections[sections.count - 1].lines.append(String(line))
      }
    }
    return sections
  }

  @Test func eachAttributeSectionBeginsWithItsHoverText() throws {
    let sections = try Self.sections()
    for kind in AttributeKind.allCases {
      let section = try #require(sections.first { $0.title == "@" + kind.rawValue }, "@\(kind.rawValue)")
      let start = section.lines.drop { $0.isEmpty }.prefix { !$0.isEmpty }.joined(separator: " ")
      #expect(start.hasPrefix(kind.summary), "\(section.title)")
      for argument in AttributeSpec.of(kind).arguments {
        if let label = argument.label {
          #expect(section.text.contains("`\(label):`"), "\(section.title), \(label):")
        }
        if case .member(let names) = argument.type {
          for name in names { #expect(section.text.contains("`.\(name)`"), "\(section.title), .\(name)") }
        }
      }
    }
  }

  @Test func referenceNamesEachTypeDeclarationAndSetting() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    for type in ScalarType.allCases where type.integerRange == nil || ["Int", "UInt"].contains(type.rawValue)
    {
      #expect(text.contains("`\(type.rawValue)`"), "\(type.rawValue)")
    }
    let titles = try Self.sections().map(\.title)
    for declaration in ["model", "enum", "struct", "union", "import", "schema"] {
      #expect(titles.contains(declaration))
    }
    for setting in Schema.Setting.allCases {
      #expect(text.contains("`\(setting.rawValue):") || text.contains("\(setting.rawValue): "))
    }
  }

  /// `SYNCLINE_RECORD=1` writes the rows and exports into the page.
  @Test func referencePayloadsProduceTheRowsShown() async throws {
    let isRecording = ProcessInfo.processInfo.environment["SYNCLINE_RECORD"] != nil
    let page = try String(contentsOf: Self.file, encoding: .utf8)
    var lines: [String] = []
    var reader = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    var store: Store?
    var shown = 0
    while let line = reader.popFirst() {
      lines.append(line)
      guard line.hasPrefix("```"), line != "```" else { continue }
      let body = Array(reader.prefix { $0 != "```" })
      reader = reader.dropFirst(body.count + 1)
      let text = body.joined(separator: "\n")
      let isExport = lines.dropLast().last { !$0.isEmpty } == "An export writes:"
      var expected = body
      switch line {
      case "```syncline": store = try Store(text)
      case "```json" where isExport: expected = try await #require(store).export()
      case "```json": try await #require(store, "\(text)").sync(text)
      case "```text":
        expected = try #require(store).rows()
        shown += 1
      default: Issue.record("a block of \(line)")
      }
      if !isRecording { #expect(body == expected) }
      lines += expected + ["```"]
    }
    #expect(shown > 20)
    if isRecording {
      try lines.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
  }

  /// A store of a section's schema, interpreted.
  private final class Store {
    private let container: SyncContainer
    private let schema: InterpretedSchema
    private let model: any SyncUpdatableModel.Type
    private var notes: [String] = []

    init(_ text: String) throws {
      schema = InterpretedSchema(try TextStore.schema(text))
      let name = try #require(schema.names.first)
      model = try #require(schema.model(name))
      container = try SyncContainer(
        models: schema.models, isWhole: true, storage: .inMemory, configuration: SyncConfiguration(),
        recoverOnFailure: false)
    }

    func sync(_ payload: String) async throws {
      try await sync(payload, model)
    }

    private func sync<Model: SyncUpdatableModel>(_ payload: String, _ model: Model.Type) async throws {
      let report =
        payload.hasPrefix("{")
        ? try await container.sync(item: payload, as: model)
        : try await container.sync(payload: payload, as: model)
      notes = report.problems.map { "problem: \($0)" } + report.waiting.map { "waiting: \($0)" }
    }

    func export() async throws -> [String] {
      try await export(model)
    }

    private func export<Model: SyncUpdatableModel>(_ model: Model.Type) async throws -> [String] {
      [String(decoding: try await container.exportData(as: model), as: UTF8.self)]
    }

    /// All rows, as SQL writes their values.
    func rows() throws -> [String] {
      let tables = try container.database.read { db in
        let names = try String.fetchAll(
          db,
          sql:
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'syncline%' ORDER BY rowid"
        )
        return try names.compactMap { name -> String? in
          let table = name.quotedDatabaseIdentifier
          let columns = try db.columns(in: name).map(\.name)
          let values = columns.map { "quote(\($0.quotedDatabaseIdentifier))" }.joined(separator: ", ")
          let rows = try Row.fetchAll(db, sql: "SELECT \(values) FROM \(table) ORDER BY \(values)")
          guard !rows.isEmpty else { return nil }
          return "\(name)\n"
            + TextTable.text(
              [columns] + rows.map { row in columns.indices.map { row[$0] ?? "" } }, cellLimit: .max)
        }
      }
      return (tables + (notes.isEmpty ? [] : [notes.joined(separator: "\n")])).joined(separator: "\n\n")
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
