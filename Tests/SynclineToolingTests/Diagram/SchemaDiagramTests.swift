import SynclineTooling
import Testing

/// The diagram of a schema: each relationship once, whichever of its ends has it.
@Suite struct SchemaDiagramTests {
  private static let text = """
    model User { id: Int; name: String; profile: Profile?; @Relationship(inverse: \\Post.author) posts: [Post]; friends: [User] }
    model Profile { id: Int; @Relationship(inverse: \\User.profile) user: User? }
    model Post { id: UUID; author: User; @Relationship(inverse: \\Tag.posts) tags: [Tag]; parent: Post?; subject: Item? }
    model Tag { @PrimaryKey(remote: "slug") name: String; posts: [Post] }
    @PrimaryKey(\\.user, \\.tag) model Follow { user: User; tag: Tag; since: Date? }
    union Item on "type" { case tag: Tag; case user: User }
    """

  private func diagram() throws -> ModelDiagram {
    ModelDiagram(try TextStore.schema(SchemaDiagramTests.text), titled: "Blog")
  }

  @Test func eachRelationshipIsDrawnOnce() throws {
    #expect(
      try diagram().mermaid == """
        erDiagram
          User {
            Int id PK
            String name
          }
          Profile {
            Int id PK
          }
          Post {
            UUID id PK
          }
          Tag {
            String name PK
          }
          Follow {
            User user PK
            Tag tag PK
            Date since
          }
          User }o--o{ User : friends
          Profile |o--o| User : user
          Post }o--|| User : author
          Post }o--o{ Tag : tags
          Post }o--o| Post : parent
          Post }o--o| Tag : subject
          Post }o--o| User : subject
          Follow }o--|| User : user
          Follow }o--|| Tag : tag

        """)
  }

  @Test func wordsOfMermaidAreQuotedOrChanged() throws {
    let schema = try TextStore.schema(
      "model Item { @PrimaryKey pk: Int; to: Style?; end: Item? }\nmodel Style { id: Int }")
    #expect(
      ModelDiagram(schema, titled: "App").mermaid == """
        erDiagram
          Item {
            Int _pk PK
          }
          "Style" {
            Int id PK
          }
          Item }o--o| "Style" : "to"
          Item }o--o| Item : "end"

        """)
  }

  @Test func svgAndDOTContainAllModelsAndEdges() throws {
    let diagram = try diagram()
    let svg = SVGDiagram.text(diagram)
    for name in ["User", "Profile", "Post", "Tag", "Follow"] {
      #expect(svg.contains("<g id=\"model-\(name)\""))
      #expect(diagram.dot.contains("\"\(name)\" [label="))
    }
    #expect(svg.components(separatedBy: "class=\"edge ").count == 10)
    #expect(diagram.dot.components(separatedBy: " -> ").count == 10)
  }
}
