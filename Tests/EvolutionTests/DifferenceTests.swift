import Foundation
import SynclineSchema
import Testing

/// What another version of a schema changes, said before any store is opened.
@Suite struct DifferenceTests {
  /// What `@OneOrMany` means, and what its absence does.
  private let alike = "a single value and a list of one value are read alike"
  private let unlike = "a single value and a list of one value are not read alike"

  private func risks(_ old: String, _ new: String) throws -> [String] {
    SchemaDifference(from: try schema(old), to: try schema(new)).risks.map { "\($0.risk): \($0.change)" }
  }

  private func api(_ old: String, _ new: String) throws -> [String] {
    SchemaDifference(from: try schema(old), to: try schema(new)).effects.filter { $0.area == .reading }
      .map(\.description)
  }

  @Test func changedMissingRowPolicyIsReported() throws {
    func text(_ rule: String) -> String {
      "model M { id: Int; @Relationship(inverse: \\T.all\(rule)) tags: [T] } model T { id: Int; all: [M] }"
    }
    let (old, new) = (text(""), text(", missing: .keep"))
    #expect(SchemaDifference(from: try schema(old), to: try schema(new)).changes.isEmpty)
    #expect(
      try api(old, new) == ["M keeps rows that are missing from a list at “tags”; before: unlinked them"])
    #expect(
      try api(new, old) == ["M unlinks rows that are missing from a list at “tags”; before: kept them"])
  }

  @Test func changeToSingletonIdentityIsReported() throws {
    let (old, new) = ("model M { id: Int; a: Int? }", "@Singleton model M { id: Int; a: Int? }")
    let changes = SchemaDifference(from: try schema(old), to: try schema(new)).changes.map(\.description)
    #expect(changes.contains("M is identified by @Singleton, and was by id"))
    #expect(SchemaDifference(from: try schema(new), to: try schema(new)).changes.isEmpty)
    #expect(
      try risks(new, "@Singleton model M { id: Int; a: Int?; b: Int? }") == ["none: M.b is new, Int?"])
  }

  @Test func changeToOwnerIdentityIsReported() throws {
    func text(_ key: String, id: String = "") -> String {
      "model U { id: Int; s: S? } \(key) model S { \(id)u: U; t: String? }"
    }
    let (old, new) = (text("", id: "id: Int; "), text("@PrimaryKey(\\.u)", id: "id: Int; "))
    #expect(
      SchemaDifference(from: try schema(old), to: try schema(new)).changes.map(\.description)
        .contains("S is identified by u: Int, and was by id"))
    let change = "U deletes rows that are missing from a list at “s”; before: unlinked them"
    #expect(try api(old, new).contains(change))
  }

  /// A local property stays where it is: what changes is what is read.
  @Test func localPropertyIsReportedAsNoLongerRead() throws {
    let old = "model M { id: Int; isPinned: Bool = false }"
    let new = "model M { id: Int; @Local isPinned: Bool = false }"
    #expect(SchemaDifference(from: try schema(old), to: try schema(new)).changes.isEmpty)
    #expect(try api(old, new) == ["M no longer reads “is_pinned”"])
    #expect(try api(new, old) == ["M reads “is_pinned”, Bool"])
    #expect(try api("model M { id: Int }", new) == [])
  }

  @Test(arguments: [
    ("n: Int8", "n: Int", "none: M.n was Int8 and is Int"),
    ("n: Int", "n: Int8", "mayBeRefused: M.n was Int and is Int8"),
    ("n: Int32", "n: Double", "none: M.n was Int32 and is Double"),
    ("n: Int", "n: Double", "mayBeRefused: M.n was Int and is Double"),
    ("n: Int", "n: String", "none: M.n was Int and is String"),
    ("n: Int", "n: Int?", "none: M.n is optional"),
    ("n: Int?", "n: Int", "mayBeRefused: M.n is required"),
    ("n: Int?", "n: Int = 3", "none: M.n is required"),
    ("", "n: Int", "mayBeRefused: M.n is new, Int"), ("", "n: Int?", "none: M.n is new, Int?"),
    ("", "n: Int = 3", "none: M.n is new, Int"), ("n: Int", "", "drops: M.n is dropped, with its values"),
    ("n: Int", #"@RenamedFrom("n") m: Int"#, "none: M.n is renamed to M.m"),
    ("@Index n: Int", "n: Int", "none: M no longer has an index of n"),
    ("n: [Int]", "n: [String]", "none: M.n was [Int] and is [String]"),
    ("n: [Int]", "n: JSON", "none: M.n was [Int] and is JSON"),
  ])
  func propertyChangeIsReportedWithItsRisk(old: String, new: String, expected: String) throws {
    #expect(try risks("model M { id: Int; \(old) }", "model M { id: Int; \(new) }") == [expected])
  }

  @Test func relationshipChangeIsReportedWithItsRisk() throws {
    let lists = #"model A { id: Int; @Relationship(inverse: \B.aa) bb: [B] } model B { id: Int; aa: [A] }"#
    let one = #"model A { id: Int; @RenamedFrom("bb") b: B? } model B { id: Int; aa: [A] }"#
    #expect(
      try risks(lists, one) == [
        "none: A.bb is renamed to A.b", "mayBeRefused: A.b was [B] and is B?",
        "none: A.b is stored in A, and was in a join table",
      ])
    #expect(
      try risks(
        lists,
        #"@RenamedFrom("A") model C { id: Int; @Relationship(inverse: \B.aa) bb: [B] } model B { id: Int; aa: [C] }"#
      )
        == [
          "none: the model A is renamed to C",
          "none: B.aa is stored in the join table “B.aa”, and was in the join table “A.bb”",
        ])
    #expect(
      try risks(one, "model A { id: Int; b: B? } model B { id: Int }") == [
        "none: B.aa is dropped; its links stay"
      ])
    #expect(
      try risks(
        "model A { id: Int; b: B? } model B { id: Int }",
        "model A { id: Int; b: C? } model B { id: Int } model C { id: Int }")
        == ["none: the model C is new", "mayBeRefused: A.b was B? and is C?"])
  }

  /// Values and identities of other types, equal keys of one row, and rows without a link refuse an opening.
  @Test(arguments: [
    (
      "model M { id: Int; u: U? } model U { id: Int; m: M }",
      "model M { id: Int; u: U } model U { id: Int; m: M? }",
      ["mayBeRefused: M.u is stored in M, and was in U"]
    ),
    (
      "model M { id: Int; u: U? } model U { id: String }",
      #"model M { id: Int; @RenamedFrom("u") key: Int? } model U { id: String }"#,
      ["none: M.u is renamed to M.key", "mayBeRefused: M.key was U? and is Int?"]
    ),
    (
      "model M { id: Int; u: U? } model U { id: String }",
      #"model M { id: Int; @RenamedFrom("u") key: String? } model U { id: String }"#,
      ["none: M.u is renamed to M.key", "none: M.key was U? and is String?"]
    ),
    (
      "model M { id: Int; key: String? } model U { id: Int }",
      #"model M { id: Int; @RenamedFrom("key") u: U? } model U { id: Int }"#,
      ["none: M.key is renamed to M.u", "mayBeRefused: M.u was String? and is U?"]
    ),
    (
      "model M { id: Int; key: Int? } model U { id: Int }",
      #"model M { id: Int; @RenamedFrom("key") u: U? } model U { id: Int }"#,
      ["none: M.key is renamed to M.u", "none: M.u was Int? and is U?"]
    ),
    (
      "model M { id: Int; key: Int? } model U { id: Int }",
      #"model M { id: Int; @RenamedFrom("key") u: U? } model U { id: Int; m: M? }"#,
      [
        "none: M.key is renamed to M.u", "mayBeRefused: M.u was Int? and is U?", "none: U.m is new, M?",
      ]
    ),
    (
      "model M { id: Int; u: U? } model U { id: Int; @Relationship(inverse: nil) ms: [M] }",
      "model M { id: Int; u: U? } model U { id: Int; ms: [M] }",
      ["mayBeRefused: U.ms is stored in M, and was in a join table"]
    ),
  ])
  func linkChangeIsReportedWithItsRisk(old: String, new: String, expected: [String]) throws {
    #expect(try risks(old, new) == expected)
  }

  /// Rows may have equal values, which the store refuses.
  @Test func newUniquenessIsReportedWithItsRisk() throws {
    #expect(
      try risks(
        "model A { id: Int; @Relationship(inverse: nil) b: B? } model B { id: Int }",
        "model A { id: Int; b: B? } model B { id: Int; a: A? }")
        == ["none: B.a is new, A?", "mayBeRefused: A.b is unique"])
    let user = "model User { id: Int; @Unique email: String; at: Date? }"
    #expect(try risks(#"@SoftDelete(\.at) \#(user)"#, user) == ["mayBeRefused: User.email is unique"])
    #expect(try risks(user, #"@SoftDelete(\.at) \#(user)"#) == [])
  }

  @Test func changedPayloadKeysAndTypesAreReported() throws {
    #expect(
      try api(
        #"model M { id: Int; title: String; age: Int; note: String?; @RemoteKey("is_x") x: Bool }"#,
        #"model M { id: Int; @RemoteKey("title") @RenamedFrom("title") name: String; age: String; note: String; due: Date; z: Int? }"#
      ) == [
        "M reads “age” as String; before: as Int", "M needs “note”, String", "M needs “due”, Date",
        "M reads “z”, Int?",
        "M no longer reads “is_x”",
      ])
  }

  @Test func changedDeletionMarkersAreReported() throws {
    let old = #"@Deleted("gone") @Deleted("status", is: "cancelled") model M { id: Int }"#
    let new = #"@Deleted("status", is: "declined") @Deleted("gone") model M { id: Int }"#
    #expect(
      try api(old, new) == [
        #"M deletes rows by “status is "declined"”"#,
        #"M no longer deletes rows by “status is "cancelled"”"#,
      ])
    #expect(try risks(old, new) == [])
  }

  @Test func changedNullValuesAreReported() throws {
    let (plain, empty) = ("model M { id: Int; a: String? }", #"model M { id: Int; @Null("") a: String? }"#)
    let zero = #"schema { null: ["N/A"] } model M { id: Int; @Null("") a: String? }"#
    let (none, some) = ("only null is read as null", #"these values are read as null: """#)
    #expect(try api(plain, empty) == ["M.a: \(some); before: \(none)"])
    #expect(try api(empty, plain) == ["M.a: \(none); before: \(some)"])
    #expect(try api(empty, zero).contains("M.a: \(some), \"N/A\"; before: \(some)"))
    #expect(
      try api(empty, zero).contains(
        #"the schema: these values are read as null: ["N/A"]; before: only null is read as null"#))
    #expect(try api(empty, empty) == [])
    // Those of a struct's members are listed once, however many properties have the struct; stores do not depend on any.
    let inner = "struct S { b: String? } model M { id: Int; a: S?; c: [S] }"
    #expect(
      try api(inner, "@Null(0) " + inner) == ["S.b: these values are read as null: 0; before: \(none)"])
    #expect(try api(inner, "@OneOrMany " + inner) == ["S.b: \(alike); before: \(unlike)"])
    #expect(try risks(plain, zero) == [])
  }

  @Test func changedOneOrManyIsReported() throws {
    let plain = "model M { id: Int; tags: [String]; note: N? } model N { id: Int }"
    let some = "model M { id: Int; @OneOrMany tags: [String]; @OneOrMany note: N? } model N { id: Int }"
    let whole = "@OneOrMany model M { id: Int; tags: [String]; note: N? } model N { id: Int }"
    #expect(
      try api(plain, some) == ["M.tags: \(alike); before: \(unlike)", "M.note: \(alike); before: \(unlike)"])
    #expect(
      try api(some, plain) == ["M.tags: \(unlike); before: \(alike)", "M.note: \(unlike); before: \(alike)"])
    #expect(
      try api(some, whole) == ["M: \(alike); before: \(unlike)", "M.id: \(alike); before: \(unlike)"])
    #expect(
      try api(whole, some) == ["M: \(unlike); before: \(alike)", "M.id: \(unlike); before: \(alike)"])
    #expect(try api(whole, whole) == [])
    // The store is the same.
    #expect(try risks(plain, whole) == [])
  }

  @Test func changedMergeAndUnknownKeyPoliciesAreReported() throws {
    let (plain, merged) = ("model M { id: Int; v: V? }", "model M { id: Int; @Merged v: V? }")
    let structs = "\nstruct V { w: W? }\nstruct W { n: Int }"
    let both = "\nstruct V { @Merged w: W? }\nstruct W { n: Int }"
    let (member, value) = (
      "an object replaces only the members that it has", "an object replaces the whole value"
    )
    #expect(try api(plain + structs, merged + structs) == ["M.v: \(member); before: \(value)"])
    #expect(try api(merged + both, plain + both) == ["M.v: \(value); before: \(member)"])
    #expect(try api(merged + structs, merged + both) == ["V.w: \(member); before: \(value)"])
    #expect(try risks(plain + structs, merged + both) == [])
    let keys = "model M { id: Int; @Relationship(inverse: nil) t: [T] }\nmodel T { id: Int }"
    #expect(
      try api(keys, keys.replacing("nil)", with: "nil, unknown: .create)")) == [
        "M.t: a key whose row is not stored creates the row; before: a key whose row is not stored becomes a pending link"
      ])
  }

  @Test func changedUniqueConstraintIsReported() throws {
    let (plain, unique) = ("model M { id: Int; a: String }", "model M { id: Int; @Unique a: String }")
    #expect(try risks(plain, unique) == ["mayBeRefused: M.a is unique"])
    #expect(try risks(unique, plain) == ["none: M.a is no longer unique"])
    #expect(
      try risks("model M { id: Int }", "model M { id: Int; @Unique a: String? }") == [
        "none: M.a is new, String?"
      ])
    #expect(
      try risks("model M { id: Int }", "model M { id: Int; @Unique a: Int = 1 }") == [
        "none: M.a is new, Int", "mayBeRefused: M.a is unique",
      ])
    let (same, one) = (
      "rows of a payload may have the same value", "no two rows of a payload may have the same value"
    )
    #expect(try api(plain, unique) == ["M.a: \(one); before: \(same)"])
    #expect(try api(unique, plain) == ["M.a: \(same); before: \(one)"])
    // Deleted rows do not count, so the store differs.
    let mark = "model M { id: Int; @Unique a: String; at: Date? }"
    #expect(try schema(mark).fingerprint != schema("@SoftDelete(\\.at) " + mark).fingerprint)
    #expect(try schema(plain).fingerprint != schema(unique).fingerprint)
    let again = try SyncSchemaSnapshot(json: schema("@SoftDelete(\\.at) " + mark).json())
    #expect(try again == schema("@SoftDelete(\\.at) " + mark))
  }

  @Test func changedKeyLookupPropertyIsReported() throws {
    func text(_ word: String) -> String {
      "model M { id: Int; \(word)t: T? } model T { id: Int; @Unique a: String; @Unique b: String }"
    }
    let (plain, a, b) = (
      text(""), text("@Relationship(by: \\.a) "), text("@Relationship(by: \\T.b) ")
    )
    #expect(try risks(plain, a) == [])
    let identity = "a key is read as an identity"
    func value(_ name: String) -> String { "a key is read as a value of T.\(name)" }
    #expect(try api(plain, a) == ["M.t: \(value("a")); before: \(identity)"])
    #expect(try api(a, b) == ["M.t: \(value("b")); before: \(value("a"))"])
    #expect(try api(a, plain) == ["M.t: \(identity); before: \(value("a"))"])
  }

  @Test func renamedModelHasNoReadingChanges() throws {
    #expect(
      try api(
        "model A { id: Int; b: B? } model B { id: Int }",
        #"model A { id: Int; b: C? } @RenamedFrom("B") model C { id: Int }"#) == [])
  }

  /// What is deeper than a store could read again is refused before there is one.
  @Test func tooDeeplyNestedStructsAreRefused() throws {
    func chain(_ count: Int, of type: String = "S1?") -> String {
      let links = (1..<count).map { "struct S\($0) { next: S\($0 + 1)?; back: S\(max(1, $0 - 1))? }\n" }
      return links.joined() + "struct S\(count) { n: Int }\nmodel M { id: Int; s: \(type) }\n"
    }
    #expect(try risks(chain(255), chain(255)) == [])
    #expect(try risks(chain(255), chain(255, of: "S1")) == ["mayBeRefused: M.s is required"])
    for tooDeep in [chain(256), chain(255, of: "[S1]"), chain(3000)] {
      let error = #expect(throws: WrongSchema.self) { try schema(tooDeep) }
      #expect(error?.reason.components(separatedBy: "[SL006]").count == 2, "\(error?.reason ?? "")")
    }
    let flat = (1...1000).map { "struct S\($0) { n: S\($0 / 2 + 1001)? }\nstruct S\($0 + 1000) { n: Int }\n" }
    #expect(try risks("", flat.joined() + "model M { id: Int; s: S1? }") == ["none: the model M is new"])
  }
}
