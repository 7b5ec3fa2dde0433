import Foundation
@_spi(Generated) import Syncline
import SynclineCompiler
import SynclineInterpreter
import SynclineNaming

/// An example row for a model, with all of its properties and with nested related rows.
struct ExamplePayload {
  let schema: Schema
  let modules: [String: Schema]
  let style: KeyStyle

  /// The maximum nesting depth of rows, and that of required rows. Their number may grow with the power of the depth.
  private static let (levelLimit, requiredLevelLimit) = (2, 4)

  func row(of model: Model) -> SyncJSON { object(of: model, level: 0, from: nil) }

  private func object(of model: Model, level: Int, from parent: String?) -> SyncJSON {
    var result = SyncJSON.object(SyncJSONObject())
    var places: [SyncJSON] = []
    // The row's own values take precedence over those of another row that is read from the same object.
    for property in model.carried.filter({ !$0.isObjectItself }) + model.carried.filter(\.isObjectItself) {
      guard
        let key = key(of: property),
        let steps = key == RemotePath.itself ? [] : (try? RemotePath(key))?.steps,
        let value = value(of: property, in: model, level: level, from: parent)
      else { continue }
      if model.isOfLists {
        guard case .index(let place)? = steps.first else { continue }
        while places.count <= place { places.append(.null) }
        let inner = ExamplePayload.wrapped(value, steps.dropFirst())
        places[place] = places[place].isNull ? inner : ExamplePayload.merged(places[place], inner)
        continue
      }
      result = ExamplePayload.inserted(value, at: steps[...], into: result)
    }
    if model.isOfLists { return .array(places) }
    return result
  }

  /// The clearest key of a property; for a relationship, the key of nested rows.
  private func key(of property: Property) -> String? {
    let keys = property.keys(in: style)
    guard property.isRelationship, property.explicitKeys.isEmpty else { return keys.first }
    let own = style.transform(property.schemaName)
    return keys.first { $0 == own || $0.hasSuffix(".\(own)") } ?? keys.last
  }

  private func value(of property: Property, in model: Model, level: Int, from parent: String?) -> SyncJSON? {
    if let part = property.unionPart {
      // Only the first case is shown.
      guard let union = schema.union(part.union), let first = union.cases.first, part.caseName == first.name,
        level < ExamplePayload.levelLimit, let row = related(first.type, level: level, from: model.name)
      else { return nil }
      let typed = tagged(row, union, first)
      return property.isToMany && !isEach(property) ? .array([typed]) : typed
    }
    if let target = property.target {
      // The parent is the enclosing row.
      if target == parent { return nil }
      let isNeeded = !property.isOptional && !property.isToMany
      let limit = isNeeded ? ExamplePayload.requiredLevelLimit : ExamplePayload.levelLimit
      guard level < limit, let row = related(target, level: level, from: model.name) else { return nil }
      let value =
        property.writtenKeyPattern.map { SyncJSON.string($0.replacing("{}", with: "1")) } ?? row
      return property.isToMany && !isEach(property) ? .array([value]) : value
    }
    if property.name == model.identityProperty?.name, let pattern = property.writtenKeyPattern {
      return .string(pattern.replacing("{}", with: "1"))
    }
    guard property.transform == nil, let type = property.valueType else { return .string("…") }
    return value(of: type, property, level: level)
  }

  private func isEach(_ property: Property) -> Bool {
    property.explicitKeys.first.flatMap { try? RemotePath($0.value) }?.isMany ?? false
  }

  private func related(_ name: String, level: Int, from parent: String) -> SyncJSON? {
    let home = home(of: name)
    return home.schema.model(name).map { home.object(of: $0, level: level + 1, from: parent) }
  }

  private func tagged(_ row: SyncJSON, _ union: Union, _ entry: Union.Case) -> SyncJSON {
    guard let path = try? RemotePath(union.key.value) else { return row }
    return ExamplePayload.merged(ExamplePayload.wrapped(.string(entry.tag), path.steps[...]), row)
  }

  private func value(of type: ValueType, _ property: Property, level: Int) -> SyncJSON {
    switch type {
    case .scalar(.date):
      let format = property.dateFormat.flatMap { try? SyncDateFormat.pattern($0.value) }
      let date = Date(timeIntervalSince1970: 1_735_808_400)
      return date.syncExport(form: SyncForm(dates: format))
    case .scalar(let scalar): return self.scalar(scalar, property.name)
    case .enumeration(let name):
      return home(of: name).schema.enumeration(name)?.cases.first?.json ?? .null
    case .structure(let name):
      let home = home(of: name)
      guard level < 4, let structure = home.schema.structure(name) else { return .null }
      return home.object(of: structure, level: level + 1, from: nil)
    case .union(let name):
      let home = home(of: name)
      guard level < 4, let union = home.schema.union(name), let first = union.cases.first,
        let structure = home.schema.structure(first.type)
      else { return .null }
      return tagged(home.object(of: structure, level: level + 1, from: nil), union, first)
    case .list(let element):
      let value = value(of: element, property, level: level)
      return value.isNull ? .array([]) : .array([value])
    case .map(let element):
      let value = value(of: element, property, level: level)
      return value.isNull ? .object(SyncJSONObject()) : .object(SyncJSONObject([("key", value)]))
    }
  }

  /// The examples of the schema that declares a name.
  private func home(of name: String) -> ExamplePayload {
    ExamplePayload(schema: schema.home(of: name, among: modules), modules: modules, style: style)
  }

  private func scalar(_ scalar: ScalarType, _ name: String) -> SyncJSON {
    switch scalar {
    // A name that ends in `id` suggests the key of a related row, so it gets that row's number.
    case .string where Names.snake(name).hasSuffix("id"): "1"
    case .string: .string(Names.snake(name).replacing("_", with: " "))
    case .double, .float, .decimal: 1.5
    case .bool: true
    case .date: "2025-01-02T09:00:00.000Z"
    case .uuid: "C3E7A1B2-0000-4000-8000-000000000001"
    case .url: "https://example.com/1"
    case .data: "aGk="
    case .json: ["any": "JSON"]
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64:
      1
    }
  }

  /// A value, wrapped in the objects that its path requires.
  private static func wrapped(_ value: SyncJSON, _ path: ArraySlice<RemotePath.Step>) -> SyncJSON {
    guard let step = path.first else { return value }
    let inner = wrapped(value, path.dropFirst())
    switch step {
    case .member(let name): return .object(SyncJSONObject([(name, inner)]))
    case .each: return .array([inner])
    case .members: return .object(SyncJSONObject([("1", inner)]))
    case .pairs(let name, let key):
      guard case .member(let pair)? = path.dropFirst().first else { return .array([]) }
      let members = [(name, SyncJSON.string(pair)), (key, wrapped(value, path.dropFirst(2)))]
      return .array([.object(SyncJSONObject(members))])
    case .index(let index): return .array(Array(repeating: inner, count: index + 1))
    }
  }

  /// Inserts a value at a path. A pair is added to those of its list, or the value to the pair with that name.
  private static func inserted(
    _ value: SyncJSON, at path: ArraySlice<RemotePath.Step>, into json: SyncJSON
  ) -> SyncJSON {
    let new = wrapped(value, path)
    switch path.first {
    case .member(let name)?:
      guard var object = json.object else { return merged(json, new) }
      let rest = path.dropFirst()
      object[name] = object[name].map { inserted(value, at: rest, into: $0) } ?? wrapped(value, rest)
      return .object(object)
    case .pairs(let name, let key)?:
      var pairs = json.array ?? []
      guard case .member(let pair)? = path.dropFirst().first,
        let index = pairs.firstIndex(where: { $0[name]?.string == pair }),
        var known = pairs[index].object, let content = known[key]
      else { return .array(pairs + (new.array ?? [])) }
      known[key] = inserted(value, at: path.dropFirst(2), into: content)
      pairs[index] = .object(known)
      return .array(pairs)
    default: return merged(json, new)
    }
  }

  private static func merged(_ left: SyncJSON, _ right: SyncJSON) -> SyncJSON {
    switch (left, right) {
    case (.object(var object), .object(let other)):
      for (key, value) in other { object[key] = object[key].map { merged($0, value) } ?? value }
      return .object(object)
    case (.array, .array):
      let (first, second) = (left.array ?? [], right.array ?? [])
      let common = zip(first, second).map(merged)
      let longer = first.count > second.count ? first : second
      return .array(common + Array(longer.dropFirst(common.count)))
    default: return left
    }
  }
}
