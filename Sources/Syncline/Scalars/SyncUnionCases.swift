/// The cases of a union, and the key that distinguishes their objects. Generated code creates it.
@_spi(Generated)
public struct SyncUnionCases<Element: Sendable>: Sendable {
  /// A case: its name, its Swift type, and the value of the union's key in its objects.
  public struct Case: Sendable {
    let name: String
    let element: Element
    let type: String
    fileprivate let bytes: [UInt8]
    /// The name and the colon after it, in stored form.
    let storedKey: [UInt8]

    /// Creates a case with a name.
    public init(_ name: String, _ element: Element, type: String) {
      self.name = name
      self.element = element
      self.type = type
      bytes = Array(type.utf8)
      storedKey = JSONWriter.key(name)
    }
  }

  /// The name of the union.
  let name: String
  /// The key that distinguishes cases, and its steps.
  let key: String
  private let steps: [PathStep]
  let cases: [Case]

  /// Creates the cases of a union, distinguished by a key or a path.
  public init(_ name: String, on key: String, _ cases: [Case]) {
    self.name = name
    self.key = key
    steps = PathStep.steps(of: key)
    self.cases = cases
  }

  var firstKey: [UInt8] { steps.first?.firstName ?? [] }

  /// An object's value at the union's key.
  func type(of object: SyncValue) -> SyncValue? {
    if case .found(let type) = anyType(of: object), type.isString { type } else { nil }
  }

  /// The value at the union's key, of any kind; absent if there is no object.
  func anyType(of object: SyncValue) -> SyncValue.Lookup { object.isObject ? object.follow(steps) : .absent }

  /// Whether an object has nothing at the union's key.
  func lacksType(_ object: SyncValue) -> Bool {
    if case .absent = anyType(of: object) { object.isObject } else { false }
  }

  /// The case for a type.
  func match(type: SyncValue?) -> UnionMatch {
    guard let type else { return .untyped }
    if let index = cases.firstIndex(where: { type.hasText($0.bytes) }) { return .known(index) }
    return .unrecognized(type.string ?? "")
  }

  /// Whether a type is that of a case, compared byte by byte as in payloads.
  func hasCase(ofType type: String) -> Bool { cases.contains { $0.bytes.elementsEqual(type.utf8) } }

  /// The case of an object.
  func match(_ object: SyncValue) -> UnionMatch { match(type: type(of: object)) }

  /// The index of an object's case; nil if it matches none.
  func index(of object: SyncValue) -> Int? {
    if case .known(let index) = match(object) { index } else { nil }
  }

  /// Why an object matches no case.
  func finding(_ type: String?) -> Finding { .noCase(type, of: name, key: key) }
}

/// The result of matching an object with the cases.
enum UnionMatch {
  case known(Int)
  /// It has a type that the schema does not know.
  case unrecognized(String)
  /// The object has no type.
  case untyped
}

extension SyncJSONObject {
  /// Adds the type to the object, unless it has one.
  mutating func setType<Element>(_ union: SyncUnionCases<Element>, _ index: Int) {
    let path = ExportKey(union.key)
    var present: SyncJSON? = .object(self)
    for name in path.names ?? [union.key] { present = present?[name] }
    guard present?.isNull ?? true else { return }
    merge(.string(union.cases[index].type), at: path)
  }
}
