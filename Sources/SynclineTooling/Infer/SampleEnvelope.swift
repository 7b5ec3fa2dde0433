import Syncline

/// Where the rows may be in an object without an identity, such as an API's answer around a list.
package struct SampleEnvelope {
  /// The path of the longest list of objects.
  package let path: String
  /// The number of objects in the list.
  package let count: Int

  private static let levelLimit = 3

  /// - Parameter path: the path of the object.
  /// - Returns: nil if the object has an identity, or no list of objects.
  init?(_ object: SyncJSON, at path: String?) {
    guard let members = object.object, !SampleShape.identityKeys.contains(where: { members[$0] != nil })
    else { return nil }
    let found = SampleEnvelope.longest(in: members, level: 0)
    guard let found else { return nil }
    self.path = (path.map { $0.isEmpty ? "" : $0 + "." } ?? "") + found.path
    count = found.count
  }

  private static func longest(in members: SyncJSONObject, level: Int) -> (path: String, count: Int)? {
    var longest: (path: String, count: Int)?
    for (key, value) in members where !key.isEmpty && !key.contains(where: { ".[{=".contains($0) }) {
      var found: (path: String, count: Int)?
      if let elements = value.array, !elements.isEmpty, elements.allSatisfy({ $0.object != nil }) {
        found = (key, elements.count)
      } else if let object = value.object {
        if KeyedObjects.areRows(object) {
          found = (key + "{}", object.count)
        } else if level < levelLimit {
          found = SampleEnvelope.longest(in: object, level: level + 1).map { (key + "." + $0.path, $0.count) }
        }
      }
      if let found, found.count > longest?.count ?? 0 { longest = found }
    }
    return longest
  }
}
