/// Words of other languages and libraries, and their equivalents here.
enum ForeignWords {
  /// The scalar types for types of other languages, by lowercased name.
  static let types: [String: ScalarType] = {
    let words: [(ScalarType, String)] = [
      (
        .date,
        "datetime timestamp timestamptz nsdate instant localdate localdatetime zoneddatetime time"
      ), (.bool, "boolean"),
      (.int, "integer long short bigint smallint tinyint mediumint serial bigserial nsinteger"),
      (.string, "text str nsstring varchar nvarchar char character substring id objectid"),
      (.double, "real number nsnumber timeinterval cgfloat float64"), (.float, "float32"),
      (
        .json,
        "any anyobject anyhashable object dictionary nsdictionary map anycodable jsonvalue jsonb codable"
      ), (.data, "blob bytes nsdata"), (.url, "nsurl uri link"), (.uuid, "guid nsuuid"),
      (.decimal, "nsdecimalnumber money bigdecimal numeric"),
    ]
    var types: [String: ScalarType] = [:]
    for (scalar, names) in words {
      for name in names.split(separator: " ") { types[String(name)] = scalar }
    }
    return types
  }()

  /// The scalar type for a name in any letter case, including names from other languages such as `VARCHAR` and `DECIMAL`.
  static func scalar(named name: String) -> ScalarType? {
    let name = name.lowercased()
    return ScalarType.allCases.first { $0.rawValue.lowercased() == name } ?? types[name]
  }

  /// The equivalent of an attribute of another library, with the message about it.
  enum AttributeMeaning {
    case renamed(AttributeKind)
    case nothing(String)
  }

  static func meaning(of attribute: AttributeSyntax) -> AttributeMeaning? {
    let hasText = attribute.arguments.contains { if case .text = $0.value.value { true } else { false } }
    switch attribute.name.text.lowercased() {
    case "id", "identity", "identifier", "primary": return .renamed(.primaryKey)
    case "jsonkey", "codingkey", "key", "serializedname", "jsonproperty", "json", "column", "map", "field":
      return hasText ? .renamed(.remoteKey) : nil
    case "relation", "reference", "references", "toone", "tomany", "hasmany", "belongsto":
      return .renamed(.relationship)
    case "ephemeral", "ignore", "ignored": return .renamed(.transient)
    case "indexed": return .renamed(.index)
    case "unique": return .renamed(.unique)
    case "attribute":
      let isUnique = attribute.arguments.contains { $0.value.word == "unique" }
      return isUnique
        ? .renamed(.primaryKey)
        : .nothing("use “@PrimaryKey”, “@Transient” or “@RenamedFrom” for SwiftData's options")
    case "default": return .nothing("write a default after the type: “name: Type = value”")
    case "model", "observable", "table", "entity", "persisted", "published", "objc":
      return .nothing("models are stored and observed without it")
    default: return nil
    }
  }
}
