import Syncline
import SynclineCompiler

/// The table of words at properties.
extension Sheet {
  /// Words that make others meaningless.
  static let refused: [(word: String, others: Set<String>, code: DiagnosticCode)] = [
    (
      "@Transient",
      [
        "@RemoteKey", "@NotExport", "@DateFormat", "@Transform", "@Null", "@Index", "@Local", "@OneOrMany",
        "@Merged", "@Position", "@Unique",
      ], .contradiction
    ),
    ("@Unique", ["@Position"], .invalidUnique),
    ("by:", ["unknown:"], .invalidUnknownRule),
    ("by:", ["@Ordered", #"@RemoteKey(".")"#], .invalidLookup),
    ("@Position", ["@RemoteKey", "@Null", "@Local", "@OneOrMany"], .contradiction),
    (
      "@Local",
      [
        "@RemoteKey", "@NotExport", "@Export", "@DateFormat", "@Transform", "@KeyPattern", "@Null",
        "@OneOrMany", "@Merged",
      ], .contradiction
    ),
    ("@Transform", ["@DateFormat", "@Merged"], .contradiction),
    ("@NotExport", ["@Export"], .contradiction),
    ("@Ordered", ["@KeyPattern"], .invalidModelAttribute),
  ]

  static let all = [number, date, structure, map, list, toOne, toMany]

  // MARK: Kinds of properties

  private static let number = Sheet(
    property: "rank: Int = 7",
    words: [null, many] + paths(to: "rank")
      + [index, unique, renamed, hidden, transient, local(7), position],
    steps: [Step(3), Step(8)])

  private static let date = Sheet(
    property: "day: Date?",
    words: [dateFormat, null, many] + paths(to: "day")
      + [transform, index, unique, renamed, hidden, transient, local()],
    steps: [Step("2024-05-02T00:00:00.000Z"), Step(.null), Step("2024-06-03T00:00:00.000Z")])

  private static let structure = Sheet(
    property: "place: Place?", types: "struct Place { city: String?; zip: String? }",
    words: [null, many, merged] + paths(to: "place") + [transform, renamed, hidden, transient, local()],
    steps: [
      Step(["city": "B", "zip": "3"]),
      Step(["city": "C"]) { $0.contains("@Merged") ? ["city": "C", "zip": "3"] : ["city": "C"] },
      Step(.null), Step(["city": "D"]),
    ])

  private static let map = Sheet(
    property: "counts: [String: Int]?",
    words: [null, merged] + paths(to: "counts") + [transform, renamed, hidden, transient, local()],
    steps: [
      Step(["a": 1, "b": 2]), Step(["a": 3]) { $0.contains("@Merged") ? ["a": 3, "b": 2] : ["a": 3] },
      Step(.null), Step(["c": 1]),
    ])

  private static let list = Sheet(
    property: "labels: [String]?",
    words: [null, manyOfList] + paths(to: "labels") + [each, transform, renamed, hidden, transient, local()],
    steps: [Step(["x"]), Step(.null), Step(["y", "z"])])

  private static let toOne = Sheet(
    property: "owner: Owner?",
    types: #"model Owner { @PrimaryKey(remote: "number") id: Int; name: String?; @Unique code: String? }"#,
    isRelationship: true,
    words: [lookup("Owner"), pattern, null, many] + paths(to: "owner") + [
      itself, create, keys, renamed, hidden, local(),
    ],
    steps: [
      Step(["number": 5, "name": "A"]) { _ in 5 }, Step(.null), Step(5),
      // A row that is not there.
      Step(6) { $0.contains("unknown:") ? 6 : 5 },
    ])

  private static let toMany = Sheet(
    property: "tags: [Tag]",
    types: #"model Tag { @PrimaryKey(remote: "number") id: Int; name: String?; @Unique code: String? }"#,
    isRelationship: true,
    words: [lookup("Tag"), pattern, null, manyOfList] + paths(to: "tags")
      + [each, create, keep, ordered, keys, renamed, hidden],
    steps: [
      Step([["number": 5, "name": "A"]]) { _ in [5] }, Step(.null) { $0.contains("missing:") ? [5] : [] },
      Step([5]),
      Step([6]) { names in
        let kept: [SyncJSON] = names.contains("missing:") ? [5] : []
        return .array(names.contains("unknown:") ? kept + [6] : kept)
      },
    ])

  // MARK: Words that spell a value

  private static let nothing: SyncJSON = "none"

  private static let null = PropertyWord(text: #"@Null("none")"#, value: { $0.isNull ? Sheet.nothing : $0 })

  /// A lone value in a list.
  private static let many = PropertyWord(text: "@OneOrMany", value: { $0.isNull ? [] : [$0] })

  /// A list of one without its list.
  private static let manyOfList = PropertyWord(
    text: "@OneOrMany", value: { $0.array?.count == 1 ? $0[0] ?? $0 : $0 })

  private static let dateFormat = PropertyWord(
    text: #"@DateFormat("dd.MM.yyyy")"#,
    value: { date in
      guard let parts = date.string?.prefix(10).split(separator: "-") else { return date }
      return .string(parts.reversed().joined(separator: "."))
    })

  private static let pattern = PropertyWord(text: #"@KeyPattern("/rows/{}")"#, value: { Sheet.patterned($0) })

  private static func patterned(_ key: SyncJSON) -> SyncJSON {
    if let keys = key.array { return .array(keys.map { Sheet.patterned($0) }) }
    return (key.string ?? key.int.map(String.init)).map { SyncJSON.string("/rows/\($0)") } ?? key
  }

  /// Keys that are codes, which the objects have beside their identity.
  private static func lookup(_ model: String) -> PropertyWord {
    PropertyWord(text: "by: \\\(model).code", value: { Sheet.coded($0) })
  }

  private static func coded(_ value: SyncJSON) -> SyncJSON {
    if let values = value.array { return .array(values.map { Sheet.coded($0) }) }
    guard var object = value.object else { return value.int.map { .string("c\($0)") } ?? value }
    object["code"] = value["number"].map { Sheet.coded($0) }
    return .object(object)
  }

  // MARK: Words that say where it is

  /// A path, quoted parts, a place in a list, a pair.
  private static func paths(to name: String) -> [PropertyWord] {
    [
      PropertyWord(text: #"@RemoteKey("a.b")"#, place: { ["a": Sheet.object("b", $0)] }),
      PropertyWord(text: ##"@RemoteKey(#"a."b.c""#)"##, place: { ["a": Sheet.object("b.c", $0)] }),
      PropertyWord(text: #"@RemoteKey("list[0].b")"#, place: { ["list": [Sheet.object("b", $0)]] }),
      PropertyWord(
        text: "@RemoteKey(\"list[k:v].\(name)\")",
        place: { ["list": [["k": .string(name), "v": $0]]] }),
    ]
  }

  /// The members of a list's elements; what means null stands in the place of the list.
  private static let each = PropertyWord(
    text: #"@RemoteKey("list[].b")"#,
    place: { value in
      if let elements = value.array { return ["list": .array(elements.map { Sheet.object("b", $0) })] }
      return ["list": value.isNull || value == Sheet.nothing ? value : Sheet.object("b", value)]
    })

  /// The object that the row stands in; it is never in a list, and cannot be a key alone.
  private static let itself = PropertyWord(
    text: #"@RemoteKey(".")"#, place: { ($0.object ?? $0[0]?.object).map(SyncJSON.object) })

  private static func object(_ key: String, _ value: SyncJSON) -> SyncJSON {
    .object(SyncJSONObject([(key, value)]))
  }

  // MARK: Words that change what is stored or exported

  private static let merged = PropertyWord(text: "@Merged")
  private static let create = PropertyWord(text: "unknown: .create")
  private static let keep = PropertyWord(text: "missing: .keep")
  private static let ordered = PropertyWord(text: "@Ordered")
  private static let transform = PropertyWord(text: "@Transform(Own)")
  private static let keys = PropertyWord(text: "@Export(.identities)")
  private static let hidden = PropertyWord(text: "@NotExport")
  private static let index = PropertyWord(text: "@Index")
  private static let unique = PropertyWord(text: "@Unique")
  private static let renamed = PropertyWord(text: #"@RenamedFrom("old")"#)
  private static let transient = PropertyWord(text: "@Transient", always: .null)
  private static let position = PropertyWord(text: "@Position", always: 0)

  private static func local(_ value: SyncJSON = .null) -> PropertyWord {
    PropertyWord(text: "@Local", always: value)
  }
}
