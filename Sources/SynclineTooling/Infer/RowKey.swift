import SynclineNaming

/// A key whose name suggests that its values are identities of another model's rows: `userId`, `assigned_user_id`, `tag_ids`,
/// `user`.
struct RowKey {
  let name: String
  /// Whether the key is only the model's name. This is weaker evidence than a key that ends in `id`.
  let isBare: Bool

  /// - Returns: nil if the name of the key does not match.
  init?(_ key: String, of model: String, identity: String, isList: Bool) {
    let words = RowKey.words(of: key, isList: isList)
    let target = KeyWords.words(of: model)
    let endings: Set<String> = Set(["id", "uuid", "guid"] + KeyWords.words(of: identity).suffix(1))
    let singular: String? = words.last.flatMap { $0.hasSuffix("s") ? String($0.dropLast()) : nil }
    let ending: String? = isList ? singular : words.last
    isBare = words.count < 2 || !(ending.map(endings.contains) ?? false)
    let stem: [String] = isBare ? words : Array(words.dropLast())
    let isNamed = !target.isEmpty && stem.suffix(target.count).elementsEqual(target)
    if isBare {
      let own: [String] = isList ? KeyWords.words(of: DraftName.type(key, isList: true)) : words
      guard own == target else { return nil }
      name = DraftName.property(key)
    } else {
      guard isNamed else { return nil }
      name = RowKey.name(of: stem, isList: isList)
    }
  }

  /// The words of a key, one of which is the last word of the model's name if the key matches the name.
  static func namedWords(in key: String, isList: Bool) -> Set<String> {
    let singular = isList ? KeyWords.words(of: DraftName.type(key, isList: true)) : []
    return Set(words(of: key, isList: isList) + singular)
  }

  /// The words of a key. An `id` at the start is moved to the end: `["member", "ids"]` for `idMembers`.
  private static func words(of key: String, isList: Bool) -> [String] {
    let words = KeyWords.words(of: key)
    guard words.count > 1, words[0] == "id", !SampleShape.identityKeys.contains(key) else { return words }
    let stem = words.dropFirst().joined(separator: "_")
    return isList
      ? KeyWords.words(of: DraftName.type(stem, isList: true)) + ["ids"] : KeyWords.words(of: stem) + ["id"]
  }

  private static func name(of words: some Sequence<String>, isList: Bool) -> String {
    let one = words.joined(separator: "_")
    return DraftName.property(isList ? Names.plural(of: one) : one)
  }

  /// The name of a relationship whose key does not name the model: `author` for `author_id`.
  static func name(of key: String, isList: Bool) -> String {
    let words = words(of: key, isList: isList)
    let endings: Set<String> = isList ? ["ids", "uuids", "guids"] : ["id", "uuid", "guid"]
    guard words.count > 1, let last = words.last, endings.contains(last) else {
      return DraftName.property(key)
    }
    return name(of: words.dropLast(), isList: isList)
  }
}
