import Syncline

/// The probable location of the rows in an object without an identity, such as a response that contains a list.
package struct SampleEnvelope {
  /// The path of the longest list of objects, or of an object with an identity.
  package let path: String
  /// The number of objects in the list.
  package let count: Int

  private static let levelLimit = 3

  /// - Parameter path: the path of the object.
  /// - Returns: nil if the object has an identity, or contains no object with one.
  init?(_ object: SyncJSON, at path: String?) {
    guard let members = object.object, !SampleEnvelope.hasIdentity(members),
      let found = SampleEnvelope.longest(in: members, level: 0)
    else { return nil }
    self.path = (path.map { $0.isEmpty ? "" : $0 + "." } ?? "") + found.path
    count = found.count
  }

  private static func hasIdentity(_ members: SyncJSONObject) -> Bool {
    SampleShape.identityKeys.contains { members[$0] != nil }
  }

  /// The longest list of objects. If there is none, the first object with an identity.
  private static func longest(
    in members: SyncJSONObject, level: Int
  ) -> (path: String, count: Int, isList: Bool)? {
    var longest: (path: String, count: Int, isList: Bool)?
    for (key, value) in members where !key.isEmpty && !key.contains(where: { ".[{=".contains($0) }) {
      var found: (path: String, count: Int, isList: Bool)?
      if let elements = value.array, !elements.isEmpty, elements.allSatisfy({ $0.object != nil }) {
        let areEdges = elements.allSatisfy { $0["node"]?.object != nil }
        found = (areEdges ? key + "[].node" : key, elements.count, true)
      } else if let object = value.object {
        if KeyedObjects.areRows(object) {
          found = (key + "{}", object.count, true)
        } else if hasIdentity(object) {
          found = (key, 1, false)
        } else if level < levelLimit {
          found = SampleEnvelope.longest(in: object, level: level + 1).map {
            (key + "." + $0.path, $0.count, $0.isList)
          }
        }
      }
      guard let found else { continue }
      let isBetter = longest.map { found.count > $0.count || (found.isList && !$0.isList) } ?? true
      if isBetter { longest = found }
    }
    return longest
  }
}
