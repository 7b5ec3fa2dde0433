/// What people write who come from other languages and libraries, and what that is called here.
enum ForeignWords {
  /// The scalar that a type of another language means.
  static let types: [String: ScalarType] = {
    let words: [ScalarType: [String]] = [
      .date: [
        "DateTime", "Timestamp", "NSDate", "Instant", "LocalDate", "LocalDateTime", "ZonedDateTime", "Time",
      ],
      .bool: ["Boolean"],
      .int: ["Integer", "Long", "Short", "BigInt", "Serial", "NSInteger"],
      .string: ["Text", "Str", "NSString", "Varchar", "Char", "Character", "Substring"],
      .double: ["Real", "Number", "NSNumber", "TimeInterval", "CGFloat", "Float64"],
      .float: ["Float32"],
      .json: [
        "Any", "AnyObject", "AnyHashable", "Object", "Dictionary", "NSDictionary", "Map", "AnyCodable",
        "JSONValue", "Codable",
      ],
      .data: ["Blob", "Bytes", "NSData"],
      .url: ["NSURL", "URI", "Link"],
      .uuid: ["GUID", "NSUUID"],
      .decimal: ["NSDecimalNumber", "Money", "BigDecimal"],
    ]
    return Dictionary(
      words.flatMap { scalar, names in names.map { ($0.lowercased(), scalar) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// What an attribute of another library is called here, with what is said of it.
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
    case "unique":
      return .nothing("the identity alone is unique, by “@PrimaryKey”; other rules are the server's")
    case "attribute":
      let isUnique = attribute.arguments.contains { $0.value.word == "unique" }
      return isUnique
        ? .renamed(.primaryKey)
        : .nothing("“@PrimaryKey”, “@Transient” and “@RenamedFrom” say what it says in SwiftData")
    case "default": return .nothing("a default stands behind the type: “name: Type = value”")
    case "model", "observable", "table", "entity", "persisted", "published", "objc":
      return .nothing("what a schema declares is stored and observed without it")
    default: return nil
    }
  }
}
