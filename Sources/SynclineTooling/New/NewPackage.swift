import SynclineCompiler

/// A template of a package: a schema, a payload, a program that syncs it, and a test.
package struct NewPackage {
  /// Names of modules and types that the package uses, so that it cannot have them itself. The names of targets must be unique
  /// among all packages that are built together.
  private static let taken: Set<String> = [
    "Foundation", "GRDB", "GRDBSQLite", "Logging", "Main", "Program", "Project", "Self", "Swift", "Syncline",
    "SynclineBytes", "SynclineCommand", "SynclineCompiler", "SynclineFiles", "SynclineGenerated",
    "SynclineInterpreter", "SynclineMetrics", "SynclineNaming", "SynclinePlugin", "SynclineSchema",
    "SynclineTesting", "SynclineTool", "SynclineTooling", "Task", "Todo", "TodoState", "Testing", "XCTest",
  ]

  private let name: String
  private let syncline: String

  /// - Parameter syncline: the path of the Syncline package, relative to the new package.
  package init(name: String, syncline: String) throws {
    let isWord =
      name.first?.isLetter ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isWord else {
      throw Mistake("“\(name)” must be a name of letters, digits and “_” that begins with a letter.")
    }
    let schema = SourceFile(path: "Todos.syncline", text: NewPackage.schema)
    let diagnostics = CompilerPipeline.analyse(CompilerInput(target: name, files: [schema])).diagnostics
    let isTaken = NewPackage.taken.contains { $0.lowercased() == name.lowercased() }
    guard diagnostics.isEmpty, !isTaken, !SwiftText.isKeyword(name) else {
      throw Mistake("“\(name)” is a name that the package's Swift uses: choose another one.")
    }
    self.name = name
    self.syncline = syncline
  }

  package var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest), (".gitignore", ".build/\nPackage.resolved\n*.sqlite*\n"),
      ("Schemas/\(name)/Todos.syncline", NewPackage.schema), ("Payloads/todos.json", NewPackage.payload),
      ("Sources/\(name)/\(name).swift", program), ("Tests/\(name)Tests/SyncTests.swift", test),
    ]
  }

  private static let schema = """
    model Project {
      id: Int
      name: String
      todos: [Todo]
    }

    model Todo {
      id: Int
      title: String
      state: TodoState = .open
      dueAt: Date?
      project: Project?
    }

    enum TodoState: String {
      case open
      case inProgress = "in_progress"
      case done
    }

    """

  private static let payload = """
    [
      {"id": 1, "title": "Write the schema", "state": "in_progress", "project": {"id": 7, "name": "Start"}},
      {"id": 2, "title": "Sync a payload", "due_at": "2030-01-02T09:00:00Z", "project": {"id": 7}}
    ]

    """

  private var manifest: String {
    """
    // swift-tools-version: 6.1

    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v14)],
      dependencies: [.package(name: "Syncline", path: \(SwiftText.literal(syncline)))],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [.product(name: "Syncline", package: "Syncline")],
          plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]),
        .testTarget(
          name: "\(name)Tests",
          dependencies: ["\(name)", .product(name: "SynclineTesting", package: "Syncline")]),
      ]
    )

    """
  }

  private var program: String {
    """
    import Foundation
    import Syncline

    @main struct Program {
      /// Syncs a payload into a store in the current folder, and prints the stored rows.
      static func main() async throws {
        let payload = CommandLine.arguments.dropFirst().first ?? "Payloads/todos.json"
        let container = try SyncContainer(
          for: \(name)Schema.self, storage: .file(URL(filePath: "\(name).sqlite")))
        print(try await container.sync(payload: Data(contentsOf: URL(filePath: payload)), as: Todo.self))
        for todo in try await container.export(as: Todo.self) { print(todo) }
      }
    }

    """
  }

  private var test: String {
    """
    import Foundation
    import Syncline
    import SynclineTesting
    import Testing

    @testable import \(name)

    @Suite struct SyncTests {
      private static let payload = URL(
        filePath: "../../Payloads/todos.json", relativeTo: URL(filePath: #filePath))

      @Test func thePayloadIsStored() async throws {
        let container = try SyncContainer(for: \(name)Schema.self)
        let payload = try Data(contentsOf: SyncTests.payload)
        let report = try await container.sync(payload: payload, as: Todo.self)
        #expect(report.inserted == 3)
        #expect(report.problems.isEmpty)
        let open = try await container.database.read { database in
          try Todo.filter { $0.state == .open }.fetchAll(database)
        }
        #expect(open.map(\\.title) == ["Sync a payload"])
        try await expectUnchanged(in: container) { try await $0.sync(payload: payload, as: Todo.self) }
      }
    }

    """
  }
}
