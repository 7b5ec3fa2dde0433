import Foundation
import Syncline
import SynclineCompiler
import SynclineNaming

/// Writes the attributes that affect how properties and rows are read, written and kept. The tables of a store do not depend on
/// them, but `syncline diff` compares them.
///
/// `syncline diff` can only report a change of an attribute that is here, or in the keys or columns of the snapshot.
extension SnapshotEmitter {
  /// The attributes of a model that no other part of the snapshot contains, in schema syntax.
  func words(of model: Model) -> [String] {
    func path(_ position: Int) -> String { "\\.\(model.properties[position].name)" }
    var words: [String] = []
    if model.isOneOrMany { words.append("@OneOrMany") }
    if let name = model.typeName { words.append("@TypeName(\(SwiftText.literal(name.value)))") }
    if let stamp = model.updatedAt { words.append("@UpdatedAt(\(path(stamp)))") }
    if let mark = model.softDelete { words.append("@SoftDelete(\(path(mark)))") }
    for property in model.properties where property.isTransient {
      let value = property.defaultValue.map { " = \($0.text)" } ?? ""
      words.append("@Transient \(property.name): \(typeText(of: property))\(value)")
    }
    return words
  }

  /// The JSON members of a property that concern payloads: its keys and its attributes.
  func payloadMembers(of property: Property) -> (keys: SyncJSON?, written: SyncJSON?, words: SyncJSON?) {
    // The property that stores a list's order is read from the keys of the list.
    let names = property.orderedList == nil ? property.keys(in: keys) : []
    let key = property.writtenKey(in: keys)
    let written = names.isEmpty || key == names[0] ? nil : key
    let words = SnapshotEmitter.list(words(of: property))
    return (SnapshotEmitter.list(names), written.map(SyncJSON.string), words)
  }

  /// The attributes and arguments of a property or a member that no other part of the snapshot contains.
  private func words(of property: Property) -> [String] {
    guard !property.isComposite, property.orderedList == nil else { return [] }
    var words: [String] = []
    if !property.nulls.isEmpty {
      words.append("@Null(\(property.nulls.map(\.text).joined(separator: ", ")))")
    }
    if property.oneOrManyDepth != nil { words.append("@OneOrMany") }
    if property.isMerged { words.append("@Merged") }
    if property.isOrdered { words.append("@Ordered") }
    if property.isPosition { words.append("@Position") }
    if property.isUnique { words.append("@Unique") }
    if let format = property.dateFormat { words.append("@DateFormat(\(SwiftText.literal(format.value)))") }
    if let transform = property.transform { words.append("@Transform(\(transform.value))") }
    if !property.keyPatterns.isEmpty {
      let patterns = property.keyPatterns.map { SwiftText.literal($0.value) }
      words.append("@KeyPattern(\(patterns.joined(separator: ", ")))")
    }
    switch property.writtenExport {
    case .never where property.isLocal: break
    case .never: words.append("@NotExport")
    case .identities: words.append("@Export(.identities)")
    case .objects: break
    }
    if let maker = property.identityMaker { words.append("madeBy: .\(maker.value.rawValue)") }
    if let rule = property.relationship?.deleteRule { words.append("deleteRule: .\(rule.rawValue)") }
    if property.createsUnknown { words.append("unknown: .create") }
    if let lookup = property.lookup { words.append("by: \\\(property.target ?? "").\(lookup)") }
    if let value = property.defaultValue { words.append("= \(value.text)") }
    return words
  }

  /// The type of a property in schema syntax, if it contains the name of an enum, a struct or a union. In a store it is replaced
  /// by the type of the values.
  func declaredType(of property: Property) -> String? {
    if let part = property.unionPart {
      guard part.caseName != nil else { return nil }
      return property.isToMany ? "[\(part.union)]" : part.union + (property.isOptional ? "?" : "")
    }
    return property.valueType?.declaredName.map { _ in typeText(of: property) }
  }

  /// The type of a value in schema syntax.
  func typeText(of property: Property) -> String {
    (property.valueType?.text ?? property.target ?? "") + (property.isOptional ? "?" : "")
  }
}

extension Property {
  /// The key under which an export writes the property. For a relationship without an explicit key, the key of its objects or of
  /// its identities.
  func writtenKey(in style: KeyStyle) -> String {
    guard isRelationship, !hasExplicitKeys else { return keys(in: style).first ?? schemaName }
    let key =
      switch writtenExport {
      case .objects, .never: style.transform(schemaName)
      case .identities:
        isToMany
          ? KeyCandidates.toManyKey(schemaName, style: style)
          : KeyCandidates.toOneKey(schemaName, style: style)
      }
    return RemotePath.rooted(key, below: prefix)
  }
}

extension ValueType {
  /// The type in schema syntax.
  fileprivate var text: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let name), .structure(let name), .union(let name): name
    case .list(let element): "[\(element.text)]"
    case .map(let element): "[String: \(element.text)]"
    }
  }
}

extension DefaultValue {
  /// The value in schema syntax.
  var text: String {
    switch self {
    case .text(let text): SwiftText.literal(text)
    case .number(let digits): digits
    case .bool(let value): value ? "true" : "false"
    case .uuid(let bytes): SwiftText.literal(NSUUID(uuidBytes: bytes).uuidString)
    case .member(let name): ".\(name)"
    case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .emptyMap: "[:]"
    case .null: "null"
    }
  }
}

extension Model.DeletionMark {
  /// The mark in snapshots and documentation: `status is "cancelled"`.
  var text: String {
    switch value?.value {
    case .text(let text): "\(key.value) is \"\(text)\""
    case .number(let digits): "\(key.value) is \(digits)"
    case .bool(let flag): "\(key.value) is \(flag)"
    case .uuid, .member, .list, .emptyMap, .null, nil: key.value
    }
  }
}
