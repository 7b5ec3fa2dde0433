import GRDB
import SynclineSchema

/// What models declare about their properties, and what no snapshot of a schema contains.
struct DeclaredProperties: Sendable {
  /// The defaults as SQL, by model and property.
  var defaults: [SchemaRelation.End: String] = [:]
  /// The Swift types of structs, maps and lists.
  var composedTypes: [SchemaRelation.End: any SyncScalar.Type] = [:]
  /// The relationships whose keys are not identities: `by:`.
  var lookups: Set<SchemaRelation.End> = []
  /// The identities of handwritten models. Their tables belong to the user.
  var handwritten: [SchemaRelation.End] = []
}

extension DeclaredProperties {
  init(_ catalog: ModelCatalog) {
    for table in catalog.tables {
      if !table.isGenerated {
        handwritten.append(.init(model: table.name, property: table.identityProperty.name))
      }
      for property in table.columns {
        let own = SchemaRelation.End(model: table.name, property: property.name)
        // The rows of edits have the property, too.
        let versions = EditTable.Version.allCases.map {
          SchemaRelation.End(model: EditTable.name(of: table.name), property: $0.column(property.name))
        }
        for end in [own] + versions {
          defaults[end] = property.defaultValue?.sqlLiteral
          composedTypes[end] = property.composedType
        }
        if property.lookup != nil { lookups.insert(own) }
      }
    }
  }
}

extension DatabaseValue {
  /// The value as an SQL literal; nil for a string that no literal can hold.
  fileprivate var sqlLiteral: String? {
    switch storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let text): text.contains("\0") ? nil : text.sqlLiteral
    case .blob(let data):
      "x'" + data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}
