import Syncline

extension SampleEndpoint {
  /// The key that is added for a resource's model. JSON:API documents do not use it.
  static let resourceKey = "typename"

  /// The resources of JSON:API documents, with one endpoint for each type. The members of `attributes` and the data of
  /// `relationships` become members of the rows, as in `sync(jsonAPI:)`.
  ///
  /// - Returns: nil if a payload is not a JSON:API document, or if no resource has attributes or relationships.
  package static func resources(of documents: [SyncJSON]) -> [SampleEndpoint]? {
    var endpoints: [SampleEndpoint] = []
    var types: [String: String] = [:]
    var haveMembers = false
    for document in documents {
      guard let data = document["data"], case let primary = data.array ?? (data.isNull ? [] : [data]),
        primary.allSatisfy({ type(of: $0) != nil })
      else { return nil }
      haveMembers =
        haveMembers
        || primary.contains { $0["attributes"]?.object != nil || $0["relationships"]?.object != nil }
      var rows: [String: [SyncJSON]] = [:]
      for resource in primary + (document["included"]?.array ?? []) {
        guard let name = type(of: resource) else { continue }
        note(resource, &types)
        rows[name, default: []].append(row(of: resource))
        if !endpoints.contains(where: { $0.name == name }) {
          endpoints.append(SampleEndpoint(named: name, isResource: true))
        }
      }
      for index in endpoints.indices { endpoints[index].rows.add(rows[endpoints[index].name] ?? []) }
    }
    // Without any, they may be other payloads with a key “data”.
    guard haveMembers else { return nil }
    for index in endpoints.indices { endpoints[index].resourceTypes = types }
    return endpoints
  }

  /// Records the types of a resource and of the resources to which it refers, by the names of their models.
  private static func note(_ resource: SyncJSON, _ types: inout [String: String]) {
    let links = (resource["relationships"]?.object ?? SyncJSONObject([])).compactMap { $0.value["data"] }
    for value in links.flatMap({ $0.array ?? [$0] }) + [resource] {
      if let name = type(of: value), let type = value["type"]?.string { types[name] = type }
    }
  }

  /// The model of a resource or a resource identifier; nil if the value is neither.
  private static func type(of resource: SyncJSON) -> String? {
    guard let type = resource["type"]?.string, resource["id"]?.string != nil else { return nil }
    return DraftName.type(type, isList: true)
  }

  private static func row(of resource: SyncJSON) -> SyncJSON {
    var members = Array(identifier(resource).object ?? SyncJSONObject([]))
    for (key, value) in resource["attributes"]?.object ?? SyncJSONObject([])
    where key != "id" || resource["id"] == nil {
      members.append((key, value))
    }
    for (key, value) in resource["relationships"]?.object ?? SyncJSONObject([]) {
      guard let data = value["data"] else { continue }
      members.append((key, data.array.map { .array($0.map(identifier)) } ?? identifier(data)))
    }
    return .object(SyncJSONObject(members))
  }

  private static func identifier(_ value: SyncJSON) -> SyncJSON {
    guard let name = type(of: value), let id = value["id"] else { return value }
    return .object(SyncJSONObject([(resourceKey, .string(name)), ("id", id)]))
  }
}
