import Foundation
import Syncline
import SynclineTesting
import Testing

/// Joined requests. An association has the name of its property, so that results can be decoded as structs of models.
@Suite struct JoinTests {
  private struct FaultRow: Decodable, FetchableRecord {
    var fault: Fault
    var user: User?
    var closedBy: User?
    var topics: [Topic]
    var notes: Set<Note>
  }

  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(
      payload: #"""
        [{"id": 1, "title": "A", "opened_at": "2024-01-02T03:04:05.123456Z", "user": {"id": 5, "name": "U"},
          "closed_by": {"id": 6, "name": "V"}, "topics": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}],
          "notes": [{"id": 1, "text": "n"}, {"id": 2, "text": "m"}], "block_ids": [2], "blocked_by_ids": [3]},
         {"id": 2, "title": "B", "opened_at": 1, "user_id": 5, "topic_ids": [2]},
         {"id": 3, "title": "C", "opened_at": 2}]
        """#, as: Fault.self)
    return store
  }

  @Test func joinedModelsDecodeIntoAStruct() async throws {
    let rows = try await store().database.read { db in
      try Fault.including(optional: Fault.user).including(optional: Fault.closedBy)
        .including(all: Fault.topics.order(Topic.Columns.name)).including(all: Fault.notes)
        .order(Fault.Columns.id).asRequest(of: FaultRow.self).fetchAll(db)
    }
    let (u, v) = (User(id: 5, name: "U"), User(id: 6, name: "V"))
    let (x, y) = (Topic(id: 1, name: "x"), Topic(id: 2, name: "y"))
    #expect(rows.map(\.fault.title) == ["A", "B", "C"])
    #expect(rows.map(\.fault.user?.id) == [5, 5, nil])
    #expect(rows.map(\.user) == [u, u, nil])
    #expect(rows.map(\.closedBy) == [v, nil, nil])
    #expect(rows.map(\.topics) == [[x, y], [y], []])
    let notes = [
      Note(id: 1, text: "n", fault: Reference(id: 1)), Note(id: 2, text: "m", fault: Reference(id: 1)),
    ]
    #expect(rows.map(\.notes) == [Set(notes), [], []])
  }

  @Test func requiredAssociationsAreDecoded() async throws {
    struct NoteRow: Decodable, FetchableRecord, Equatable {
      var note: Note
      var fault: Fault
    }
    let (rows, fault) = try await store().database.read { db in
      let request = Note.including(required: Note.fault).order(Note.Columns.id)
      return (try NoteRow.fetchAll(db, request), try Fault.fetchOne(db, id: 1))
    }
    #expect(rows.map(\.note.text) == ["n", "m"])
    #expect(rows.map(\.fault) == [fault, fault])
  }

  @Test func associationKeyIsThePropertyName() async throws {
    let row = try await store().database.read { db in
      try Row.fetchOne(
        db, Fault.including(optional: Fault.closedBy).including(all: Fault.topics).filter(key: 1))
    }
    let fault = try #require(row)
    #expect(fault["closedBy"] as Int? == 6)
    #expect(fault["closedBy"] as User? == User(id: 6, name: "V"))
    #expect((fault["topics"] as [Topic]).count == 2)
    #expect(fault.prefetchedRows["topics"]?.count == 2)
  }

  @Test func bothEndsOfASelfRelationshipAreJoinedTogether() async throws {
    struct Blocking: Decodable, FetchableRecord {
      var fault: Fault
      var blocks: [Fault]
      var blockedBy: [Fault]
    }
    let row = try await store().database.read { db in
      try Fault.including(all: Fault.blocks).including(all: Fault.blockedBy).filter(key: 1)
        .asRequest(of: Blocking.self).fetchOne(db)
    }
    #expect(row?.blocks.map(\.id) == [2])
    #expect(row?.blockedBy.map(\.id) == [3])
  }

  @Test func aTreeDecodesInBothDirections() async throws {
    struct CategoryRow: Decodable, FetchableRecord {
      var category: Category
      var parent: Category?
      var children: [Category]
    }
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": "a", "name": "A", "children": [{"id": "b", "name": "B"}]}]"#, as: Category.self)
    let rows = try await store.database.read { db in
      try Category.including(optional: Category.parent).including(all: Category.children)
        .order(Category.Columns.id).asRequest(of: CategoryRow.self).fetchAll(db)
    }
    #expect(rows.map(\.parent?.id) == [nil, "a"])
    #expect(rows.map { $0.children.map(\.id) } == [["b"], []])
  }

  @Test func bothEndsOfAOneToOneDecode() async throws {
    struct PersonRow: Decodable, FetchableRecord {
      var person: Person
      var passport: Passport?
    }
    struct PassportRow: Decodable, FetchableRecord {
      var passport: Passport
      var person: Person
    }
    let store = try makeStore()
    try await store.sync(
      payload: #"[{"id": 1, "name": "N", "passport": {"id": 7, "number": "x"}}, {"id": 2, "name": "M"}]"#,
      as: Person.self)
    let (people, passports) = try await store.database.read { db in
      (
        try Person.including(optional: Person.passport).order(Person.Columns.id)
          .asRequest(of: PersonRow.self).fetchAll(db),
        try Passport.including(required: Passport.person).asRequest(of: PassportRow.self).fetchAll(db)
      )
    }
    #expect(people.map(\.passport?.id) == [7, nil])
    #expect(passports.map(\.person.name) == ["N"])
  }

  @Test func filteredAssociationNeedsAnotherKey() async throws {
    struct Named: Decodable, FetchableRecord {
      var fault: Fault
      var author: User?
    }
    struct Unnamed: Decodable, FetchableRecord {
      var fault: Fault
      var user: User?
    }
    let store = try await store()
    try await store.database.read { db in
      let filtered = Fault.user.filter(User.Columns.name == "nobody")
      let request = Fault.including(optional: filtered.forKey("author")).filter(key: 1)
      let named = try request.asRequest(of: Named.self).fetchOne(db)
      #expect(named?.fault.user?.id == 5)
      #expect(named?.author == nil)
      // Without `forKey`, the column `user` would be used as the missing row. This must be an error, not a wrong value.
      let error = #expect(throws: DecodingError.self) {
        try Fault.including(optional: filtered).filter(key: 1).asRequest(of: Unnamed.self).fetchOne(db)
      }
      #expect(error.map { "\($0)".contains("forKey") } ?? false)
    }
  }

  @Test func joinedModelsEqualSeparatelyFetchedModels() async throws {
    struct ChestRow: Decodable, FetchableRecord {
      var chest: Chest
      var one: Kinds?
      var kinds: [Kinds]
      var required: [Required]
      var lists: [Lists]

      // The strategies of the struct apply only to its own columns.
      static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
      }
    }
    let store = try makeStore()
    try await store.sync(item: CodableTests.chest, as: Chest.self)
    let row = try await store.database.read { db in
      try Chest.including(optional: Chest.one).including(all: Chest.kinds).including(all: Chest.required)
        .including(all: Chest.lists).asRequest(of: ChestRow.self).fetchOne(db)
    }
    let (kinds, required, lists) = try await store.database.read { db in
      (try Kinds.fetchAll(db), try Required.fetchAll(db), try Lists.fetchAll(db))
    }
    #expect(row?.one == kinds.first)
    #expect(kinds.first?.date == Date(timeIntervalSince1970: 1_704_164_645.123456))
    #expect(row?.kinds == kinds)
    #expect(row?.required == required)
    #expect(row?.lists == lists)
    #expect(kinds.count == 2 && required.count == 1 && lists.count == 2)
  }
}
