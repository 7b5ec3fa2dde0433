import Syncline

/// Facts about schemas from the operations of a document: the schemas that only requests use, the path parameters that select
/// rows, and examples of responses.
struct DocumentUsage {
  /// The pointers of the schemas that only request bodies use.
  private(set) var onlyRequested: Set<String> = []
  /// The last parameters of paths that select one row, by the pointer of the row's schema.
  private(set) var pathNames: [String: [String]] = [:]
  /// Examples of whole responses.
  private(set) var examples: [(schema: SyncJSON, value: SyncJSON)] = []

  private static let methods = ["get", "put", "post", "patch", "delete", "options", "head", "trace"]

  private let document: SchemaDocument
  private var responses: [SyncJSON] = []
  private var requests: [SyncJSON] = []

  init(of document: SchemaDocument) {
    self.document = document
    for (path, item) in document.root["paths"]?.object ?? SyncJSONObject() {
      let item = document.resolved(item)
      for method in DocumentUsage.methods {
        guard let operation = item[method] else { continue }
        add(operation, beside: item["parameters"])
        if method == "get" { notePath(path, operation) }
      }
    }
    let components = document.root["components"]
    for (_, response) in components?["responses"]?.object ?? SyncJSONObject() { addResponse(response) }
    for (_, response) in document.root["responses"]?.object ?? SyncJSONObject() { addResponse(response) }
    findOnlyRequested()
  }

  private mutating func add(_ operation: SyncJSON, beside shared: SyncJSON?) {
    for (_, response) in operation["responses"]?.object ?? SyncJSONObject() { addResponse(response) }
    if let body = operation["requestBody"] {
      for (_, content) in document.resolved(body)["content"]?.object ?? SyncJSONObject() {
        if let schema = content["schema"] { requests.append(schema) }
      }
    }
    // Swagger 2.
    for parameter in [operation["parameters"], shared].compactMap({ $0?.array }).joined() {
      let parameter = document.resolved(parameter)
      if parameter["in"]?.string == "body", let schema = parameter["schema"] { requests.append(schema) }
    }
  }

  private mutating func addResponse(_ response: SyncJSON) {
    let response = document.resolved(response)
    // Swagger 2.
    if let schema = response["schema"] {
      responses.append(schema)
      for (_, value) in response["examples"]?.object ?? SyncJSONObject() { examples.append((schema, value)) }
    }
    for (_, content) in response["content"]?.object ?? SyncJSONObject() {
      guard let schema = content["schema"] else { continue }
      responses.append(schema)
      if let value = content["example"] { examples.append((schema, value)) }
      for (_, example) in content["examples"]?.object ?? SyncJSONObject() {
        if let value = document.resolved(example)["value"] { examples.append((schema, value)) }
      }
    }
  }

  /// Records the parameter of a path such as `/users/{username}`, if the path has only one.
  private mutating func notePath(_ path: String, _ operation: SyncJSON) {
    let steps = path.split(separator: "/")
    guard let last = steps.last, last.hasPrefix("{"), last.hasSuffix("}"),
      steps.count(where: { $0.contains("{") }) == 1
    else { return }
    let name = String(last.dropFirst().dropLast())
    let bodies = operation["responses"]?.object
    guard let response = (bodies?["200"] ?? bodies?["2XX"] ?? bodies?["default"]).map(document.resolved)
    else {
      return
    }
    let contents = response["content"]?.object?.compactMap { $0.value["schema"] } ?? []
    guard let schema = contents.first ?? response["schema"] else { return }
    // The response is the row, or an object that contains it.
    let members = document.members(of: schema).list.map(\.schema)
    for reference in ([schema] + members).compactMap({ $0["$ref"]?.string }) {
      pathNames[document.canonical(reference), default: []].append(name)
    }
  }

  private mutating func findOnlyRequested() {
    let requested = reached(from: requests)
    // Schemas that no request uses are kept, including all schemas that they refer to.
    let others = document.entries.filter { !requested.contains($0.pointer) }
    let kept = reached(from: responses + others.map(\.schema)).union(others.map(\.pointer))
    let found = requested.subtracting(kept)
    if document.entries.contains(where: { !found.contains($0.pointer) }) { onlyRequested = found }
  }

  private func reached(from schemas: [SyncJSON]) -> Set<String> {
    var found: Set<String> = []
    var rest = schemas
    while let value = rest.popLast() {
      if let array = value.array {
        rest += array
      } else if let object = value.object {
        if let reference = object["$ref"]?.string, found.insert(document.canonical(reference)).inserted,
          let target = document.schema(at: reference)
        {
          rest.append(target)
        }
        for (_, member) in object { rest.append(member) }
      }
    }
    return found
  }
}
