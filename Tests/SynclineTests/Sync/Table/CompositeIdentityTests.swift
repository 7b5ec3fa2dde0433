import Foundation
import GRDB
import Syncline
import SynclineTesting
import TestSupport
import Testing

/// Rows with a composite identity.
@Suite struct CompositeIdentityTests {
  private static let enrolments = """
    [{"pupil_id": 1, "course": {"id": "a", "title": "A"}, "grade": "x"},
     {"pupil": {"id": 1, "name": "P"}, "course_id": "b", "grade": "y"},
     {"pupil_id": 2, "course_id": "a"}]
    """

  private func store() async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Pupil.self)
    try await store.sync(payload: #"[{"id": "a"}, {"id": "b"}]"#, as: Course.self)
    return store
  }

  // MARK: Rows

  @Test func objectsWithEqualIdentityPartsAreOneRow() async throws {
    let store = try await store()
    let report = try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    #expect(report[Enrolment.self].inserted == 3 && report.problems.isEmpty)
    #expect(
      try store.pick(Enrolment.self, "syncID", "grade") == [
        [#"[1,"a"]"#, "x"], [#"[1,"b"]"#, "y"], [#"[2,"a"]"#, .null],
      ])
    let writes = try store.writes()
    #expect(try await store.sync(payload: Self.enrolments, as: Enrolment.self).isUnchanged)
    #expect(try store.writes() == writes)
    let other = #"[{"course_id": "a", "pupil_id": 1, "grade": "z"}, {"pupil_id": "2", "course_id": "b"}]"#
    let second = try await store.sync(payload: other, as: Enrolment.self)
    // A key of another type than the identity refers to no row.
    #expect(second[Enrolment.self].updated == 1 && second[Enrolment.self].skipped == 1)
  }

  @Test func rowOrderDoesNotAffectCompositeIdentities() async throws {
    let forward = try await store()
    let backward = try await store()
    try await forward.sync(payload: Self.enrolments, as: Enrolment.self)
    let rows = try #require(SyncJSON(parsing: Self.enrolments).array)
    try await backward.sync(
      payload: SyncJSON.array(rows.reversed()).description, as: Enrolment.self)
    #expect(try forward.everything() == backward.everything())
  }

  @Test func missingRowsWithACompositeIdentityAreDeleted() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let report = try await store.sync(
      payload: #"[{"pupil_id": 1, "course_id": "b"}]"#, as: Enrolment.self)
    #expect(report[Enrolment.self].deleted + report[Enrolment.self].softDeleted == 2)
  }

  @Test func rowWithoutAnIdentityPartIsReportedAndSkipped() async throws {
    for (row, reason) in [
      (#"{"pupil_id": 1}"#, "course_id"), (#"{"course_id": "a"}"#, "pupil_id"),
      (#"{"pupil_id": null, "course_id": "a"}"#, "pupil_id"),
      (#"{"pupil_id": true, "course_id": "a"}"#, "pupil_id"), (#"{"pupil": {}, "course_id": "a"}"#, "pupil"),
      ("{}", "pupil_id"),
    ] {
      let store = try await store()
      let rows = #"[\#(row), {"pupil_id": 2, "course_id": "b"}]"#
      let report = try await store.sync(payload: rows, as: Enrolment.self)
      #expect(report[Enrolment.self].inserted == 1 && report[Enrolment.self].skipped == 1)
      #expect(report.problems.contains { "\($0)".contains(reason) }, "\(row): \(report.problems)")
      #expect(try store.pick(Enrolment.self, "syncID") == [[#"[2,"b"]"#]])
    }
  }

  @Test func aPayloadWithoutAnyIdentityIsRefused() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let error = await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"[{"id": 1}]"#, as: Enrolment.self)
    }
    #expect("\(try #require(error))".contains("pupil"))
    #expect(try store.rows(of: Enrolment.self).count == 3)
  }

  @Test func rowWhoseIdentityRefersToAMissingRowIsRejected() async throws {
    let store = try await store()
    await #expect(throws: SyncError.self) {
      try await store.sync(payload: #"[{"pupil_id": 9, "course_id": "a"}]"#, as: Enrolment.self)
    }
    #expect(try store.rows(of: Enrolment.self).isEmpty)
  }

  // MARK: Within a parent

  @Test func ownerOfAListIsPartOfItsMembersIdentity() async throws {
    let store = try await store()
    let pupils = """
      [{"id": 1, "enrolments": [{"course_id": "a", "grade": "x"}, {"course": {"id": "b"}}]},
       {"id": 2, "enrolments": [{"course_id": "a", "grade": "y"}]}]
      """
    let report = try await store.sync(payload: pupils, as: Pupil.self)
    #expect(report.problems.isEmpty)
    let expected: [[SyncJSON]] = [[#"[1,"a"]"#, "x"], [#"[1,"b"]"#, .null], [#"[2,"a"]"#, "y"]]
    #expect(try store.pick(Enrolment.self, "syncID", "grade") == expected)
    let writes = try store.writes()
    #expect(try await store.sync(payload: pupils, as: Pupil.self).isUnchanged)
    #expect(try store.writes() == writes)
    // Equal bytes in the list of another parent are another row.
    let same = """
      [{"id": "a", "enrolments": [{"pupil_id": 1}]}, {"id": "b", "enrolments": [{"pupil_id": 1}]}]
      """
    let second = try await store.sync(payload: same, as: Course.self)
    #expect(second[Enrolment.self].inserted == 0)
    // Rows that are not in the list of a course are soft-deleted.
    #expect(try store.pick(Enrolment.self, "syncID", "grade") == expected)
  }

  @Test func ownerOfTheListOverridesTheRowsIdentityKey() async throws {
    let store = try await store()
    try await store.sync(
      payload: #"[{"id": 1, "enrolments": [{"pupil_id": 2, "course_id": "a"}]}]"#, as: Pupil.self,
      deletionPolicy: .none)
    #expect(try store.pick(Enrolment.self, "syncID", "pupil") == [[#"[1,"a"]"#, 1]])
  }

  @Test func objectWithAPartialIdentityDoesNotUpdateTheLinkedRow() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    try await store.sync(
      payload: #"[{"id": 1, "enrolment": {"pupil_id": 1, "course_id": "a"}}]"#, as: Footnote.self)
    // An object without any part of the identity is applied to the linked row.
    let change = try await store.sync(
      payload: #"[{"id": 1, "enrolment": {"grade": "new"}}]"#, as: Footnote.self)
    #expect(change[Enrolment.self].updated == 1 && change.problems.isEmpty)
    let other = try await store.sync(
      payload: #"[{"id": 1, "enrolment": {"pupil_id": 2, "grade": "lost"}}]"#, as: Footnote.self)
    #expect(other.actions == [.ignoredObject])
    #expect(try store.pick(Enrolment.self, "syncID", "pupil", "grade").first == [#"[1,"a"]"#, 1, "new"])
  }

  @Test func rowMissingFromItsOwnersListIsDeleted() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let report = try await store.sync(
      payload: #"[{"id": 1, "enrolments": [{"course_id": "b"}]}]"#, as: Pupil.self, deletionPolicy: .none)
    #expect(report[Enrolment.self].deleted + report[Enrolment.self].softDeleted == 1)
  }

  @Test func parentArgumentIsPartOfTheRowIdentity() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let payload = #"[{"course_id": "b", "grade": "new"}]"#
    let report = try await store.sync(
      payload: payload, as: Enrolment.self, parent: 1, relationship: \Enrolment.pupil)
    #expect(report[Enrolment.self].updated == 1)
    #expect(report[Enrolment.self].deleted + report[Enrolment.self].softDeleted == 1)
    let again = try await store.sync(
      payload: payload, as: Enrolment.self, parent: 1, relationship: \Enrolment.pupil)
    #expect(again[Enrolment.self].updated == 0 && again[Enrolment.self].inserted == 0)
    // Rows of other parents are kept.
    #expect(try store.pick(Enrolment.self, "syncID", "grade").contains([#"[2,"a"]"#, .null]))
  }

  @Test func identitiesCanBeNestedInThreeLevels() async throws {
    let (first, second) = (UUID().uuidString, UUID().uuidString)
    let payload = """
      [{"id": "\(first)", "chapters": [
         {"id": 1, "title": "a", "verses": [{"number": 1, "text": "a1"}, {"number": 2, "text": "a2"}]},
         {"id": 2, "title": "b", "verses": [{"number": 1, "text": "b1"}]}]},
       {"id": "\(second)", "chapters": [
         {"id": 1, "title": "c", "verses": [{"number": 1, "text": "c1", "readers": [{"id": 5}]}]}]}]
      """
    let store = try makeStore()
    let report = try await store.sync(payload: payload, as: Anthology.self)
    #expect(report.problems.isEmpty && report[Chapter.self].inserted == 3 && report[Verse.self].inserted == 4)
    #expect(
      try Set(store.pick(Verse.self, "syncID", "text")) == [
        [.string(#"[["\#(first)",1],1]"#), "a1"], [.string(#"[["\#(first)",1],2]"#), "a2"],
        [.string(#"[["\#(first)",2],1]"#), "b1"], [.string(#"[["\#(second)",1],1]"#), "c1"],
      ])
    let writes = try store.writes()
    #expect(try await store.sync(payload: payload, as: Anthology.self).isUnchanged)
    #expect(try store.writes() == writes)
    // Syncing the exported rows changes nothing.
    let exported = try await store.exportData(as: Anthology.self)
    #expect(try await store.sync(payload: exported, as: Anthology.self).isUnchanged)
    let copy = try makeStore()
    try await copy.sync(payload: exported, as: Anthology.self)
    #expect(try copy.everything() == store.everything())
    // A list of the innermost rows only, by the identity of their owner.
    let chapter = Chapter.ID(anthology: try #require(UUID(uuidString: first)), id: 1)
    let one = try await store.sync(
      payload: #"[{"number": 2, "text": "new"}]"#, as: Verse.self, parent: chapter,
      relationship: \Verse.chapter)
    #expect(one[Verse.self].updated == 1 && one[Verse.self].deleted == 1)
    #expect(try store.rows(of: Verse.self).count == 3)
  }

  // MARK: References

  @Test func nestedObjectRefersToACompositeIdentity() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let payload = """
      [{"id": 1, "enrolment": {"pupil_id": 1, "course_id": "a", "grade": "new"}},
       {"id": 2, "enrolment": {"pupil": {"id": 2}, "course": {"id": "a"}}},
       {"id": 3, "enrolment": null}]
      """
    let report = try await store.sync(payload: payload, as: Footnote.self)
    #expect(report.problems.isEmpty && report[Enrolment.self].updated == 1)
    #expect(
      try store.pick(Footnote.self, "id", "enrolment") == [
        [1, #"[1,"a"]"#], [2, #"[2,"a"]"#], [3, .null],
      ])
    #expect(try await store.sync(payload: payload, as: Footnote.self).isUnchanged)
    let exported = try await store.export(as: Footnote.self)
    #expect(exported.first?["enrolment_id"] == ["pupil": 1, "course": "a"])
    let text = try await store.exportData(as: Footnote.self)
    #expect(try await store.sync(payload: text, as: Footnote.self).isUnchanged)
  }

  @Test func singleOrPartialKeyDoesNotMatchACompositeIdentity() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    for value in ["5", #""[1,\"a\"]""#, #"[1, "a"]"#, "{}", #"{"pupil_id": 1}"#] {
      let report = try await store.sync(
        payload: #"[{"id": 1, "text": "t", "enrolment": \#(value)}]"#, as: Footnote.self)
      #expect(!report.problems.isEmpty, "\(value)")
      #expect(try store.pick(Footnote.self, "enrolment") == [[.null]])
    }
  }

  @Test func pendingLinkToACompositeIdentityIsExported() async throws {
    let store = try makeStore()
    let chapter = #"{"anthology_id": "\#(UUID().uuidString)", "id": 1}"#
    try await store.sync(
      payload: #"[{"id": 1, "verses": [{"chapter": \#(chapter), "number": 3}]}]"#, as: Reader.self)
    #expect(try store.rows(of: Verse.self).isEmpty)
    let exported = try await store.export(as: Reader.self)
    #expect(exported.first?["verses"]?.array?.first?["number"] == 3)
    // In another store, the link is pending, too.
    let copy = try makeStore()
    try await copy.sync(payload: SyncJSON.array(exported).description, as: Reader.self)
    #expect(try await copy.export(as: Reader.self) == exported)
  }

  /// Parts may be in one object, or share a key with a relationship.
  @Test(arguments: [
    (
      #"@PrimaryKey(\.a, \.b, \.c) model Place { @RemoteKey("key.a") a: Int; b: Int; @RemoteKey("key.c") c: Int }"#,
      #"{"key": {"a": 1, "c": 3}, "b": 2}"#
    ),
    (
      #"@PrimaryKey(\.userID, \.b) model Place { userID: Int; user: User?; b: Int }"#,
      #"{"user_id": 5, "b": 2}"#
    ),
    (
      #"@PrimaryKey(\.user, \.b) model Place { userID: Int; @Export(.identities) user: User; b: Int }"#,
      #"{"user_id": 5, "b": 2}"#
    ),
  ])
  func referencesHaveAllPartsOfTheIdentity(place: String, reference: String) async throws {
    let store = try TextStore(
      """
      \(place)
      model User { id: Int }
      model Visit { id: Int; @Export(.identities) place: Place? }
      """)
    try await store.sync(#"[{"id": 5}]"#, as: "User")
    try await store.sync("[{\"id\": 1, \"place\": \(reference)}]", as: "Visit")
    let (rows, text) = (try await store.exportedRows(of: "Visit"), try await store.exportData("Visit"))
    let expected = try SyncJSON(parsing: reference)
    #expect(rows.map { $0["place_id"] } == [expected])
    #expect(try SyncJSON(parsing: text) == SyncJSON.array(rows))
    #expect(try await store.sync(text, as: "Visit").isUnchanged)
  }

  /// The row could be created from its identity, but the identity requires another row.
  private static let variants = """
    model Product { id: Int; name: String }
    @PrimaryKey(\\.product, \\.size) model Variant { product: Product; size: Int; price: Int }
    model Line { id: Int; variant: Variant? }
    """

  @Test func objectNestedInTheIdentityOfAPendingRowIsStored() async throws {
    let store = try TextStore(Self.variants)
    let payload = #"[{"id": 1, "variant": {"product": {"id": 7, "name": "Shirt"}, "size": 3}}]"#
    let report = try await store.sync(payload, as: "Line")
    #expect(report.problems == [] && report.waitingCount == 1)
    #expect(try await store.rows("SELECT * FROM Product") == ["7 Shirt"])
    #expect(try await store.sync(payload, as: "Line").isUnchanged)
  }

  @Test(arguments: [true, false])
  func rowOfAnIdentityPartMayBeNestedInAnyObject(isFirst: Bool) async throws {
    let store = try TextStore(Self.variants)
    let lines = [
      #"{"id": 1, "variant": {"product": {"id": 7, "name": "Shirt"}, "size": 3}}"#,
      #"{"id": 2, "variant": {"product_id": 7, "size": 3, "price": 5}}"#,
    ]
    let payload = "[\((isFirst ? lines : lines.reversed()).joined(separator: ","))]"
    let report = try await store.sync(payload, as: "Line")
    #expect(report.problems == [] && report.waitingCount == 0)
    #expect(try await store.rows("SELECT name, size, price FROM Product, Variant") == ["Shirt 3 5"])
    #expect(try await store.rows("SELECT count(variant) FROM Line") == ["2"])
    #expect(try await store.sync(payload, as: "Line").isUnchanged)
  }

  @Test(arguments: [true, false])
  func requiredRelationshipOfACompositeRowMayBeGivenByAList(isFirst: Bool) async throws {
    let store = try TextStore(
      """
      model Area { id: Int; @Relationship(inverse: \\Cell.area) cells: [Cell] }
      @PrimaryKey(\\.x, \\.y) model Cell { x: Int; y: Int; text: String; area: Area }
      model Test { id: Int; @Relationship(inverse: nil) cell: Cell?; @Relationship(inverse: nil) area: Area? }
      """)
    let tests = [
      #"{"id": 1, "cell": {"x": 1, "y": 2, "text": "v"}}"#,
      #"{"id": 2, "area": {"id": 5, "cells": [{"x": 1, "y": 2}]}}"#,
    ]
    let payload = "[\((isFirst ? tests : tests.reversed()).joined(separator: ","))]"
    #expect(try await store.sync(payload, as: "Test").problems == [])
    #expect(try await store.rows("SELECT x, y, text, area FROM Cell") == ["1 2 v 5"])
    #expect(try await store.rows("SELECT count(cell) FROM Test") == ["1"])
    #expect(try await store.sync(payload, as: "Test").isUnchanged)
  }

  @Test func linkToASkippedCompositeRowIsPending() async throws {
    let store = try makeStore(invalidRows: .skip)
    let payload = #"[{"id": 1, "enrolment": {"pupil_id": 1, "course_id": "a"}}]"#
    let report = try await store.sync(payload: payload, as: Footnote.self)
    #expect(report.actions == [.skippedRow] && report.waitingCount == 1)
    let before = try store.everything()
    #expect(try await store.sync(payload: payload, as: Footnote.self)[Footnote.self].isUnchanged)
    let exported = try await store.exportData(as: Footnote.self)
    try await store.sync(payload: exported, as: Footnote.self)
    #expect(try store.everything() == before)
    // The required row may follow.
    try await store.sync(
      payload: """
        [{"id": 1, "enrolment": {"pupil_id": 1, "course_id": "a"}},
         {"id": 2, "enrolment": {"pupil": {"id": 1}, "course": {"id": "a"}}}]
        """, as: Footnote.self)
    #expect(try store.pick(Footnote.self, "enrolment") == [[#"[1,"a"]"#], [#"[1,"a"]"#]])
  }

  @Test func manyToManyLinksOfCompositeRowsAreStored() async throws {
    let store = try makeStore()
    let id = UUID().uuidString
    try await store.sync(payload: #"[{"id": "\#(id)", "chapters": [{"id": 1}]}]"#, as: Anthology.self)
    let verses = """
      [{"chapter": {"anthology_id": "\(id)", "id": 1}, "number": 1, "text": "a", "reader_ids": [1, 2]}]
      """
    try await store.sync(payload: #"[{"id": 1}, {"id": 2}]"#, as: Reader.self)
    try await store.sync(payload: verses, as: Verse.self)
    #expect(try await store.sync(payload: verses, as: Verse.self).isUnchanged)
    let reader = try await store.database.read { db in try Reader.fetchOne(db, id: 1) }
    let found = try await store.database.read { db in try reader?.verses.fetchAll(db) }
    #expect(found?.map(\.text) == ["a"])
  }

  @Test func compositeRowsSyncBackFromJSONAPIUnchanged() async throws {
    let store = try makeStore()
    let id = UUID().uuidString
    try await store.sync(
      payload: #"[{"id": "\#(id)", "chapters": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}]"#,
      as: Anthology.self)
    let document = try await store.exportJSONAPI(as: Chapter.self)
    #expect(try await store.sync(jsonAPI: document.data(), as: Chapter.self)[Chapter.self].unchanged == 2)
  }

  /// The `id` in a document is meaningless to other programs, so the parts of the identity are in `meta`.
  @Test func jsonAPIExportsIdentityPartsInMeta() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let id = UUID().uuidString
    try await store.sync(
      payload: #"[{"id": "\#(id)", "chapters": [{"id": 1, "verses": [{"number": 3, "text": "t"}]}]}]"#,
      as: Anthology.self)
    try await store.sync(
      payload: """
        [{"id": 1, "enrolment": {"pupil_id": 1, "course_id": "a"}}, {"id": 2}]
        """, as: Footnote.self)
    try await store.sync(
      payload: #"""
        [{"id": 1, "verses": [{"chapter": {"anthology_id": "\#(id)", "id": 1}, "number": 3},
          {"chapter": {"anthology_id": "\#(id)", "id": 9}, "number": 4}]}]
        """#, as: Reader.self)
    let (before, waiting) = (try store.everything(), try await store.waitingLinks())
    let footnotes = try await store.exportJSONAPI(as: Footnote.self)
    let linkage = footnotes["data"]?.array?.map { $0["relationships"]?["enrolment"]?["data"] }
    #expect(
      linkage == [
        ["type": "enrolments", "id": #"[1,"a"]"#, "meta": ["pupil": 1, "course": "a"]], nil as SyncJSON,
      ])
    let readers = try await store.exportJSONAPI(as: Reader.self)
    #expect(
      readers["data"]?[0]?["relationships"]?["verses"]?["data"]?[0]?["meta"]
        == ["chapter": ["anthology": .string(id), "id": 1], "number": 3])
    for (document, report) in [
      (footnotes, try await store.sync(jsonAPI: footnotes, as: Footnote.self)),
      (readers, try await store.sync(jsonAPI: readers, as: Reader.self)),
    ] {
      #expect(report.isUnchanged && report.problems.isEmpty, "\(document) \(report)")
    }
    #expect(try store.everything() == before)
    #expect(try await store.waitingLinks() == waiting)
    // Another store links the rows when they arrive.
    let other = try makeStore()
    try await other.sync(payload: store.exportData(as: Pupil.self), as: Pupil.self)
    try await other.sync(payload: store.exportData(as: Anthology.self), as: Anthology.self)
    try await other.sync(jsonAPI: footnotes, as: Footnote.self)
    try await other.sync(jsonAPI: readers, as: Reader.self)
    #expect(try other.pick(Footnote.self, "enrolment") == store.pick(Footnote.self, "enrolment"))
    #expect(try other.pick(Reader.self, "verses") == store.pick(Reader.self, "verses"))
  }

  // MARK: Swift

  @Test func compositeIdentityIsHashableAndCodable() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let id = Enrolment.ID(pupil: 1, course: "a")
    let row = try await store.database.read { db in try Enrolment.fetchOne(db, id: id) }
    #expect(row?.grade == "x" && row?.id == id && row?.syncID == id && id.hashValue == row?.id.hashValue)
    #expect(try JSONDecoder().decode(Enrolment.ID.self, from: JSONEncoder().encode(id)) == id)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Enrolment.ID.self, from: Data(#""[1]""#.utf8))
    }
    for text in ["", "[", "[]", "[1]", #"[1,"a",2]"#, #"["a",1]"#, "{}", "1", #"[1.5,"a"]"#] {
      #expect(Enrolment.ID.fromDatabaseValue(text.databaseValue) == nil)
    }
    // Strings that are equal in Swift but differ in bytes are different identities.
    #expect(Enrolment.ID(pupil: 1, course: "\u{E9}") != Enrolment.ID(pupil: 1, course: "e\u{301}"))
    let odd = Enrolment.ID(pupil: .min, course: "a\",]\u{0}\\\u{1F600}")
    #expect(Enrolment.ID.fromDatabaseValue(odd.databaseValue) == odd)
    let coded = try JSONDecoder().decode(Enrolment.self, from: JSONEncoder().encode(try #require(row)))
    #expect(coded == row)
  }

  @Test func rowsAreJoinedByTheirCompositeIdentity() async throws {
    struct Line: Decodable, FetchableRecord {
      var footnote: Footnote
      var enrolment: Enrolment?
    }
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    try await store.sync(
      payload: #"[{"id": 1, "enrolment": {"pupil_id": 1, "course_id": "a"}}]"#, as: Footnote.self)
    let lines = try await store.database.read { db in
      try Footnote.including(optional: Footnote.enrolment).asRequest(of: Line.self).fetchAll(db)
    }
    #expect(lines.first?.enrolment?.grade == "x")
    let footnotes = try await store.database.read { db in
      try Enrolment.fetchOne(db, id: Enrolment.ID(pupil: 1, course: "a"))?.footnotes.fetchCount(db)
    }
    #expect(footnotes == 1)
    let found = try await store.database.read { db in
      try Enrolment.filter(Enrolment.Columns.syncID == Enrolment.ID(pupil: 1, course: "b")).fetchCount(db)
    }
    #expect(found == 1)
  }

  @Test func compositeRowsCanBeWrittenByTheUser() async throws {
    let store = try await store()
    let row = Enrolment(
      pupil: Reference(id: 1), course: Reference(id: "a"), grade: "g", leftAt: nil)
    try await store.database.write { db in
      try row.insert(db)
      var changed = row
      changed.grade = "h"
      try changed.update(db)
    }
    #expect(try store.pick(Enrolment.self, "syncID", "grade") == [[#"[1,"a"]"#, "h"]])
    let report = try await store.sync(
      payload: #"[{"pupil_id": 1, "course_id": "a", "grade": "h"}]"#, as: Enrolment.self)
    #expect(report.isUnchanged)
    // A relationship in an identity cannot be changed.
    await #expect(throws: SyncError.self) {
      try await store.database.write { db in
        try Pupil.membership(\.enrolments, of: 2).insert([row.syncID], db)
      }
    }
    let footnote = #"[{"id": 1}]"#
    try await store.sync(payload: footnote, as: Footnote.self)
    try await store.database.write { db in try row.membership(\.footnotes).set([1], db) }
    #expect(try store.pick(Footnote.self, "enrolment") == [[#"[1,"a"]"#]])
  }

  // MARK: Scalars

  @Test func identityPartsAreParsedLikeTheirProperties() async throws {
    let store = try makeStore()
    let payload = """
      [{"base": "gold", "to": {"code": "usd"}, "day": "2024-02-01", "rate": 1.5},
       {"base": "lead", "to": {"code": "usd"}, "day": "2024-02-01", "rate": 2},
       {"base": "gold", "to": {"code": "usd"}, "day": "2024-02-02T00:00:00Z", "rate": 3}]
      """
    let report = try await store.sync(payload: payload, as: DayRate.self)
    #expect(report.inserted == 3 && report.problems.isEmpty)
    #expect(try await store.sync(payload: payload, as: DayRate.self).isUnchanged)
    let rows = try await store.database.read { db in try DayRate.fetchAll(db) }
    for row in rows {
      #expect(DayRate.ID.fromDatabaseValue(row.syncID.databaseValue) == row.syncID)
      let found = try await store.database.read { db in try DayRate.fetchOne(db, id: row.syncID) }
      #expect(found == row)
    }
    let exported = try await store.exportData(as: DayRate.self)
    #expect(try await store.sync(payload: exported, as: DayRate.self).isUnchanged)
  }

  @Test func changesReferToRowsByIdentityParts() async throws {
    let store = try await store()
    try await store.sync(payload: Self.enrolments, as: Enrolment.self)
    let changes = """
      {"updated": [{"pupil_id": 1, "course_id": "a", "grade": "new"}],
       "deleted": [{"pupil_id": 2, "course_id": "a"}, "x", 3]}
      """
    let report = try await store.sync(changes: changes, as: Enrolment.self)
    #expect(report[Enrolment.self].updated >= 1)
    #expect(report[Enrolment.self].skipped == 2)
  }
}
