import Foundation
import SynclineCompiler
import SynclineSchema
import SynclineTooling
import Testing

/// Each attribute, argument, setting and declaration is changed once: the difference says so, and whom it concerns.
@Suite struct EveryChangeTests {
  /// What a difference concerns.
  private func areas(_ old: SyncSchemaSnapshot, _ new: SyncSchemaSnapshot) -> Set<SchemaEffect.Area> {
    let difference = SchemaDifference(from: old, to: new)
    let store: Set<SchemaEffect.Area> = difference.changes.isEmpty ? [] : [.store]
    return store.union(difference.effects.map(\.area))
  }

  private func check(_ edit: SchemaEdit, _ comment: Comment) throws {
    let (old, new) = (try schema(edit.old), try schema(edit.new))
    #expect(areas(old, new) == edit.areas, comment)
    // What was added may be removed again.
    #expect(!areas(new, old).isEmpty, comment)
    for version in [old, new] {
      #expect(areas(version, version).isEmpty, comment)
      #expect(try SyncSchemaSnapshot(json: version.json()) == version, comment)
    }
  }

  // MARK: Attributes

  /// The names of the edits that an attribute needs: one for each kind of place, one for each argument.
  private func names(of kind: AttributeKind) -> Set<String> {
    let spec = AttributeSpec.of(kind)
    let places = spec.targets.flatMap { target -> [String] in
      switch target {
      case .member: ["member"]
      case .model: ["model"]
      case .structure: ["struct"]
      case .date: ["property", "member"]
      case .property, .scalar, .relationship: ["property"]
      }
    }
    let arguments = spec.arguments.flatMap { argument -> [String] in
      let label = argument.label ?? "_"
      guard case .member(let words) = argument.type else { return [label] }
      return words.map { "\(label).\($0)" }
    }
    return Set(places + arguments)
  }

  @Test(arguments: AttributeKind.allCases)
  func aChangedAttributeIsReported(kind: AttributeKind) throws {
    let edits = edits(of: kind)
    #expect(Set(edits.keys) == names(of: kind))
    for (name, edit) in edits { try check(edit, "@\(kind.rawValue), \(name)") }
  }

  // MARK: Settings

  @Test(arguments: Schema.Setting.allCases)
  func aChangedSettingIsReported(setting: Schema.Setting) throws {
    func text(_ value: String?) -> String {
      let settings = value.map { "schema { \(setting.rawValue): \($0) } " } ?? ""
      return settings + "model M { id: Int; aB: String? }"
    }
    let expected: Set<SchemaEffect.Area> =
      switch setting {
      case .access, .imports: [.code]
      case .keyStyle: [.reading, .bodies]
      case .null: [.reading]
      }
    for value in setting.values {
      let other = setting.values.first { $0 != value }
      try check(
        SchemaEdit(old: text(other), new: text(value), areas: expected), "\(setting.rawValue): \(value)")
    }
  }

  // MARK: Declarations

  @Test(arguments: [
    SchemaEdit("model M { id: Int }", "model M { id: Int } model N { id: Int }", .store, .reading, .bodies),
    SchemaEdit("model M { id: Int }", "model M { id: Int; a: Int? }", .store, .reading, .bodies),
    SchemaEdit("model M { id: Int; a: Int }", "model M { id: Int; a: String }", .store, .reading, .bodies),
    SchemaEdit("model M { id: Int; a: Int? }", "model M { id: Int; a: Int }", .store, .reading),
    SchemaEdit("model M { id: Int; a: Int? }", "model M { id: Int; a: Int? = 1 }", .store, .reading),
    SchemaEdit("model M { id: Int; a: Int = 1 }", "model M { id: Int; a: Int = 2 }", .store, .reading),
    SchemaEdit(
      #"model M { id: Int; a: Int }"#, #"@RenamedFrom("M") model N { id: Int; a: Int }"#, .store),
    SchemaEdit(
      #"model M { id: Int; a: Int }"#, #"model M { id: Int; @RenamedFrom("a") b: Int }"#, .store, .reading,
      .bodies),
    SchemaEdit(
      "model M { id: Int; t: String? } model T { id: String }",
      "model M { id: Int; t: T? } model T { id: String }",
      .store, .reading, .bodies),
    SchemaEdit(
      "model M { id: Int; t: T? } model T { id: String }",
      "model M { id: Int; t: [T] } model T { id: String }",
      .store, .reading, .bodies),
  ])
  func aChangedModelIsReported(edit: SchemaEdit) throws { try check(edit, "\(edit.new)") }

  @Test(arguments: [
    SchemaEdit("model M { id: Int }", "model M { id: Int } struct V { a: Int }", .code),
    SchemaEdit(
      "model M { id: Int; v: V? } struct V { a: Int }", "model M { id: Int; v: W? } struct W { a: Int }",
      .code),
    SchemaEdit(
      "model M { id: Int; v: V? } struct V { a: Int }",
      "model M { id: Int; v: V? } struct V { a: Int; b: Int? }",
      .store, .reading, .bodies),
    SchemaEdit(
      "model M { id: Int; v: V? } struct V { a: Int }", "model M { id: Int; v: V? } struct V { a: Int? }",
      .store,
      .reading),
    SchemaEdit(
      "model M { id: Int; v: V? } struct V { a: Int }", "model M { id: Int; v: V? } struct V { a: Int = 1 }",
      .store,
      .reading),
    SchemaEdit(
      "model M { id: Int; v: V? } struct V { a: Int }", "model M { id: Int; v: V? } struct V { a: String }",
      .store,
      .reading, .bodies),
    SchemaEdit(
      "model M { id: Int; v: V? } struct V { id: Int }", "model M { id: Int; v: V? } model V { id: Int }",
      .store,
      .reading, .bodies, .code),
  ])
  func aChangedStructIsReported(edit: SchemaEdit) throws { try check(edit, "\(edit.new)") }

  @Test(arguments: [
    SchemaEdit("", "enum E: String { case a }", .code),
    SchemaEdit("enum E: String { case a }", "enum E: String { case a, b }", .reading, .bodies),
    SchemaEdit("enum E: String { case a, b }", "enum E: String { case a }", .store, .reading),
    SchemaEdit("enum E: String { case a }", #"enum E: String { case a = "b" }"#, .store, .reading, .bodies),
    SchemaEdit("enum E: String { case a }", #"enum E: String { case b = "a" }"#, .code),
    SchemaEdit("enum E: String { case a }", "enum E: Int { case a = 1 }", .store, .reading, .bodies),
    SchemaEdit(
      "enum E: String { case a, b }", #"enum E: String { case a = "b", b = "a" }"#, .store, .reading, .bodies),
  ])
  func aChangedEnumIsReported(edit: SchemaEdit) throws {
    try check(edit, "\(edit.new)")
    let (unused, used) = ("model M { id: Int }\n", "model M { id: Int; e: E? }\n")
    guard !edit.old.isEmpty else { return }
    for model in [unused, used] {
      try check(SchemaEdit(old: model + edit.old, new: model + edit.new, areas: edit.areas), "\(edit.new)")
    }
    let text = "model M { id: Int; e: String? }\n"
    try check(SchemaEdit(text + edit.old, used + edit.old, .reading, .bodies), "\(edit.new)")
  }

  @Test(arguments: [
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "kind" { case a: A; case b: B }"#,
      .reading, .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "type" { case a: A; case b: B = "x" }"#,
      .reading,
      .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "type" { case a: B; case b: A }"#, .store,
      .reading, .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A }"#, #"union U on "type" { case a: A; case b: B }"#, .store, .reading,
      .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "type" { case a: A; case c: B = "b" }"#,
      .store,
      .code),
  ])
  func aChangedUnionOfModelsIsReported(edit: SchemaEdit) throws {
    let models = "model M { id: Int; u: U? }\nmodel A { id: Int }\nmodel B { id: Int }\n"
    try check(SchemaEdit(old: models + edit.old, new: models + edit.new, areas: edit.areas), "\(edit.new)")
  }

  @Test(arguments: [
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "kind" { case a: A; case b: B }"#,
      .reading, .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "type" { case a: A; case b: B = "x" }"#,
      .reading,
      .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A }"#, #"union U on "type" { case a: A; case b: B }"#, .reading, .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "type" { case a: A }"#, .store, .reading,
      .bodies),
    SchemaEdit(
      #"union U on "type" { case a: A; case b: B }"#, #"union U on "type" { case a: A; case c: B = "b" }"#,
      .store,
      .code),
  ])
  func aChangedUnionOfStructsIsReported(edit: SchemaEdit) throws {
    let structs = "model M { id: Int; u: U? }\nstruct A { x: Int }\nstruct B { y: Int }\n"
    try check(SchemaEdit(old: structs + edit.old, new: structs + edit.new, areas: edit.areas), "\(edit.new)")
  }

  @Test func aChangedStructOfAUnionIsReported() throws {
    func text(_ type: String) -> String {
      "model M { id: Int; u: U? }\nunion U on \"type\" { case a: A }\nstruct A { x: \(type) }"
    }
    try check(SchemaEdit(text("Int"), text("String"), .store, .reading, .bodies), "a member")
  }

  @Test func aChangedImportIsReported() throws {
    func snapshot(_ text: String) throws -> SyncSchemaSnapshot {
      let base = SourceFile(path: "Base.syncline", text: "schema { access: public }\nmodel B { id: Int }")
      let file = SourceFile(path: "Test.syncline", text: text)
      let input = CompilerInput(target: "Test", files: [file], modules: ["Base": [base]])
      let resolved = try #require(CompilerPipeline.analyse(input).schema)
      return try SyncSchemaSnapshot(json: Data(resolved.snapshot().utf8))
    }
    let (old, new) = (
      try snapshot("model M { id: Int }"), try snapshot("import Base\nmodel M { id: Int }")
    )
    #expect(areas(old, new) == [.code])
    #expect(areas(new, old) == [.code])
  }

  // MARK: Sentences

  private func sentences(_ old: String, _ new: String) throws -> [String] {
    SchemaDifference(from: try schema(old), to: try schema(new)).effects.map { "\($0.area): \($0)" }
  }

  @Test func enumCaseChangesAreDescribedWithTheirValues() throws {
    let model = "model M { id: Int; e: E? }\n"
    #expect(
      try sentences(
        model + "enum E: String { case open, closed, old }",
        model + #"enum E: String { case open, closed = "done", new }"#) == [
          #"reading: E.closed is read from "done"; before: from "closed""#,
          #"bodies: E.closed is written as "done"; before: as "closed""#,
          #"reading: "new" is read as E.new"#, #"bodies: E.new is written as "new""#,
          #"store: stored values "closed" of E become “.unrecognized”"#,
          #"reading: "old" no longer has a case of E, and is read as “.unrecognized”"#,
          #"store: stored values "old" of E become “.unrecognized”"#,
        ])
  }

  @Test func changedRemoteKeysAreListed() throws {
    #expect(
      try sentences(
        #"model M { id: Int; @RemoteKey("a") a: Int }"#, #"model M { id: Int; @RemoteKey("b", "a") a: Int }"#)
        == [
          "reading: M.a is read from “b” or “a”; before: from “a”", "bodies: M writes “b” instead of “a”",
        ])
    // Two properties that exchange their keys read nothing new.
    #expect(
      try sentences(
        "model M { id: Int; a: Int?; b: Int? }",
        #"model M { id: Int; @RemoteKey("b") a: Int?; @RemoteKey("a") b: Int? }"#) == [
          "reading: M.a is read from “b”; before: from “a”",
          "reading: M.b is read from “a”; before: from “b”",
          "bodies: M writes “b” instead of “a”", "bodies: M writes “a” instead of “b”",
        ])
  }

  @Test func changedArgumentsAreExplained() throws {
    func text(_ arguments: String, _ kind: String = "") -> String {
      "model M { id: Int; @Relationship(inverse: \\T.m\(arguments)) ts: [T] }\nmodel T { id: Int; m: M?; \(kind)}"
    }
    #expect(
      try sentences(text(", deleteRule: .deny"), text(", deleteRule: .cascade")) == [
        "store: M.ts: deleting the row deletes the related rows; before: the row cannot be deleted while it has related rows"
      ])
    #expect(
      try sentences(text("", "n: Int = 1; "), text("", "n: Int = 2; ")) == [
        "store: T.n: a stored row without a value gets 2; before: a stored row without a value gets 1",
        "reading: T.n: a new row without a value gets 2; before: a new row without a value gets 1",
      ])
  }

  @Test func aRenamedEnumIsReportedAsOneChange() throws {
    #expect(
      try sentences(
        "model M { id: Int; e: E?; all: [E] }\nenum E: String { case a }",
        "model M { id: Int; e: F?; all: [F] }\nenum F: String { case a }") == [
          "code: the enum E is renamed to F"
        ]
    )
  }

  // MARK: Snapshots of earlier versions

  /// A store records no attributes: without them nothing seems to have changed, and nothing is made of their absence.
  @Test func attributesMissingFromASnapshotAreNotCompared() throws {
    let whole = try schema(
      #"@SoftDelete(\.at) model M { id: Int; @DateFormat("yyyy-MM-dd") at: Date?; e: E = .a } enum E: String { case a }"#
    )
    var earlier = whole
    earlier.declarations = nil
    for model in earlier.models.indices {
      earlier.models[model].words = []
      for property in earlier.models[model].properties.indices {
        earlier.models[model].properties[property].words = []
        earlier.models[model].properties[property].declared = nil
        earlier.models[model].properties[property].written = nil
      }
    }
    #expect(areas(earlier, whole).isEmpty)
    #expect(areas(whole, earlier).isEmpty)
    #expect(!SchemaDifference(from: earlier, to: whole).isOfWholeSchemas)
    #expect(earlier.fingerprint == whole.fingerprint)
    let json = String(decoding: try earlier.json(), as: UTF8.self)
    #expect(!json.contains("declarations") && !json.contains("declared") && !json.contains("words"))
    #expect(try SyncSchemaSnapshot(json: earlier.json()) == earlier)
  }

  /// What no table depends on changes no store.
  @Test func attributeChangesDoNotEvolveTheStore() throws {
    let store = try EvolvingStore(
      #"model M { id: Int; ts: [T]; e: E? } model T { id: Int; m: M?; d: Date? } enum E: String { case a, b }"#
    )
    let result = try store.evolve(
      to: """
        model M { id: Int; @Relationship(deleteRule: .cascade, missing: .delete) ts: [T]; e: E? }
        @TypeName("t") @UpdatedAt(\\.d) model T { id: Int; m: M?; @DateFormat("yyyy-MM-dd") @NotExport d: Date? }
        enum E: String { case a = "x" }
        """)
    #expect(result.isEmpty)
  }
}
