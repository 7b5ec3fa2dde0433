import Syncline

/// Detects objects that are used as maps: the keys are data, and the values are of one kind.
enum KeyedObjects {
  private static let memberLimit = 300
  /// The maximum number of members that are read.
  private static let sampleLimit = 1_000
  /// The number of objects from which equal keys mean that the keys are not chosen by users.
  private static let freeFormCount = 5

  /// - Parameter isPayload: whether the object is a payload or at the caller's path. Two members with equal keys are then enough,
  ///   because an object without an identity is not a row itself.
  static func areRows(_ object: SyncJSONObject, isPayload: Bool = false) -> Bool {
    guard !object.isEmpty, object.allSatisfy({ $0.value.object != nil }) else { return false }
    if isPayload, object.count > 1, haveEqualKeys(object.compactMap(\.value.object)) { return true }
    let shape = SampleShape()
    let sample = SyncJSONObject(object.prefix(sampleLimit).map { ($0.key, $0.value) })
    // Two levels are enough to compare the keys of the members.
    shape.add(.object(sample), level: SampleShape.levelLimit - 2)
    return object.count > memberLimit || isKeyed(shape)
  }

  /// Whether objects have the same keys, and neither an identity nor a list of objects: a response may have several lists, each
  /// in an envelope of its own.
  private static func haveEqualKeys(_ objects: [SyncJSONObject]) -> Bool {
    let keys = objects.first.map { Set($0.keys) } ?? []
    return keys.count > 1
      && objects.allSatisfy { object in
        Set(object.keys) == keys && !SampleEnvelope.hasIdentity(object)
          && !object.contains { $0.value.array?.contains { $0.object != nil } ?? false }
      }
  }

  static func isKeyed(_ shape: SampleShape) -> Bool {
    guard shape.isObject, !shape.keys.isEmpty, !hasIdentity(shape) else { return false }
    let values = shape.keys.compactMap { shape.members[$0] }
    let areObjects = values.allSatisfy(\.isObject)
    if shape.keys.allSatisfy({ isIdentity($0, of: shape) }) { return true }
    if shape.keys.count == 1 { return areObjects && isData(shape.keys[0]) }
    let areLists = values.allSatisfy(\.isList)
    guard areObjects || areLists || values.allSatisfy(\.isScalar) else { return false }
    if shape.keys.allSatisfy(isData) || areTokens(shape.keys) || shape.keys.allSatisfy(isCurrency) {
      return true
    }
    guard
      areObjects || areLists || values.allSatisfy(\.isNumber) || values.allSatisfy(\.isText)
        || values.allSatisfy(\.isBool)
    else { return false }
    // npm lists the times of versions next to `created` and `modified`.
    if shape.keys.contains(where: isVersion) { return true }
    // Structs rarely have so many members.
    if shape.keys.count > memberLimit { return true }
    // Members of a struct occur in each object. Keys that are data rarely do.
    let presence =
      values.map { Double($0.count) }.reduce(0, +) / Double(max(1, shape.objects * shape.keys.count))
    if shape.objects >= 3, shape.keys.count >= 8, presence < 0.5 { return true }
    // Sets of keys, such as `{"group1": true}` in Firebase, have no other value.
    let areSets = values.allSatisfy { $0.isBool && $0.trues == $0.bools }
    if areSets, shape.objects >= 3, shape.keys.count >= 3, presence < 0.75 { return true }
    return areObjects && shape.keys.count >= 5 && isAlike(values)
  }

  /// Whether users of the API choose the keys of objects, such as `metadata`: they have a name for such objects, contain only
  /// scalars, and do not have the same keys.
  static func areFreeForm(_ shape: SampleShape, named key: String) -> Bool {
    guard KeyWords.isFreeForm(key), shape.isObject, shape.entries == nil, !shape.keys.isEmpty,
      !hasIdentity(shape)
    else { return false }
    let values = shape.keys.compactMap { shape.members[$0] }
    guard values.allSatisfy({ $0.isScalar && $0.nulls == 0 }) else { return false }
    // In a few objects, the keys may be the same by chance.
    return shape.objects < freeFormCount || values.contains { $0.count < shape.objects }
  }

  /// Whether a key is like the code of a currency: `EUR`.
  private static func isCurrency(_ key: String) -> Bool {
    key.utf8.count == 3 && key.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
  }

  private static func hasIdentity(_ shape: SampleShape) -> Bool {
    !shape.isOfLanguages
      && SampleShape.identityKeys.contains { key in
        shape.members[key].map { $0.isScalar && $0.count == shape.objects } ?? false
      }
  }

  /// Whether a key is the identity of the object that it has: `{"Q64": {"id": "Q64"}}`, `{"a.txt": {"filename": "a.txt"}}`.
  private static func isIdentity(_ key: String, of shape: SampleShape) -> Bool {
    guard let value = shape.members[key], value.isObject else { return false }
    return value.keys.contains { name in
      guard value.members[name]?.values == [key] else { return false }
      return KeyWords.rank(of: name, model: []).map { $0 <= .address } ?? false
    }
  }

  /// Whether a key is a number, a UUID, a date, a version, the address of an account, or a path such as `text/html`.
  private static func isData(_ key: String) -> Bool {
    let length = key.utf8.count
    let digits = key.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let hyphens = key.utf8.count { $0 == UInt8(ascii: "-") }
    if digits > 0, digits + (key.hasPrefix("-") ? 1 : 0) == length { return true }
    let isDate = length >= 8 && digits * 2 > length
    let isUUID = length == 36 && hyphens == 4
    return isDate || isUUID || isVersion(key) || isAccount(key) || key.contains("/")
  }

  /// Whether a key is an email address, or like Matrix's `@ann:example.org`. An annotation such as `@odata.type` is not.
  private static func isAccount(_ key: String) -> Bool {
    guard key.contains("."), !key.contains("@odata.") else { return false }
    return key.hasPrefix("@") ? key.contains(":") : key.contains("@")
  }

  /// Whether a key is a version, such as `1.2` or `1.0.0-beta.1`.
  private static func isVersion(_ key: String) -> Bool {
    let core = key.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
    return core.count > 1 && core.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } }
  }

  /// Whether keys look like identities that a server generated: of one length, with lowercase and uppercase letters and, in most
  /// of them, digits. Of Firebase's keys, which are random, a tenth has none.
  private static func areTokens(_ keys: [String]) -> Bool {
    guard let length = keys.first?.utf8.count, length >= 16 else { return false }
    let areMixed = keys.allSatisfy { key in
      key.utf8.count == length && key.contains(where: \.isUppercase) && key.contains(where: \.isLowercase)
    }
    return areMixed && keys.count { $0.dropLast().contains(where: \.isNumber) } * 2 > keys.count
  }

  /// Whether most keys of the objects are the same.
  private static func isAlike(_ shapes: [SampleShape]) -> Bool {
    if shapes.allSatisfy({ $0.entries != nil }) { return true }
    let sets = shapes.map { Set($0.keys) }
    guard let first = sets.first, first.count > 1 else { return false }
    return sets.allSatisfy { $0.intersection(first).count * 4 >= max($0.count, first.count) * 3 }
  }
}
