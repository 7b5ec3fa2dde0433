import Syncline
import SynclineTesting
import TestSupport
import Testing

/// A union property is one relationship (contract, section 7): one statement decides all of its cases, and the key takes
/// precedence over the object.
@Suite struct UnionStatementTests {
  private static let stream = """
    [{"type": "tale", "id": 1, "title": "a"}, {"type": "tale", "id": 2, "title": "b"},
     {"type": "image", "id": "p", "url": "u"}]
    """
  private static let tale = #""subject": {"type": "tale", "id": 1}"#
  private static let picture = #""subject_type": "image", "subject_id": "p""#

  /// A store with two tales, a picture, and opinion 1, which may have a subject.
  private func store(about subject: String?) async throws -> SyncContainer {
    let store = try makeStore()
    try await store.sync(payload: Self.stream, as: StreamItem.self)
    if let subject {
      try await store.sync(item: "{\"id\": 1, \"text\": \"x\", \(subject)}", as: Opinion.self)
    }
    return store
  }

  private func subjects(_ store: SyncContainer) throws -> [SyncJSON] {
    try store.pick(Opinion.self, "subjectTale", "subjectPicture", "subjectUnrecognized").first ?? []
  }

  /// Syncs statements about opinion 1 twice, and expects the same result each time.
  private func expect(
    _ said: String, _ subject: [SyncJSON], before: String?, _ actions: [SyncProblem.Action] = [],
    _ operations: SyncRelationshipOperations = .all
  ) async throws {
    for isItem in [true, false] {
      let store = try await store(about: before)
      let opinion = "{\"id\": 1, \"text\": \"x\", \(said)}"
      for isRepeated in [false, true] {
        let report =
          isItem
          ? try await store.sync(item: opinion, as: Opinion.self, relationshipOperations: operations)
          : try await store.sync(
            payload: "[\(opinion)]", as: Opinion.self, relationshipOperations: operations)
        #expect(try subjects(store) == subject, "\(said) after \(before ?? "none")")
        #expect(report.actions == actions, "\(report)")
        if isRepeated { #expect(report.isUnchanged, "\(said) after \(before ?? "none"): \(report)") }
      }
      let exported = SyncJSON.array(try await store.export(as: Opinion.self))
      #expect(try await store.sync(payload: exported, as: Opinion.self).isUnchanged)
    }
  }

  private static let stored: [String?] = [
    nil, tale, picture, #""subject": {"type": "video"}"#, #""subject": null"#,
  ]

  @Test(arguments: stored) func unionKeyOverridesAnObjectOfAnotherCase(before: String?) async throws {
    for said in ["\(Self.tale), \(Self.picture)", "\(Self.picture), \(Self.tale)"] {
      try await expect(said, [.null, "p", .null], before: before)
    }
    let whole = #""subject": {"type": "tale", "id": 1, "title": "other"}"#
    try await expect("\(whole), \(Self.picture)", [.null, "p", .null], before: before, [.ignoredObject])
    let other =
      #""subject": {"type": "image", "id": "p", "url": "v"}, "subject_type": "tale", "subject_id": 2"#
    try await expect(other, [2, .null, .null], before: before, [.ignoredObject])
  }

  @Test func objectOverriddenByAUnionKeyIsNotSynced() async throws {
    let store = try await store(about: nil)
    let said = #""subject": {"type": "tale", "id": 1, "title": "other"}, \#(Self.picture)"#
    let report = try await store.sync(item: "{\"id\": 1, \"text\": \"x\", \(said)}", as: Opinion.self)
    #expect(try store.pick(Tale.self, "title") == [["a"], ["b"]])
    #expect(report[Tale.self].updated == 0 && report[Opinion.self].linked == 1)
    #expect(
      report.problems.map(\.description) == [
        "Opinion “1”, subject: the nested object and the foreign key name different Tale rows (the object was ignored)"
      ])
  }

  @Test(arguments: stored) func unionKeyOfAnUnknownTypeOverridesTheObject(before: String?) async throws {
    let video = #""subject_type": "video", "subject_id": 7"#
    try await expect("\(Self.tale), \(video)", [.null, .null, "video"], before: before, [.ignoredObject])
    let object = #""subject": {"type": "video", "id": 7}"#
    try await expect("\(object), \(Self.picture)", [.null, "p", .null], before: before)
  }

  @Test(arguments: stored) func nullUnionKeyOverridesTheObject(before: String?) async throws {
    for subject in [Self.tale, #""subject": {"type": "video"}"#] {
      try await expect(#"\#(subject), "subject_id": null"#, [.null, .null, .null], before: before)
    }
  }

  @Test(arguments: stored) func unreadableUnionKeyFallsBackToTheObject(before: String?) async throws {
    // The identity of a picture is a string.
    for key in [#""subject_type": "image", "subject_id": 5"#, #""subject_id": true"#] {
      let store = try await store(about: before)
      for _ in 0..<2 {
        try await store.sync(item: "{\"id\": 1, \"text\": \"x\", \(Self.tale), \(key)}", as: Opinion.self)
        #expect(try subjects(store) == [1, .null, .null], "\(key)")
      }
    }
  }

  @Test(arguments: stored) func typeKeyWithoutAnIDIsIgnored(before: String?) async throws {
    try await expect(#"\#(Self.tale), "subject_type": "video""#, [1, .null, .null], before: before)
    let store = try await store(about: before)
    let known = try subjects(store)
    try await store.sync(item: #"{"id": 1, "text": "x", "subject_type": "video"}"#, as: Opinion.self)
    #expect(try subjects(store) == (before == nil ? [.null, .null, .null] : known))
  }

  @Test func operationMaskAppliesToTheWholeUnionProperty() async throws {
    let both = "\(Self.tale), \(Self.picture)"
    let video = #""subject": {"type": "video"}"#
    let (isTale, isPicture, isVideo): ([SyncJSON], [SyncJSON], [SyncJSON]) = (
      [1, .null, .null], [.null, "p", .null], [.null, .null, "video"]
    )
    for operations: SyncRelationshipOperations in [.all, .update, [.insert, .update], [.update, .delete]] {
      try await expect(both, isPicture, before: Self.tale, [], operations)
      try await expect(both, isPicture, before: video, [], operations)
    }
    for operations: SyncRelationshipOperations in [[], .insert, .delete] {
      try await expect(both, isTale, before: Self.tale, [], operations)
      try await expect(both, isVideo, before: video, [], operations)
    }
    for operations: SyncRelationshipOperations in [.delete, [.insert, .delete], [.update, .delete]] {
      try await expect(video, isVideo, before: Self.tale, [.ignoredObject], operations)
    }
    for operations: SyncRelationshipOperations in [[], .insert] {
      try await expect(video, isTale, before: Self.tale, [], operations)
    }
    for operations: SyncRelationshipOperations in [.update, [.insert, .update]] {
      try await expect(video, isTale, before: Self.tale, [.ignoredObject], operations)
    }
  }

  @Test func listMembershipOverridesTheMembersOwnUnionType() async throws {
    let opinion = #"{"id": 1, "text": "x", "subject": {"type": "video"}}"#
    for tale in [
      #"{"type": "tale", "id": 1, "title": "a", "opinions": [\#(opinion)]}"#,
      #"{"type": "tale", "id": 1, "title": "a", "opinion_ids": [1]}"#,
    ] {
      let store = try await store(about: #""subject": {"type": "tale", "id": 1}"#)
      for payload in [
        "[\(tale)]", "[\(tale), {\"type\": \"image\", \"id\": \"q\", \"url\": \"u\", \"opinions\": []}]",
      ] {
        try await store.sync(payload: payload, as: StreamItem.self, deletionPolicy: DeletionPolicy.none)
        #expect(try subjects(store) == [1, .null, .null])
        #expect(
          try await store.sync(payload: payload, as: StreamItem.self, deletionPolicy: DeletionPolicy.none)
            .isUnchanged)
      }
    }
  }

  @Test func lastObjectOfARowDeterminesAllUnionCases() async throws {
    let (tale, picture) = (#"{"id": 1, "text": "x", \#(Self.tale)}"#, #"{"id": 1, \#(Self.picture)}"#)
    for (payload, subject): (String, [SyncJSON]) in [
      ("[\(tale), \(picture)]", [.null, "p", .null]), ("[\(picture), \(tale)]", [1, .null, .null]),
    ] {
      for before in Self.stored {
        let store = try await store(about: before)
        for isRepeated in [false, true] {
          let report = try await store.sync(payload: payload, as: Opinion.self)
          #expect(try subjects(store) == subject, "\(payload) after \(before ?? "none")")
          if isRepeated { #expect(report.isUnchanged, "\(report)") }
        }
      }
    }
  }

  @Test func unionKeyOfAMissingRowIsPendingAndOverridesTheObject() async throws {
    for before in [nil, Self.tale] {
      let store = try await store(about: before)
      let said =
        #"{"id": 1, "text": "x", "subject": {"type": "tale", "id": 2}, "subject_type": "image", "subject_id": "q"}"#
      for _ in 0..<2 {
        let report = try await store.sync(item: said, as: Opinion.self)
        #expect(report.waiting.map(\.targetIdentity) == ["q"])
        #expect(try subjects(store) == [before == nil ? .null : 1, .null, .null])
      }
      try await store.sync(item: #"{"type": "image", "id": "q", "url": "u"}"#, as: StreamItem.self)
      #expect(try subjects(store) == [.null, "q", .null])
    }
  }
}
