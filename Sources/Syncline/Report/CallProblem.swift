/// What is wrong with a call, or with its payload. `Wording.swift` has the sentence of each case.
enum CallProblem {
  case cannotMark
  case noParentRelationship
  case needsParent(relationship: String)
  case parentIsNotStored(relationship: String, model: String, identity: String)
  case noChildRelationship
  case itemIsAList
  case noObject(found: String, path: String)
  case noProperty(path: String)
  case noMembership(property: String)
  case requiredOwner(property: String, model: String, identity: String, column: String)
  case noPath(String, why: String)
  case pathIntoLines
  /// None of the lists of changes was found at its key.
  case noLists(keys: [String], found: PayloadShape)
  /// None of the parts of a body was found at its key.
  case noParts(keys: [String], found: PayloadShape)
  /// One of them is not a list.
  case noList(found: String, path: String)
  case noListNamed
  case documentOfLists
  case nothingAtPath(key: String, path: String)
  case noIdentities(keys: [String], patterns: [String], hint: IdentityHint?)
  case noDocument(found: String)
  case documentOfErrors(String)
  case documentWithoutData
  case noModelOfTypes([String])
  /// Resources have models, but none has that of the call.
  case otherTypes([String])
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
