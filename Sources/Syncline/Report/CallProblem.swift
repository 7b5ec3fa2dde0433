/// What is wrong with a call, or with a payload for the call it was given to.
enum CallProblem {
  /// Rows are to be marked, and the model has no `@SoftDelete`.
  case cannotMark
  /// The relationship to the parent is none of the model's.
  case noParentRelationship
  /// Rows are unique within a relationship's row, which the call does not name.
  case needsParent(relationship: String)
  case parentIsNotStored(relationship: String, model: String, identity: String)
  /// A child policy names no relationship of the model.
  case noChildRelationship
  case itemIsAList
  case noObject(found: String, path: String)
  /// A key path names no property of the schema's.
  case noProperty(path: String)
  /// A key path names no list of rows that are known by their identities alone.
  case noMembership(property: String)
  /// A row is to be taken out of a list that requires its owner.
  case requiredOwner(property: String, model: String, identity: String, column: String)
  case noPath(String, why: String)
  /// A path was given into lines, of which each is a row.
  case pathIntoLines
  /// There is none of the lists of changes where they are looked for.
  case noChanges(keys: [String], found: PayloadShape)
  /// The changes are not a list.
  case noListOfChanges(found: String, path: String)
  case nothingAtPath(key: String, path: String)
  case noIdentities(keys: [String])
  /// The document is not an object.
  case noDocument(found: String)
  /// A document has errors, and no data.
  case documentOfErrors(String)
  case documentWithoutData
  /// No model has any of the types of a document.
  case noModelOfTypes([String])
}
