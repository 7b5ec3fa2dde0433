import SynclineTooling
import Testing

/// What is proposed for models of SwiftSync, by the shapes that its README describes.
@Suite struct SwiftSyncMigrationTests {
  private func migrated(_ source: String) -> String {
    let text = SwiftSyncMigration([(name: "Models.swift", text: source)]).text
    analysisWithoutErrors(of: text)
    return text
  }

  @Test func oneToManyModelsAreMigrated() {
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

  @Test func attributesAndDefaultsAreMigrated() {
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
        model Task {
          @PrimaryKey(remote: "ext_id") key: String
          @RemoteKey("state.id") state: String = "new"
          @RemoteKey("description") details: String?
          @NotExport project: Project?
          @Relationship(inverse: \\Item.task, deleteRule: .cascade) items: [Item]
          // Models.swift:9: @Attribute(.externalStorage) is not carried over.
          @RenamedFrom("old_rank") rank: Int = -1
          @Unique slug: String?
          @Transient isOpen: Bool = false
          kind: Kind = .small
          // Models.swift:13: CGSize? is not a type of a schema; declare a struct for it.
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

  @Test func multipleBindingsInOneDeclarationAreMigrated() {
    let text = migrated("@Model class Trip { var id: Int; var a: Int, b: Int = 2; var c, d: String }")
    #expect(
      text == """
        model Trip {
          id: Int
          a: Int
          b: Int = 2
          c: String
          d: String
        }

        """)
  }

  @Test func missingTypeIsInferredFromDefault() {
    let text = migrated(
      """
      @Model class Trip {
        var id = UUID()
        var isOpen = false
        var count = -3
        var mask = 0x1F
        var rate = 0.5
        var small = 1e-3
        var title = "x, y"
        var note = "\\(1)"
        var start = Date.now
        var end = Date()
        var names = ["a", "b"]
        var counts = ["a": 1]
        var tags = [String]()
        var size = Size.large
        var total = 60 * 60
        var hours = 1...5
        var precise = 1 as Double
        enum Size: String { case small, large }
      }
      """)
    #expect(
      text == """
        // Models.swift:16: total has no type annotation, and its type cannot be inferred.
        // Models.swift:17: hours has no type annotation, and its type cannot be inferred.
        // Models.swift:18: precise has no type annotation, and its type cannot be inferred.
        model Trip {
          id: UUID
          isOpen: Bool = false
          count: Int = -3
          mask: Int = 31
          rate: Double = 0.5
          small: Double = 0.001
          title: String = "x, y"
          // Models.swift:9: the default "…" is not carried over.
          note: String
          // Models.swift:10: the default Date.now is not carried over.
          start: Date
          // Models.swift:11: the default Date() is not carried over.
          end: Date
          names: [String] = ["a", "b"]
          // Models.swift:13: the default ["a": 1] is not carried over.
          counts: [String: Int]
          tags: [String] = []
          size: Size = .large
        }

        enum Size: String {
          case small
          case large
        }

        """)
  }

  @Test func multilineDefaultWithAContinuedLineIsNotCarriedOver() {
    let text = migrated(
      #"""
      @Model class Trip {
        var id: Int
        var note = """
          line \
          cont
          """
      }
      """#)
    #expect(text.contains(" is not carried over.\n  note: String"), "\(text)")
  }

  @Test func swiftTypeSpellingsAndAliasesAreMapped() {
    let text = migrated(
      """
      typealias Money = Decimal
      @Model class Trip {
        var id: Swift.Int
        var duration: TimeInterval = 3
        var names: Array<String> = []
        var codes: Set<Int>
        var notes: Optional<String> = nil
        var prices: Dictionary<String, Double>
        var cost: Money?
        var stops: Optional<Array<Stop>>
      }
      @Model class Stop { var id: Int }
      """)
    #expect(
      text == """
        model Trip {
          id: Int
          duration: Double = 3
          names: [String] = []
          codes: [Int]
          notes: String?
          prices: [String: Double]
          cost: Decimal?
          stops: [Stop]
        }

        model Stop {
          id: Int
        }

        """)
  }

  @Test func typeWithAFunctionInItsArgumentsIsReadAsAWhole() {
    let text = migrated(
      """
      @Model final class Task {
        var id: Int
        var completion: Result<() -> Void, Error>
        var title: String
      }
      """)
    #expect(
      text == """
        model Task {
          id: Int
          // Models.swift:3: Result<()->Void, Error> is not a type of a schema; declare a struct for it.
          completion: JSON?
          title: String
        }

        """)
  }

  @Test func enumsAreMigrated() {
    let text = migrated(
      """
      @Model class Trip {
        var id: Int
        var level: Level = Level.mid
        var mood: Mood?
        var shape: Shape
        enum Level: Int, Codable { case low, mid = 5, high }
      }
      enum Mood: Codable { case good, bad }
      enum Shape: Codable { case circle(radius: Double), square }
      enum Unused: String { case a }
      """)
    #expect(
      text == """
        model Trip {
          id: Int
          level: Level = .mid
          mood: Mood?
          // Models.swift:5: the cases of Shape have values that an enum of a schema cannot have.
          shape: JSON?
        }

        enum Level: Int {
          case low = 0
          case mid = 5
          case high = 6
        }

        // Mood has no raw values: here they are the names of its cases.
        enum Mood: String {
          case good
          case bad
        }

        """)
  }

  @Test func codableStructsBecomeStructs() {
    let text = migrated(
      """
      @Model class Person { var id: Int; var address: Address?; var trips: [Trip] }
      @Model class Trip { var id: Int; var person: Person? }
      struct Address: Codable, Hashable {
        var street: String
        var zip: String?
        var geo: Point
        var owner: Person?
        var line: String { street }
        enum CodingKeys: String, CodingKey { case street, zip = "postal_code", geo }
        struct Point: Codable { var lat = 0.0, lng = 0.0 }
      }
      struct Unused { var a: Int }
      """)
    #expect(
      text == """
        model Person {
          id: Int
          address: Address?
          trips: [Trip]
        }

        model Trip {
          id: Int
          person: Person?
        }

        struct Address {
          street: String
          @RemoteKey("postal_code") zip: String?
          geo: Point
          // Models.swift:7: Person? is a model, to which a struct cannot refer.
          owner: JSON?
        }

        struct Point {
          lat: Double = 0.0
          lng: Double = 0.0
        }

        """)
  }

  @Test func uniqueAndIndexMacrosAreMigrated() {
    let text = migrated(
      #"""
      @Model class Trip {
        #Unique<Trip>([\.name, \.start])
        #Index<Trip>([\.name], [\.start, \.name])
        var name: String
        var start: Date
      }
      @Model class Stop {
        #Unique<Stop>([\.code], [\Stop.city, \Stop.street])
        var id: Int
        var code: String
        var city: String
        var street: String
      }
      """#)
    #expect(
      text == #"""
        @PrimaryKey(\.name, \.start) @Index(\.name) @Index(\.start, \.name) model Trip {
          name: String
          start: Date
        }

        // Models.swift:7: #Unique of city, street is not carried over.
        model Stop {
          id: Int
          @Unique code: String
          city: String
          street: String
        }

        """#)
  }

  @Test func subclassRepeatsInheritedProperties() {
    let text = migrated(
      """
      @Model class Trip { var id: Int; var name: String }
      @Model final class WorkTrip: Trip, Hashable { var client: String }
      @Model class Loop: Loop { var id: Int }
      """)
    #expect(
      text == """
        model Trip {
          id: Int
          name: String
        }

        // Models.swift:2: the properties of Trip are repeated here.
        model WorkTrip {
          id: Int
          name: String
          client: String
        }

        model Loop {
          id: Int
        }

        """)
  }

  @Test func latestVersionOfModelIsMigrated() {
    let text = migrated(
      """
      enum SchemaV1: VersionedSchema { @Model final class Trip { var id: Int; var title: String } }
      enum SchemaV2: VersionedSchema { @Model final class Trip { var id: Int; var name: String } }
      """)
    #expect(
      text == """
        // Models.swift:1: an earlier version of Trip is left out.
        model Trip {
          id: Int
          name: String
        }

        """)
  }

  @Test func anInverseThatDoesNotExistIsLeftOutWithAComment() {
    let text = migrated(
      #"""
      @Model class Family { var id: Int; @Relationship(inverse: \Plant.leading) var plants: [Plant] }
      @Model class Plant { var id: Int; var family: Family? }
      """#)
    #expect(text.contains("@Relationship(inverse: nil) plants: [Plant]"), "\(text)")
    #expect(
      text.contains(
        #"// The inverse \Plant.leading is left out, because “Plant” has no property “leading”."#),
      "\(text)")
  }

  @Test func renamedPropertyGetsACommentWithTheReason() {
    let text = migrated(
      """
      @Model class Post { var id: Int; var hashValue: Int; var membership: Tag? }
      @Model class Tag { var id: Int }
      """)
    #expect(
      text.contains("// Named hashValueRaw because “hashValue” is a property of Hashable"), "\(text)")
    #expect(
      text.contains(
        "// Named membershipRow because generated code cannot use the name “membership”."), "\(text)")
  }

  @Test func allStringLiteralFormsAreMigrated() {
    let text = migrated(
      ##"""
      @Model class Post {
        var id: Int
        var a: String = #"say "a\b" // no comment"#
        var b: String = """
          two
          lines
          """
        var c: String = "\u{e9}\t\"x\""
        var d: String = "\(f("}"))"
        var e: Int
      }
      """##)
    #expect(
      text == ##"""
        model Post {
          id: Int
          a: String = "say \"a\\b\" // no comment"
          b: String = "two\nlines"
          c: String = "é\t\"x\""
          // Models.swift:9: the default "…" is not carried over.
          d: String
          e: Int
        }

        """##)
  }

  /// A type alias that contains itself, and types in types, end.
  @Test func recursiveTypesDoNotLoop() {
    let nested = String(repeating: "[", count: 300) + "Int" + String(repeating: "]", count: 300)
    let text = migrated(
      "typealias A = [A]\ntypealias B = B\nstruct C { var c: [C] }\n@Model class D { var id: Int; var a: A; var b: B; var c: C; var d: \(nested) }"
    )
    #expect(text.contains("struct C {\n  c: [C]\n}"), "\(text)")
  }

  /// Text that is no Swift, and Swift that ends early, are no trap.
  @Test func malformedSwiftDoesNotTrap() {
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
