/// Words of other languages and libraries, and their equivalents here.
enum ForeignWords {
  /// The equivalent scalar of a type of another language.
  static let types: [String: ScalarType] = {
    let words: [ScalarType: [String]] = [
      .date: [
        "DateTime", "Timestamp", "TimestampTZ", "NSDate", "Instant", "LocalDate", "LocalDateTime",
        "ZonedDateTime", "Time",
      ],
      .bool: ["Boolean"],
      .int: [
        "Integer", "Long", "Short", "BigInt", "SmallInt", "TinyInt", "MediumInt", "Serial", "BigSerial",
        "NSInteger",
      ],
      .string: [
        "Text", "Str", "NSString", "Varchar", "NVarchar", "Char", "Character", "Substring", "ID", "ObjectId",
      ],
      .double: ["Real", "Number", "NSNumber", "TimeInterval", "CGFloat", "Float64"],
      .float: ["Float32"],
      .json: [
        "Any", "AnyObject", "AnyHashable", "Object", "Dictionary", "NSDictionary", "Map", "AnyCodable",
        "JSONValue", "JSONB", "Codable",
      ],
      .data: ["Blob", "Bytes", "NSData"],
      .url: ["NSURL", "URI", "Link"],
      .uuid: ["GUID", "NSUUID"],
      .decimal: ["NSDecimalNumber", "Money", "BigDecimal", "Numeric"],
    ]
    return Dictionary(
      words.flatMap { scalar, names in names.map { ($0.lowercased(), scalar) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// The scalar that a name means, in any case, or its equivalent in another language: `VARCHAR`, `DECIMAL`.
  static func scalar(named name: String) -> ScalarType? {
    let name = name.lowercased()
    return ScalarType.allCases.first { $0.rawValue.lowercased() == name } ?? types[name]
  }

  /// The equivalent of another library's attribute, with the message about it.
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
