import Syncline

/// The probable location of the rows in an object that is not a row itself, such as a response that contains a list.
package struct SampleEnvelope {
  /// A list of objects, or an object with an identity.
  package struct Candidate {
    package let path: String
    /// The number of objects.
    package let count: Int
    let isList: Bool
    let haveIdentity: Bool

    /// Whether the objects are the elements of the list themselves, not members of the elements.
    var isPlain = true

    fileprivate var depth: Int { path.count { $0 == "." } }
  }

  /// The lists of objects, and the objects with an identity.
  package let candidates: [Candidate]
  /// The only one that is named like the model. It may be in the elements of a list.
  private let named: Candidate?
  /// The longest list of objects. If there is none, the first object with an identity.
  private let best: Candidate
  /// Whether the object may itself be a row, because a key identifies it or describes it.
  private let mayBeRow: Bool

  private static let levelLimit = 3
  /// The maximum number of elements in which other lists are looked for.
  private static let elementLimit = 20

  /// - Returns: nil if the object is a row (`isRow`), or contains neither a list of objects nor an object with an identity.
  init?(_ object: SyncJSON, at path: String?, of model: String? = nil) {
    guard let members = object.object, !SampleEnvelope.isRow(members, of: model) else { return nil }
    let start = path.map { $0.isEmpty ? "" : $0 + "." } ?? ""
    let found = SampleEnvelope.candidates(in: members, at: start, of: model, level: 0)
    let best = found.max { $0.isList == $1.isList ? $0.count < $1.count : $1.isList }
    guard let best else { return nil }
    (candidates, self.best) = (found, best)
    named =
      SampleEnvelope.named(model, among: found)
      ?? SampleEnvelope.named(
        model,
        among: SampleEnvelope.innerPaths(in: members, at: start, level: 0).map {
          Candidate(path: $0, count: 1, isList: true, haveIdentity: false)
        })
    mayBeRow = members.contains { key, value in
      // A copy of a nested object's key describes that object: the `number` of a webhook's pull request.
      guard value.object == nil, value.array == nil, let rank = KeyWords.rank(of: key, model: []),
        !members.contains(where: { $0.value[key] == value })
      else { return false }
      // A number may be that of a page, or the code of a response.
      return rank == .word && value.string != nil || rank == .name
    }
  }

  /// The path of the longest list of objects, or of an object with an identity.
  package var path: String { best.path }
  /// The number of objects in the list.
  package var count: Int { best.count }

  /// The list that is read as the rows; nil if several can contain them, or if the object may be a row. A list that is named like
  /// the model has priority, unless a list with a usual name such as `data` is at a higher level. An object that is named like
  /// the model has priority over lists without a usual name.
  package var only: Candidate? {
    if let named, named.isList, !lists.contains(where: { isUsual($0) && $0.depth < named.depth }) {
      return named
    }
    let likely = likely
    return likely.map { !isUsual($0) } ?? true ? named ?? likely : likely
  }

  private var lists: [Candidate] { candidates.filter(\.isList) }

  private var likely: Candidate? {
    guard lists.count > 1 else {
      // An object with a name may contain a list. The usual names of lists of rows are an exception.
      let list = lists.first ?? (candidates.count == 1 ? candidates.first : nil)
      return list.flatMap { isUsual($0) || !mayBeRow ? $0 : nil }
    }
    let identified = lists.filter(\.haveIdentity)
    let usual = (identified.isEmpty ? lists : identified).filter(isUsual)
    if usual.count == 1 { return usual[0] }
    return identified.count == 1 && !mayBeRow ? identified[0] : nil
  }

  /// Whether several lists may contain the rows.
  package var isAmbiguous: Bool { only == nil && candidates.count > 1 && !mayBeRow }

  private func isUsual(_ candidate: Candidate) -> Bool {
    guard let last = candidate.path.split(separator: ".").last else { return false }
    return KeyWords.isWrapper(String(last.prefix { $0 != "[" && $0 != "{" }))
  }

  /// The only list of all that are named like a model, or else the only object: `tickets` and `data.tickets.nodes` of a ticket.
  private static func named(_ model: String?, among candidates: [Candidate]) -> Candidate? {
    let named = candidates.filter { candidate in
      let keys = candidate.path.split(separator: ".").map { String($0.prefix { $0 != "[" && $0 != "{" }) }
      let found = [keys.last, keys.last { !KeyWords.isWrapper($0) }]
      return found.contains { $0.map { DraftName.type($0, isList: candidate.isList) } == model }
    }
    let lists = named.filter(\.isList)
    let fitting = lists.isEmpty ? named : lists
    return model != nil && fitting.count == 1 ? fitting[0] : nil
  }

  /// Whether an object is a row: it has an identity with a usual name, or one that is named after the model, such as the
  /// `order_id` of an order. It is an envelope if its type says that it is a collection and it has a list, or if it only has an
  /// `order_id` and also a list of orders, or one with a usual name other than `items`.
  static func isRow(_ members: SyncJSONObject, of model: String?) -> Bool {
    guard let model, case let words = KeyWords.words(of: model) else { return hasIdentity(members) }
    var found: [Candidate] { candidates(in: members, at: "", of: model, level: 0) }
    if hasIdentity(members) {
      let isCollection = members.contains { key, value in
        KeyWords.isKind(key) && value.string.map { KeyWords.isCollection($0, under: key, of: words) } ?? false
      }
      return !isCollection || !found.contains(where: \.isList)
    }
    guard
      members.contains(where: { key, value in
        (value.string != nil || value.int != nil) && key.lowercased().hasSuffix("id")
          && KeyWords.rank(of: key, model: words) == .own
      })
    else { return false }
    return named(model, among: found)?.isList != true
      && !found.contains { $0.isList && $0.path != "items" && KeyWords.isWrapper($0.path) }
  }

  static func hasIdentity(_ members: SyncJSONObject) -> Bool {
    // The `id` of JSON-RPC is that of the request. In version 1, without a key `jsonrpc`, it may be null.
    members["jsonrpc"] == nil && SampleShape.identityKeys.contains { members[$0]?.isNull == false }
  }

  /// - Parameter start: the path of the object, with a dot at its end.
  private static func candidates(
    in members: SyncJSONObject, at start: String, of model: String?, level: Int
  ) -> [Candidate] {
    var found: [Candidate] = []
    for (key, value) in members where !key.isEmpty && !key.contains(where: { ".[{=".contains($0) }) {
      if let elements = value.array, !elements.isEmpty, elements.allSatisfy({ $0.object != nil }) {
        let objects = elements.compactMap(\.object)
        let inner = rowKey(of: objects, model)
        let rows = inner.map { key in objects.compactMap { $0[key]?.object } } ?? objects
        found.append(
          Candidate(
            path: start + key + (inner.map { "[].\($0)" } ?? ""), count: elements.count, isList: true,
            haveIdentity: rows.allSatisfy(hasIdentity), isPlain: inner == nil))
      } else if let object = value.object {
        if KeyedObjects.areRows(object) {
          found.append(
            Candidate(
              path: start + key + "{}", count: object.count, isList: true, haveIdentity: true, isPlain: false)
          )
        } else if hasIdentity(object) {
          found.append(Candidate(path: start + key, count: 1, isList: false, haveIdentity: true))
        } else if level < levelLimit {
          found += candidates(in: object, at: start + key + ".", of: model, level: level + 1)
        }
      }
    }
    return found
  }

  /// The key of the rows in the elements of a list: `node`, or one whose objects state what they are, and one of which is of the
  /// model: `{"resource": {"resourceType": "Patient", "id": 1}}`.
  private static func rowKey(of elements: [SyncJSONObject], _ model: String?) -> String? {
    let words = model.map(KeyWords.words)
    return elements.first?.keys.first { key in
      let rows = elements.compactMap { $0[key]?.object }
      guard rows.count == elements.count else { return false }
      if key == "node" { return true }
      let kinds = rows.compactMap { row in
        row.first { KeyWords.isOnlyKind($0.key) && $0.value.string != nil }?.value.string
      }
      return RowKinds.isPlain(key) && kinds.count == rows.count && rows.allSatisfy(hasIdentity)
        && kinds.contains { KeyWords.words(of: $0) == words } && !elements.contains(where: hasIdentity)
    }
  }

  /// The paths of the elements of lists in the elements of other lists: `boards[].items[]`.
  private static func innerPaths(in members: SyncJSONObject, at start: String, level: Int) -> Set<String> {
    var paths: Set<String> = []
    for (key, value) in members where RowKinds.isPlain(key) && level < levelLimit {
      if let object = value.object {
        paths.formUnion(innerPaths(in: object, at: start + key + ".", level: level + 1))
      }
      for element in (value.array ?? []).prefix(elementLimit).lazy.compactMap(\.object) {
        let start = start + key + "[]."
        let lists = candidates(in: element, at: start, of: nil, level: level + 1)
        paths.formUnion(lists.lazy.filter { $0.isList && $0.isPlain }.map { $0.path + "[]" })
        paths.formUnion(innerPaths(in: element, at: start, level: level + 1))
      }
    }
    return paths
  }
}
