import SynclineCompiler
import SynclineSchema

/// Two versions of a schema that differ in one thing, and what the difference concerns.
struct SchemaEdit {
  let old, new: String
  let areas: Set<SchemaEffect.Area>

  init(_ old: String, _ new: String, _ areas: SchemaEffect.Area...) {
    self.init(old: old, new: new, areas: Set(areas))
  }

  init(old: String, new: String, areas: Set<SchemaEffect.Area>) {
    (self.old, self.new, self.areas) = (old, new, areas)
  }
}

/// For each attribute, an edit for each kind of place where it may stand, and one for each of its arguments.
///
/// The keys are `property`, `member`, `model` and `struct` for the places, the label of an argument, `_` for one without a label,
/// and `deleteRule.cascade` where an argument is one of several words.
func edits(of kind: AttributeKind) -> [String: SchemaEdit] {
  keyEdits(kind) ?? valueEdits(kind) ?? relationshipEdits(kind) ?? storeEdits(kind) ?? rowEdits(kind) ?? [:]
}

private func keyEdits(_ kind: AttributeKind) -> [String: SchemaEdit]? {
  switch kind {
  case .primaryKey:
    [
      "property": SchemaEdit(
        #"model M { @PrimaryKey a: Int; b: Int }"#, #"model M { a: Int; @PrimaryKey b: Int }"#, .store,
        .reading),
      "model": SchemaEdit(
        #"model M { @PrimaryKey a: Int; b: Int }"#, #"@PrimaryKey(\.a, \.b) model M { a: Int; b: Int }"#,
        .store,
        .reading),
      "_": SchemaEdit(
        #"@PrimaryKey(\.a, \.b) model M { a: Int; b: Int; c: Int }"#,
        #"@PrimaryKey(\.a, \.c) model M { a: Int; b: Int; c: Int }"#, .store, .reading),
      "remote": SchemaEdit(
        #"model M { @PrimaryKey(remote: "x") id: Int }"#, #"model M { @PrimaryKey(remote: "y") id: Int }"#,
        .reading,
        .bodies),
      "madeBy.server": SchemaEdit(
        #"@Offline model M { @PrimaryKey id: Int }"#,
        #"@Offline model M { @PrimaryKey(madeBy: .server) id: Int }"#,
        .bodies),
    ]
  case .remoteKey:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Int }"#, #"model M { id: Int; @RemoteKey("x") a: Int }"#, .reading, .bodies),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: Int }"#,
        #"model M { id: Int; v: V? } struct V { @RemoteKey("x") a: Int }"#, .reading, .bodies),
      "_": SchemaEdit(
        #"model M { id: Int; @RemoteKey("x") a: Int }"#, #"model M { id: Int; @RemoteKey("x", "y") a: Int }"#,
        .reading),
    ]
  case .below:
    [
      "model": SchemaEdit(
        #"model M { id: Int; a: Int }"#, #"@Below("x") model M { id: Int; a: Int }"#, .reading, .bodies),
      "_": SchemaEdit(
        #"@Below("x") model M { id: Int; a: Int }"#, #"@Below("y") model M { id: Int; a: Int }"#, .reading,
        .bodies),
    ]
  case .keyPattern:
    [
      "property": SchemaEdit(
        #"model M { id: Int; t: T? } model T { id: Int }"#,
        #"model M { id: Int; @KeyPattern("T/{}") t: T? } model T { id: Int }"#, .reading, .bodies),
      "_": SchemaEdit(
        #"model M { id: Int; @KeyPattern("T/{}") t: T? } model T { id: Int }"#,
        #"model M { id: Int; @KeyPattern("T/{}", "t/{}") t: T? } model T { id: Int }"#, .reading, .bodies),
    ]
  case .singleton:
    [
      "model": SchemaEdit(
        #"model M { id: Int; a: Int? }"#, #"@Singleton model M { id: Int; a: Int? }"#, .store, .reading)
    ]
  case .typeName:
    [
      "model": SchemaEdit(#"model M { id: Int }"#, #"@TypeName("x") model M { id: Int }"#, .reading),
      "_": SchemaEdit(
        #"@TypeName("x") model M { id: Int }"#, #"@TypeName("y") model M { id: Int }"#, .reading),
    ]
  default: nil
  }
}

private func valueEdits(_ kind: AttributeKind) -> [String: SchemaEdit]? {
  switch kind {
  case .transform:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: String }"#, #"model M { id: Int; @Transform(X) a: String }"#, .reading,
        .bodies),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: String }"#,
        #"model M { id: Int; v: V? } struct V { @Transform(X) a: String }"#, .reading, .bodies),
      "_": SchemaEdit(
        #"model M { id: Int; @Transform(X) a: String }"#, #"model M { id: Int; @Transform(Y) a: String }"#,
        .reading,
        .bodies),
    ]
  case .dateFormat:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Date }"#, #"model M { id: Int; @DateFormat("yyyy-MM-dd") a: Date }"#,
        .reading,
        .bodies),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: Date }"#,
        #"model M { id: Int; v: V? } struct V { @DateFormat("yyyy-MM-dd") a: Date }"#, .reading, .bodies),
      "_": SchemaEdit(
        #"model M { id: Int; @DateFormat("yyyy-MM-dd") a: Date }"#,
        #"model M { id: Int; @DateFormat("dd.MM.yyyy") a: Date }"#, .reading, .bodies),
    ]
  case .null:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: String? }"#, #"model M { id: Int; @Null("") a: String? }"#, .reading),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: String? }"#,
        #"model M { id: Int; v: V? } struct V { @Null("") a: String? }"#, .reading),
      "model": SchemaEdit(
        #"model M { id: Int; a: String? }"#, #"@Null("") model M { id: Int; a: String? }"#, .reading),
      "struct": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: String? }"#,
        #"model M { id: Int; v: V? } @Null("") struct V { a: String? }"#, .reading),
      "_": SchemaEdit(
        #"model M { id: Int; @Null("") a: String? }"#, #"model M { id: Int; @Null("", "-") a: String? }"#,
        .reading),
    ]
  case .oneOrMany:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: [String] }"#, #"model M { id: Int; @OneOrMany a: [String] }"#, .reading),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: [String] }"#,
        #"model M { id: Int; v: V? } struct V { @OneOrMany a: [String] }"#, .reading),
      "model": SchemaEdit(#"model M { id: Int }"#, #"@OneOrMany model M { id: Int }"#, .reading),
      "struct": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: [String] }"#,
        #"model M { id: Int; v: V? } @OneOrMany struct V { a: [String] }"#, .reading),
    ]
  case .merged:
    [
      "property": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: Int }"#,
        #"model M { id: Int; @Merged v: V? } struct V { a: Int }"#, .reading),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { w: W? } struct W { a: Int }"#,
        #"model M { id: Int; v: V? } struct V { @Merged w: W? } struct W { a: Int }"#, .reading),
    ]
  case .position:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Int }"#, #"model M { id: Int; @Position a: Int }"#, .reading, .bodies)
    ]
  case .notExport:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Int }"#, #"model M { id: Int; @NotExport a: Int }"#, .bodies),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: Int; b: Int? }"#,
        #"model M { id: Int; v: V? } struct V { a: Int; @NotExport b: Int? }"#, .bodies),
    ]
  default: nil
  }
}

private func relationshipEdits(_ kind: AttributeKind) -> [String: SchemaEdit]? {
  /// A list with an argument, and without it.
  func list(_ argument: String, _ area: SchemaEffect.Area) -> SchemaEdit {
    let target = "@SoftDelete(\\.at) model T { id: Int; m: M?; at: Date? }"
    return SchemaEdit(
      "model M { id: Int; ts: [T] } \(target)",
      "model M { id: Int; @Relationship(\(argument)) ts: [T] } \(target)", area)
  }
  switch kind {
  case .relationship:
    return [
      "property": list("missing: .keep", .reading),
      "inverse": SchemaEdit(
        #"model M { id: Int; @Relationship(inverse: \T.m) ts: [T] } model T { id: Int; m: M?; n: M? }"#,
        #"model M { id: Int; @Relationship(inverse: \T.n) ts: [T] } model T { id: Int; m: M?; n: M? }"#,
        .store,
        .reading),
      "deleteRule.nullify": list("deleteRule: .nullify", .store),
      "deleteRule.cascade": list("deleteRule: .cascade", .store),
      "deleteRule.deny": list("deleteRule: .deny", .store),
      "missing.delete": list("missing: .delete", .reading),
      "missing.softDelete": list("missing: .softDelete", .reading),
      "missing.keep": list("missing: .keep", .reading),
      "unknown.create": SchemaEdit(
        #"model M { id: Int; t: T? } model T { id: Int }"#,
        #"model M { id: Int; @Relationship(unknown: .create) t: T? } model T { id: Int }"#, .reading),
      "by": SchemaEdit(
        #"model M { id: Int; t: T? } model T { id: Int; @Unique a: Int }"#,
        #"model M { id: Int; @Relationship(by: \.a) t: T? } model T { id: Int; @Unique a: Int }"#, .reading,
        .bodies),
    ]
  case .export:
    return [
      "property": SchemaEdit(
        #"model M { id: Int; ts: [T] } model T { id: Int; m: M? }"#,
        #"model M { id: Int; @Export(.identities) ts: [T] } model T { id: Int; m: M? }"#, .bodies),
      "_.identities": SchemaEdit(
        #"model M { id: Int; t: T? } model T { id: Int }"#,
        #"model M { id: Int; @Export(.identities) t: T? } model T { id: Int }"#, .bodies),
      "_.objects": SchemaEdit(
        #"model M { id: Int; @KeyPattern("T/{}") t: T? } model T { id: Int }"#,
        #"model M { id: Int; @KeyPattern("T/{}") @Export(.objects) t: T? } model T { id: Int }"#, .bodies),
    ]
  case .ordered:
    return [
      "property": SchemaEdit(
        #"model M { id: Int; @Relationship(inverse: nil) ts: [T] } model T { id: Int }"#,
        #"model M { id: Int; @Relationship(inverse: nil) @Ordered ts: [T] } model T { id: Int }"#, .store,
        .reading)
    ]
  case .parentScoped:
    return [
      "model": SchemaEdit(
        #"model P { id: Int; ms: [M] } model M { id: Int; p: P? }"#,
        #"model P { id: Int; ms: [M] } @ParentScoped(\.p) model M { id: Int; p: P? }"#, .store, .reading),
      "_": SchemaEdit(
        #"model P { id: Int } @ParentScoped(\.p) model M { id: Int; p: P?; q: P? }"#,
        #"model P { id: Int } @ParentScoped(\.q) model M { id: Int; p: P?; q: P? }"#, .store, .reading),
    ]
  default: return nil
  }
}

private func storeEdits(_ kind: AttributeKind) -> [String: SchemaEdit]? {
  switch kind {
  case .transient:
    [
      "property": SchemaEdit(
        #"model M { id: Int; @Transient a: Int = 1 }"#, #"model M { id: Int; a: Int = 1 }"#, .store, .reading,
        .bodies,
        .code)
    ]
  case .local:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Int = 1 }"#, #"model M { id: Int; @Local a: Int = 1 }"#, .reading, .bodies)
    ]
  case .index:
    [
      "property": SchemaEdit(#"model M { id: Int; a: Int }"#, #"model M { id: Int; @Index a: Int }"#, .store),
      "model": SchemaEdit(
        #"model M { id: Int; a: Int; b: Int }"#, #"@Index(\.a, \.b) model M { id: Int; a: Int; b: Int }"#,
        .store),
      "_": SchemaEdit(
        #"@Index(\.a, \.b) model M { id: Int; a: Int; b: Int }"#,
        #"@Index(\.b, \.a) model M { id: Int; a: Int; b: Int }"#, .store),
    ]
  case .unique:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Int }"#, #"model M { id: Int; @Unique a: Int }"#, .store, .reading)
    ]
  case .renamedFrom:
    [
      "property": SchemaEdit(
        #"model M { id: Int; a: Int }"#, #"model M { id: Int; @RenamedFrom("b") a: Int }"#, .store),
      "member": SchemaEdit(
        #"model M { id: Int; v: V? } struct V { a: Int }"#,
        #"model M { id: Int; v: V? } struct V { @RenamedFrom("b") a: Int }"#, .store),
      "model": SchemaEdit(#"model M { id: Int }"#, #"@RenamedFrom("N") model M { id: Int }"#, .store),
      "_": SchemaEdit(
        #"model M { id: Int; @RenamedFrom("b") a: Int }"#,
        #"model M { id: Int; @RenamedFrom("b", "c") a: Int }"#,
        .store),
    ]
  default: nil
  }
}

private func rowEdits(_ kind: AttributeKind) -> [String: SchemaEdit]? {
  switch kind {
  case .updatedAt:
    [
      "model": SchemaEdit(
        #"model M { id: Int; a: Date?; b: Date? }"#,
        #"@UpdatedAt(\.a) model M { id: Int; a: Date?; b: Date? }"#,
        .reading),
      "_": SchemaEdit(
        #"@UpdatedAt(\.a) model M { id: Int; a: Date?; b: Date? }"#,
        #"@UpdatedAt(\.b) model M { id: Int; a: Date?; b: Date? }"#, .reading),
    ]
  case .softDelete:
    [
      "model": SchemaEdit(
        #"model M { id: Int; a: Date?; b: Date? }"#,
        #"@SoftDelete(\.a) model M { id: Int; a: Date?; b: Date? }"#,
        .store, .reading),
      "_": SchemaEdit(
        #"@SoftDelete(\.a) model M { id: Int; a: Date?; b: Date? }"#,
        #"@SoftDelete(\.b) model M { id: Int; a: Date?; b: Date? }"#, .store, .reading),
    ]
  case .deleted:
    [
      "model": SchemaEdit(#"model M { id: Int }"#, #"@Deleted("x") model M { id: Int }"#, .reading),
      "_": SchemaEdit(#"@Deleted("x") model M { id: Int }"#, #"@Deleted("y") model M { id: Int }"#, .reading),
      "is": SchemaEdit(
        #"@Deleted("x", is: "a") model M { id: Int }"#, #"@Deleted("x", is: "b") model M { id: Int }"#,
        .reading),
    ]
  case .offline:
    ["model": SchemaEdit(#"model M { id: Int }"#, #"@Offline model M { id: Int }"#, .store)]
  default: nil
  }
}
