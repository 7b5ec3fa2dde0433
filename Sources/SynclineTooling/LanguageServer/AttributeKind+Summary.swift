import SynclineCompiler

extension AttributeKind {
  /// A sentence that describes the attribute.
  var summary: String {
    switch self {
    case .primaryKey:
      "The property, or the properties together, that identify a row; `remote:` names its JSON key, `madeBy:` who makes it."
    case .remoteKey: "The JSON keys, or paths of keys, that the property is read from; the first is written."
    case .below:
      "The path of the object in which all properties are read and written, except those that identify a row."
    case .singleton: "The model has one row in all; nothing in JSON identifies it."
    case .keyPattern: "The text around the keys of rows: `Organization/{}` reads `Organization/7` as `7`."
    case .dateFormat: "How the date is written in JSON."
    case .transform: "The type in Swift that reads and writes the values."
    case .null: "The values that a server writes where it has nothing; they are read as null."
    case .notExport: "The property is read, and never written."
    case .export: "Whether a relationship is written as objects or as the keys of its rows."
    case .relationship: "The other end of a relationship, and what a deletion or a list without a row does."
    case .transient: "The property lives in memory, and has no column and no key."
    case .local: "The property is stored on this device only: no sync changes it, and no export writes it."
    case .index: "An index of the property, or of several properties together."
    case .unique: "No two rows have the same value."
    case .parentScoped: "Rows belong to a parent: those of two parents may have the same identity."
    case .updatedAt: "A row is only replaced by one whose date is newer."
    case .softDelete:
      "Rows that are missing from a list are kept, and the property is set to the time of the sync."
    case .deleted: "A row of a payload is deleted if its JSON has the key, or the value that `is:` gives."
    case .offline: "Local edits are kept until they are pushed, and reapplied after each sync."
    case .renamedFrom: "Its earlier name: existing stores keep its data."
    case .typeName: "The `type` of the model's resources in JSON:API documents."
    case .position: "The place of the row in its list."
    case .ordered: "The list keeps the order that the server has."
    case .oneOrMany: "A lone value is read as a list of one, and a list of one as its element."
    case .merged: "An object replaces only the members that it has."
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
