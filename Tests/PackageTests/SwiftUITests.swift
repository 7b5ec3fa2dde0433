import Foundation
import TestRuns
import Testing

/// The property wrappers for SwiftUI, type-checked against declarations of our own where there is no SwiftUI.
@Suite(.enabled(if: TestKind.building.runs)) struct SwiftUITests {
  @Test(.enabled(if: AppleStub.isNeeded, "a build with SwiftUI compiles them as they are"))
  func thePropertyWrappersTypeCheck() throws {
    try typeCheck("import SwiftUI\nimport Syncline\n" + views, "-warnings-as-errors")
  }

  /// The code of the article about reads that follow the store.
  @Test(.enabled(if: AppleStub.isNeeded, "its views are checked against declarations of our own"))
  func observationArticleCodeTypeChecks() throws {
    let article = Shell.package.appending(path: "Sources/Syncline/Syncline.docc/Following.md")
    let functions = try CodeBlock.functions(
      of: article, in: "Reader",
      taking: "_ container: SyncContainer, _ api: API, _ publisher: SyncQueryPublisher<Task>, _ draft: Task")
    #expect(functions.count >= 9)
    try typeCheck(prelude + functions.joined(separator: "\n"))
  }

  /// The example of an app, with its generated models.
  @Test(.enabled(if: AppleStub.isNeeded, "a build of the example compiles it"))
  func exampleAppTypeChecks() throws {
    let example = Shell.package.appending(path: "Examples/ReadingListApp")
    let folder = try TemporaryFolder()
    let made = try Shell.run(
      "bash", "-c",
      """
      cd '\(example.path)' && '\(Shell.package.path)/.build/debug/syncline' generate --target ReadingListApp \
        --output '\(folder.url.path)/Generated' Schemas/ReadingListApp 2>&1
      """)
    #expect(made.status == 0, "\(made.output)")
    let generated = try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/Generated")
    let files = generated.filter { $0.hasSuffix(".swift") }.map { folder.url.path + "/Generated/" + $0 }
    #expect(files.count == 2)
    let source = example.appending(path: "Sources/ReadingListApp/ReadingListApp.swift")
    try typeCheck(
      try String(contentsOf: source, encoding: .utf8), "-warnings-as-errors -parse-as-library", in: folder,
      with: files)
  }

  /// Type-checks a text with the property wrappers and the declarations that replace SwiftUI.
  private func typeCheck(
    _ text: String, _ options: String = "", in given: TemporaryFolder? = nil, with others: [String] = []
  ) throws {
    let folder = try given ?? TemporaryFolder()
    let stub = try AppleStub.make("SwiftUI", in: folder)
    #expect(stub.status == 0, "\(stub.output)")

    let sources = Shell.package.appending(path: "Sources/Syncline/Observation/SwiftUI")
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(names.count == 3)
    for name in names {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      try folder.write("@testable import Syncline\n" + text, to: "Views/\(name)")
    }
    try folder.write(text, to: "Views/Views.swift")
    let files = (names + ["Views.swift"]).map { folder.url.appending(path: "Views/\($0)").path } + others
    let result = try Shell.typeCheck(files, options, in: folder.url)
    #expect(result.status == 0, "\(result.output)")
  }

  /// What the article's code takes from a program around it.
  private var prelude: String {
    """
    import Foundation
    import SwiftUI
    import Syncline
    @testable import SynclineTests

    typealias Task = SynclineTests.Task

    @MainActor final class Reader {
      struct API {
        func tasks() async throws -> Data { Data() }
        func save(_ task: SyncJSON) async throws -> Data { Data() }
      }
      struct List {
        func apply(_ difference: CollectionDifference<Task>, reloading changed: [Int]) {}
      }
      final class Label { var text = "" }

      let list = List()
      let label = Label()
      var cache: [Int: Task] = [:]
      var observation: SyncObservation?

      func draw(_ tasks: SyncRows<Task>) {}
      func reindex(_ id: Int) {}
    }

    """
  }

  /// Views as a user would write them, for a model that is none of a schema.
  private var views: String {
    """
    struct Note: Codable, SyncUpdatableModel, Identifiable {
      var id: Int
      var title: String
      static var syncIdentity: KeyPath<Note, Int> { \\.id }
      static func make(from payload: SyncPayload) throws -> Note {
        Note(id: try payload.required(Int.self, for: "id"), title: try payload.required(String.self, for: "title"))
      }
      mutating func apply(_ payload: SyncPayload) throws -> Bool { try payload.update(&title, for: "title") }
      func export(in context: SyncExportContext) throws -> SyncJSON { .null }
    }

    struct Notes: View {
      @SyncQuery(Note.self, orderBy: [Column("title")], limit: 50) var notes

      var body: some View { List(notes) { Text($0.title + ($notes?.error.map { "\\($0)" } ?? "")) } }
    }

    struct NoteView: View {
      @SyncModel<Note> var note: Note?

      init(id: Int, container: SyncContainer? = nil) { _note = SyncModel(Note.self, id: id, in: container) }

      var body: some View { Text(note?.title ?? "") }
    }

    @MainActor func root(_ container: SyncContainer) -> some View { Notes().syncContainer(container) }
    """
  }
}
