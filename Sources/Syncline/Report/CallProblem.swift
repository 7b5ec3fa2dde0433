/// What is wrong with a call, or with its payload.
enum CallProblem {
  /// Rows should be marked as deleted, but the model has no `@SoftDelete`.
  case cannotMark
  /// The key path to the parent is not a stored relationship of the model.
  case noParentRelationship
  /// Identities are unique only within a parent, and the call does not state one.
  case needsParent(relationship: String)
  case parentIsNotStored(relationship: String, model: String, identity: String)
  /// The key path of a child policy is not a relationship of the model.
  case noChildRelationship
  case itemIsAList
  case noObject(found: String, path: String)
  /// A key path is not a property of the schema.
  case noProperty(path: String)
  /// A key path is not a to-many relationship, or its rows are identified by their parent.
  case noMembership(property: String)
  /// A row cannot be removed from a list, because it requires its owner.
  case requiredOwner(property: String, model: String, identity: String, column: String)
  case noPath(String, why: String)
  /// A path cannot be combined with lines, each of which is a row.
  case pathIntoLines
  /// None of the lists of changes was found at its key.
  case noLists(keys: [String], found: PayloadShape)
  /// None of the parts of a body was found at its key.
  case noParts(keys: [String], found: PayloadShape)
  /// One of them is not a list.
  case noList(found: String, path: String)
  /// The closure of the call added no part of the body.
  case noListNamed
  /// The body is a JSON:API document, whose lists cannot be named.
  case documentOfLists
  case nothingAtPath(key: String, path: String)
  case noIdentities(keys: [String], patterns: [String], hint: IdentityHint?)
  /// The document is not an object.
  case noDocument(found: String)
  /// A document has errors, and no data.
  case documentOfErrors(String)
  case documentWithoutData
  /// No model matches any of a document's types.
  case noModelOfTypes([String])
}

/// Where the identities of rows that have none may be.
enum IdentityHint {
  /// Under its key, but with a value of another type.
  case unreadable(key: String, found: String, expected: String)
  /// Under a key that is spelled like one that is read.
  case key(String)
  /// In the only object in each row; the path of these objects in the payload.
  case inside(path: String)
}
