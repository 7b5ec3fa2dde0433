import Testing

@testable import SynclineTooling

/// What is changed in a proposal so that it compiles, and the comments that say so.
@Suite struct SchemaDraftTests {
  /// A draft with the models `Task` and `Note`, which have an identity each.
  private func draft() -> SchemaDraft {
    var draft = SchemaDraft()
    for name in ["Task", "Note"] {
      let identity = SchemaDraft.Property(name: "id", type: .scalar("Int"), isIdentity: true)
      _ = draft.add(.init(kind: .model, name: name, properties: [identity]))
    }
    return draft
  }

  @Test func invalidUnionIsLeftOutWithAReason() {
    var draft = draft()
    let union = draft.add(
      .init(
        kind: .union(key: "kinds[].name"), name: "Item",
        properties: [.init(name: "task", type: .declared(0), key: "task")]))
    draft.declarations[1].properties.append(
      .init(name: "items", type: .list(.declared(union)), key: "items"))
    draft.repair()
    let reason =
      "“kinds[].name” steps into a list or a map: the key that selects a case must be in the object itself."
    #expect(
      draft.text == """
        // Left out: Item, because \(reason)

        model Task {
          id: Int
        }

        model Note {
          id: Int
          // The type [Item] is left out, because \(reason)
          items: JSON?
        }

        """)
  }

  @Test func invalidUnionCaseIsLeftOutWithAReason() {
    var draft = draft()
    _ = draft.add(
      .init(
        kind: .union(key: "type"), name: "Item",
        properties: [
          .init(name: "task", type: .declared(0), key: "task"),
          .init(name: "note", type: .declared(1), key: "note"),
          .init(name: "other", type: .declared(1), key: "other"),
        ]))
    draft.repair()
    #expect(
      draft.text.hasSuffix(
        """
        // Left out: the case "other", because two cases of “Item” have the type “Note”, which makes them ambiguous.
        union Item on "type" {
          case task: Task
          case note: Note
        }

        """), "\(draft.text)")
  }

  @Test func aRenamedCaseKeepsItsValue() {
    var draft = draft()
    _ = draft.add(
      .init(
        kind: .union(key: "type"), name: "Item",
        properties: [
          .init(name: "task", type: .declared(0), key: "task"),
          .init(name: "TASK", type: .declared(1), key: "TASK"),
        ]))
    draft.repair()
    #expect(
      draft.text.hasSuffix(
        """
        union Item on "type" {
          case task: Task
          // Named TASKCase because “Item” has the case “TASK” twice.
          case TASKCase: Note = "TASK"
        }

        """), "\(draft.text)")
  }

  @Test func partsOfAnIdentityKeepTheirOrderAndAreRenamed() {
    var draft = SchemaDraft()
    _ = draft.add(
      .init(
        kind: .model, name: "Entry",
        properties: [
          .init(name: "day", type: .scalar("Int"), key: "day", identityPart: 1),
          .init(name: "hashValue", type: .scalar("String"), key: "hashValue", identityPart: 0),
        ]))
    draft.repair()
    #expect(
      draft.text.contains("@PrimaryKey(\\.hashValueRaw, \\.day) model Entry {\n"), "\(draft.text)")
    #expect(draft.text.contains("  // Named hashValueRaw because “hashValue” is"), "\(draft.text)")
    #expect(draft.text.contains("  @RemoteKey(\"hashValue\") hashValueRaw: String\n"), "\(draft.text)")
  }

  @Test func invalidIdentityIsReplacedWithAReason() {
    var draft = SchemaDraft()
    _ = draft.add(
      .init(
        kind: .model, name: "Entry",
        properties: [
          .init(name: "day", type: .scalar("Int"), key: "day", identityPart: 0),
          .init(name: "share", type: .scalar("Double"), key: "share", identityPart: 1),
        ]))
    draft.repair()
    let reason = "“share” cannot identify a row of “Entry”: it is Double;"
    #expect(
      draft.text.hasPrefix("// Left out: @PrimaryKey(\\.day, \\.share), because \(reason)"), "\(draft.text)")
    let body = "model Entry {\n  id: String\n  day: Int\n  share: Double\n}"
    #expect(draft.text.contains(body), "\(draft.text)")
  }
}
