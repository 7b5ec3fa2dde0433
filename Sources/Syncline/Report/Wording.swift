// The wording of all errors and problems.

import Foundation
import GRDB

extension SyncError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidPayload("", let reason): "Invalid payload: \(reason)"
    case .invalidPayload(let model, let reason): "Invalid payload for \(model): \(reason)"
    case .cancelled: "The call was cancelled."
    case .schemaValidation(let reason): "Invalid schema: \(reason)"
    case .containerInitialization(let reason): "The store could not be opened: \(reason)"
    case .storeBusy(let reason): "Another connection has locked the store: \(reason)"
    case .storeUnavailable(let reason): "The store could not be read or written: \(reason)"
    case .storeCorrupted(let reason): "The store is damaged: \(reason)"
    case .storeReplaced(let reason): "The store's file is not the one that was opened: \(reason)"
    case .storeEvolved(let reason): "The store was evolved to another schema while it was open: \(reason)"
    case .reentrantCall(let reason): "The call would deadlock: \(reason)"
    case .unreadableRow("", let reason): "A stored row cannot be read: \(reason)"
    case .unreadableRow(let model, let reason): "A stored row of \(model) cannot be read: \(reason)"
    }
  }

  public var errorDescription: String? { description }

  init(_ problem: RowProblem) {
    switch problem.reason {
    case .columnHolds, .noColumn, .notJoined, .isReadFromRows:
      self = .unreadableRow(model: problem.model, reason: problem.sentence)
    default:
      self = .invalidPayload(model: problem.model, reason: problem.sentence)
    }
  }
}

extension RowProblem {
  /// Describes the value if a path leads through a value that is not an object.
  static let noObjectOnPath = "a value on the path that is not an object"

  var sentence: String {
    switch reason {
    case .missing: ofProperty("is missing")
    case .null(let type): ofProperty("is null, and \(type) has no value for null")
    case .unreadable(let found, let type): ofProperty("is not a valid \(type): \(found)")
    case .noRowNamed: ofProperty("is required, but the payload has no foreign key or object for it")
    case .requiredIsNull: ofProperty("is required and cannot be null")
    case .noRow(let model, let identity): ofProperty("is required, but \(model) \(identity) is not stored")
    case .requiredBy(let row, let target): ofProperty("would take \(target) from \(row), which requires it")
    case .cannotUnlink(let target, let other):
      "“\(property)” of \(model) \(identity ?? "") is required, so \(target) cannot be linked to \(other) instead"
    case .notUnique(let value, let other): ofProperty("must be unique, but \(other) already has \(value)")
    case .otherIdentity(let identity): ofProperty("does not match the payload's identity \(identity)")
    case .tooLong:
      property.isEmpty
        ? ofPayload("a value that is longer than SQLite stores") : ofProperty("is longer than SQLite stores")
    case .tooDeep(let limit): ofPayload("more than \(limit) levels of nesting")
    case .notFinite: ofPayload("a number that is not finite")
    case .notJSON(let type): ofPayload("no JSON representation for \(type)")
    case .notAnObject: "the payload must be an object"
    case .notAList(let shape):
      "the payload must be \(path.contains("{") ? "an object with rows as members" : "a list of objects"), not "
        + shape.sentence(below: path)
    case .columnHolds(let found, let type?):
      "the column “\(property)” does not hold a valid \(type): \(found)"
    case .columnHolds(let found, nil):
      "the column “\(property)” holds a value that its property cannot read: \(found)"
    case .notJoined(let key): "the request joined no row for the association key “\(key)”"
    case .noColumn: "the required column “\(property)” is missing"
    case .isReadFromRows: "a handwritten model is decoded by GRDB, not by init(columns:)"
    }
  }

  private func ofProperty(_ words: String) -> String {
    let context = [
      path.isEmpty ? nil : "at \(path)", row.map { "row \($0)" }, identity.map { "identity \($0)" },
    ]
    .compactMap { $0 }.joined(separator: ", ")
    return "“\(property)” \(words)" + (context.isEmpty ? "" : " (\(context))")
  }

  private func ofPayload(_ words: String) -> String {
    path.isEmpty ? words : "\(words) at \(path)"
  }
}

extension PayloadShape {
  /// Whether it is an object with members.
  fileprivate var hasKeys: Bool {
    if case .object(let keys, _) = self { !keys.isEmpty } else { false }
  }

  private static let limit = 5

  fileprivate var summary: String {
    switch self {
    case .value(let found): return found
    case .object(keys: [], _): return "an object without members"
    case .object(let keys, _):
      let named = keys.prefix(PayloadShape.limit).map { "“\($0)”" }.joined(separator: ", ")
      let others = keys.count > PayloadShape.limit ? " and \(keys.count - PayloadShape.limit) more" : ""
      return "an object with the \(keys.count == 1 ? "key" : "keys") \(named)\(others)"
    }
  }

  /// What was found, and how to name the list in it.
  fileprivate func sentence(below path: String) -> String {
    guard case .object(let keys, let lists) = self, !keys.isEmpty else { return summary }
    guard !lists.isEmpty else { return summary + "; for one row call sync(item:)" }
    let places = lists.prefix(PayloadShape.limit).map { "at: \"\(path.isEmpty ? "" : path + ".")\($0)\"" }
    return "\(summary); name the list with \(places.joined(separator: " or "))"
  }
}

extension IdentityHint {
  fileprivate var sentence: String {
    switch self {
    case .unreadable(let key, let found, let expected):
      "; “\(key)” of the first row is \(found), not \(expected)"
    case .key(let key): "; did you mean @PrimaryKey(remote: \"\(key)\")?"
    case .inside(let path):
      "; if the rows are in “\(path.split(separator: ".").last ?? "")”, name them with at: \"\(path)\""
    }
  }
}

extension Finding {
  var sentence: String {
    switch self {
    case .fraction: "a fractional number where an integer is expected"
    case .unreadable(let found, let type): "\(found) is not a valid \(type)"
    case .missingMember(let name): "“\(name)” is missing"
    case .tooDeepValue(let limit): "more than \(limit) levels of values"
    case .equalKeys(let key): "two keys compare equal as Swift strings: “\(key)”"
    case .missingIdentity(let reason, let model): reason.sentence(model)
    case .noRowLinked(let reason, let model): "\(reason.sentence(model)), and no row is linked"
    case .otherRow(let model): "the nested object and the foreign key name different \(model) rows"
    case .noList(let found): "\(found) is not a list"
    case .noIdentity: "no readable identity"
    case .noStamp: "no valid @UpdatedAt date"
    case .tooManyLevels(let limit): "more than \(limit) levels of nested rows"
    case .emptyList: "an empty list"
    case .emptyPayload: "an empty payload"
    case .missingRequired(let model, let identity, let column):
      "the payload no longer links \(model) \(identity), but its “\(column)” is required"
    case .denied(let row): "\(row) prevents the deletion: it requires this row, or a delete rule is .deny"
    case .noCase(let type?, let union, _): "“\(type)” matches no case of \(union)"
    case .noCase(nil, let union, let key):
      "“\(key)” is missing or not a string, so no case of \(union) matches"
    case .noModelOfType(let type):
      "no model matches type “\(type)” (see @TypeName); its resources are skipped"
    }
  }
}

extension MissingIdentity {
  fileprivate func sentence(_ model: String) -> String {
    switch self {
    case .noObjectOnPath: "cannot reach the \(model): \(RowProblem.noObjectOnPath)"
    case .scalar(let found, nil): "\(found) is not an identity of \(model)"
    case .scalar(let found, let type?):
      "\(found) is not an identity of \(model): its foreign keys must be \(type), as its identities are"
        + " (see SyncConfiguration.foreignKeys)"
    case .noValue(let found, let property):
      "\(found) is not a value of “\(property)”, by which rows of \(model) are looked up"
    case .ofOtherModel(let type): "a resource of type “\(type)” is not a row of \(model)"
    case .unreadable(let key, let found): "its “\(key)” is not an identity of \(model): \(found)"
    case .unmatched(let found, nil, let patterns):
      "\(found) is not an identity of \(model): it must have the form \(patterns.quotedList())"
    case .unmatched(let found, let key?, let patterns):
      "its “\(key)” is not an identity of \(model): \(found) must have the form \(patterns.quotedList())"
    case .absent(let keys): "the object has no identity: \(model) reads it from \(keys.quotedList())"
    case .absentPart(let keys): "\(keys.quotedList()) is missing; it is part of \(model)'s primary key"
    }
  }
}

extension DatabaseValue {
  /// The kind and the content of the value, with at most 64 characters of text.
  var summary: String {
    switch storage {
    case .null: "null"
    case .int64(let value): "the number \(value)"
    case .double(let value): "the number \(value)"
    case .string(let text): "the string “\(text.prefix(64))”" + (text.dropFirst(64).isEmpty ? "" : "…")
    case .blob(let data): "\(data.count) byte\(data.count == 1 ? "" : "s")"
    }
  }
}

extension [String] {
  /// The strings in quotes, the last two joined by a word.
  fileprivate func quotedList(with word: String = "or") -> String {
    let quoted = map { "“\($0)”" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

// MARK: - Problems

extension SyncProblem: CustomStringConvertible {
  init(
    model: String, row: Int? = nil, identity: String?, path: String = "", _ finding: Finding, action: Action
  ) {
    self.init(
      model: model, row: row, identity: identity, path: path, reason: finding.sentence, action: action)
  }

  public var description: String {
    let place = [model, identity.map { "“\($0)”" }].compactMap { $0 }.joined(separator: " ")
    // A stored row that the payload lacks has no path.
    let location = path.isEmpty ? (identity == nil ? ", the payload" : "") : ", \(path)"
    return "\(place)\(location): \(reason) (\(action.sentence))"
  }
}

extension SyncProblem.Action {
  var sentence: String {
    switch self {
    case .keptStoredValue: "the stored value was kept"
    case .usedDefault: "the default was used"
    case .usedNil: "it is nil"
    case .truncatedFraction: "the fraction was truncated"
    case .skippedRow: "the row was skipped"
    case .keptLink: "the link was kept"
    case .ignoredElements: "valid elements were linked, none were unlinked"
    case .ignoredObject: "the object was ignored"
    case .keptRow: "the row was kept"
    case .deletedNothing: "nothing was deleted"
    case .appliedWithoutStamp: "the row was applied"
    case .keptAsItCame: "the raw value was kept"
    }
  }
}

extension SyncWaitingLink: CustomStringConvertible {
  public var description: String {
    "\(model) “\(identity)”, \(path): \(target) “\(targetIdentity)” is not stored yet"
  }
}

extension SyncError {
  init(_ problem: CallProblem, model: String) {
    self = .invalidPayload(model: model, reason: problem.sentence)
  }
}

extension CallProblem {
  fileprivate var sentence: String {
    switch self {
    case .cannotMark: "rows cannot be marked as deleted: the model has no @SoftDelete"
    case .noParentRelationship: "the key path to the parent is not a stored relationship of the model"
    case .needsParent(let relationship):
      "identities are unique only within “\(relationship)”: pass that parent to the call"
    case .parentIsNotStored(let relationship, let model, let identity):
      "the parent named by “\(relationship)”, \(model) \(identity), is not stored"
    case .noChildRelationship: "the key path of a child policy is not a relationship of the model"
    case .itemIsAList: "an item is an object, not a list"
    case .noObject(let found, let path): "\(found) is not an object" + (path.isEmpty ? "" : " (at \(path))")
    case .noProperty(let path): "“\(path)” is not a property of the schema"
    case .noMembership(let property):
      "“\(property)” is not a to-many relationship, or its rows are identified by their parent"
    case .requiredOwner(let property, let model, let identity, let column):
      "\(model) \(identity) cannot be removed from “\(property)”: its “\(column)” is required. Delete the row, or link it to another owner"
    case .pathIntoLines: "a path cannot be combined with lines: each line is a row"
    case .noLists(let keys, let found):
      "the payload has none of \(keys.quotedList(with: "and")): it is \(found.summary)"
        + (found.hasKeys ? "; name the lists with keys:, or the object that has them with at:" : "")
    case .noParts(let keys, let found) where keys.count == 1:
      "the body has no \(keys.quotedList()): it is \(found.summary)"
    case .noParts(let keys, let found):
      "the body has none of \(keys.quotedList(with: "and")): it is \(found.summary)"
    case .noList(let found, let path): "\(found) is not a list (at \(path))"
    case .noListNamed:
      "the closure of sync(payload:) added no part: call list, item or changes on its argument"
    case .documentOfLists: "this payload is a JSON:API document: call sync(jsonAPI:as:) instead"
    case .noDocument(let found): "a JSON:API document must be an object, not \(found)"
    case .documentOfErrors(let errors):
      "the document has errors" + (errors.isEmpty ? "" : ": \(errors)")
    case .documentWithoutData: "the document has no “data”"
    case .noModelOfTypes([]):
      "no resource has a “type”, which names its model in JSON:API; for rows without types call sync(payload:at:) with at: \"data\""
    case .noModelOfTypes(let types):
      "no model matches \(types.count == 1 ? "type" : "any of the types") \(types.quotedList())"
    case .otherTypes(let types):
      "no resource is a row of this model; the \(types.count == 1 ? "type is" : "types are") \(types.quotedList(with: "and"))"
    case .noPath(let path, let why): "“\(path)” is not a path: \(why)"
    case .nothingAtPath(let key, let path): "there is no “\(key)” at “\(path)”"
    case .noIdentities(let keys, let patterns, let hint):
      "no row has an identity; it is read from “\(keys.joined(separator: "”, “"))”"
        + (patterns.isEmpty ? "" : ", in the form \(patterns.quotedList())") + (hint?.sentence ?? "")
    }
  }
}
