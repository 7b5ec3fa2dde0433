import SynclineCompiler

extension AttributeKind {
  var summary: String {
    switch self {
    case .primaryKey:
      "Identifies a row by the property, or by several properties together. `remote:` sets the JSON key of the identity, `madeBy:` who creates it."
    case .remoteKey:
      "Sets the JSON keys or paths that the property is read from. Exports write the first one."
    case .below:
      "Sets the path of the object that contains all properties except those that identify a row."
    case .singleton: "The model has at most one row, and its JSON objects have no identity."
    case .keyPattern:
      "Describes the string that contains a key: `Organization/{}` reads `Organization/7` as `7`."
    case .dateFormat: "Sets the format of the date in JSON."
    case .transform: "Names the Swift type that converts the value from and to JSON."
    case .null: "Lists values that are read as null, because the server sends them for missing values."
    case .notExport: "The property is read from payloads, but not exported."
    case .export: "Sets whether a relationship is exported as objects or as foreign keys."
    case .relationship: "Names the inverse of a relationship, and sets what happens to related rows."
    case .transient: "The property exists only in memory: it has no column and no JSON key."
    case .local: "The property is stored on this device only: no sync changes it, and no export writes it."
    case .index: "Creates an index on the property, or on several properties together."
    case .unique: "No two rows may have the same value."
    case .parentScoped:
      "Identities are unique only within a parent: rows of two parents may have the same identity."
    case .updatedAt: "A payload updates a stored row only if its date is newer than the stored one."
    case .softDelete:
      "Rows that are missing from a list are kept, and the property is set to the time of the sync."
    case .deleted: "A payload deletes a row if its object has the key, or the value that `is:` sets."
    case .offline: "Keeps local edits until they are pushed, and reapplies them after each sync."
    case .renamedFrom: "States an earlier name, so that existing stores keep the data."
    case .typeName: "Sets the `type` of the model's resources in JSON:API documents."
    case .position: "Stores the index of the row in the synced list, counted from 0."
    case .ordered: "Stores the order in which the server sends the list."
    case .oneOrMany: "Reads a single value as a list of one, and a list of one as its element."
    case .merged: "An object replaces only the members that it contains, instead of the whole value."
    }
  }
}

extension Schema.Setting {
  /// A short description of the setting.
  var summary: String {
    switch self {
    case .access: "the access level of the generated types"
    case .imports: "whether imports in generated code state their access level"
    case .keyStyle: "how JSON keys are spelled if an attribute states none"
    case .null: "the values that are read as null in all models and structs"
    }
  }
}
