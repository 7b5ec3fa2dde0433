import SynclineCompiler
import SynclineTooling
import Testing

/// What is proposed for models of SwiftSync, by the shapes that its README describes.
@Suite struct SwiftSyncMigrationTests {
  private func migrated(_ source: String) -> String {
    let text = SwiftSyncMigration([(name: "Models.swift", text: source)]).text
    let file = SourceFile(path: "Models.syncline", text: text)
    let diagnostics = CompilerPipeline.analyse(CompilerInput(target: "Models", files: [file])).diagnostics
    #expect(diagnostics.filter { $0.severity == .error }.map(\.message) == [], "\(text)")
    return text
  }

  @Test func oneToMany() {
    let text = migrated(
      """
      import SwiftData
      import SwiftSync

      @Syncable
      @Model
      final class User {
        @Attribute(.unique) var id: Int
        var email: String?
        var createdAt: Date?
        var notes: [Note]

        init(id: Int, email: String? = nil, createdAt: Date? = nil, notes: [Note] = []) {
          self.id = id
          self.email = email
        }
      }

      @Syncable
      @Model
      final class Note {
        @Attribute(.unique) var id: Int
        var text: String
        var user: User?

        init(id: Int, text: String, user: User? = nil) { self.id = id }
      }
      """)
    #expect(
      text == """
        model User {
          id: Int
          email: String?
          createdAt: Date?
          notes: [Note]
        }

        model Note {
          id: Int
          text: String
          user: User?
        }

        """)
  }

  @Test func keysAndWhatIsNotExported() {
    let text = migrated(
      """
      @Syncable @Model
      public final class Task {
        @PrimaryKey(remote: "ext_id") public var key: String
        @RemoteKey("state.id")
        public var state: String = "new"  // var ghost: Int
        @RemoteKey("description") var details: String?
        @NotExport public var project: Project?
        @Relationship(deleteRule: .cascade, inverse: \\Item.task) var items: [Item] = []
        @Attribute(originalName: "old_rank", .externalStorage) var rank: Int = -1
        @Attribute(.unique) var slug: String?
        @Transient var isOpen = false
        var kind: Task.Kind = .small
        var size: CGSize?
        var title: String { details ?? "" }
        var watched: Bool = true { didSet { print("}") } }
        static let limit = 3
        enum Kind: String, Codable { case small, large = "L" }
        func go() { let x: Int = 1; _ = x }
      }
      extension Item: ParentScopedModel {
        static var parentRelationship: ReferenceWritableKeyPath<Item, Task?> { \\.task }
      }
      @Syncable @Model final class Project { var id: String; var tags: [Tag]; var labels: [String: Int]? }
      @Syncable @Model final class Item { var remoteID: Int; var task: Task? }
      @Syncable @Model final class Tag { var id: Int; var projects: [Project] }
      """)
    #expect(
      text == """
        // Models.swift:11: the type of isOpen is not written, and cannot be carried over.
        model Task {
          @PrimaryKey(remote: "ext_id") key: String
          @RemoteKey("state.id") state: String = "new"
          @RemoteKey("description") details: String?
          @NotExport project: Project?
          @Relationship(inverse: \\Item.task, deleteRule: .cascade) items: [Item]
          // Models.swift:9: @Attribute(.externalStorage) is not carried over.
          @RenamedFrom("old_rank") rank: Int = -1
          // Models.swift:10: @Attribute(.unique) beside the identity is not carried over.
          slug: String?
          kind: Kind = .small
          // Models.swift:13: CGSize? is no type of a schema: a struct may stand for it.
          size: JSON?
          watched: Bool = true
        }

        model Project {
          id: String
          @Relationship(inverse: \\Tag.projects) tags: [Tag]
          labels: [String: Int]?
        }

        @ParentScoped(\\.task) model Item {
          @PrimaryKey remoteID: Int
          task: Task
        }

        model Tag {
          id: Int
          projects: [Project]
        }

        enum Kind: String {
          case small
          case large = "L"
        }

        """)
  }

  /// Text that is no Swift, and Swift that ends early, are no trap.
  @Test func anyTextIsRead() {
    let source =
      "@Syncable @Model class A { @PrimaryKey(remote: \"x\") var id: Int; var b: [A]? = [ ( { ; enum E: String { case a = \"b\", c } }"
    for count in 0...source.count { _ = migrated(String(source.prefix(count))) }
    for text in [
      "}}}}", "@", "@@@(", "\"", "\"\"\"", "/* /*", "class", "class A", "@Model class {", "var", "enum",
      "@Model class A { var : = }",
    ] {
      _ = migrated(text)
    }
  }
}
