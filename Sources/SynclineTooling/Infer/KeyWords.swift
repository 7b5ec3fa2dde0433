import SynclineNaming

/// The words of keys, and their meaning for the values.
enum KeyWords {
  /// The words of a key, lowercased: `["account", "code"]` for `Account code` and `accountCode`, `["page", "id"]` for `pageid`.
  static func words(of key: String) -> [String] {
    let words = Names.snake(key).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = words.last, let ending = ["id", "ids"].first(where: last.hasSuffix),
      case let stem = String(last.dropLast(ending.count)), owners.contains(stem)
    else { return words }
    return words.dropLast() + [stem, ending]
  }

  /// How likely a key is the identity, by its words alone. The smallest is the most likely.
  enum Rank: Int, Comparable {
    /// A key with an identity's usual name, such as `id`.
    case usual
    /// A key that is named after the model, such as `artist_id` of an artist.
    case own
    /// A word for identities without other words: `key`, `slug`, `code`.
    case word
    /// A key that ends in such a word: `bom-ref`, `user_id`.
    case ending
    /// An address, such as `url`, `self_link` or `email`.
    case address
    /// A name or a title.
    case name
    /// A noun with few distinct values, such as `country`.
    case noun
    /// A noun that identifies a row only together with a time or a position: `home_team` and `date`.
    case actor

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  static func rank(of key: String, model: [String]) -> Rank? {
    if SampleShape.identityKeys.contains(key) { return .usual }
    let words = trimmed(words(of: key))
    guard let last = words.last else { return nil }
    if words == ["user", "name"] { return .word }
    let stem = words.dropLast()
    let isOwn = !stem.isEmpty && model.suffix(stem.count).elementsEqual(stem)
    if identities.contains(last) { return isOwn ? .own : stem.isEmpty ? .word : .ending }
    if stem.isEmpty || stem == ["self"], addresses.contains(last) { return .address }
    if names.contains(last), stem.isEmpty || isOwn || stem.allSatisfy(kinds.contains) { return .name }
    if stem.isEmpty, nouns.contains(last) { return .noun }
    return actors.contains(last) ? .actor : nil
  }

  /// Whether a key may be the identity of another row: `userId`.
  static func isForeign(_ key: String, model: [String]) -> Bool {
    let words = words(of: key)
    return words.count > 1 && words.last == "id" && !words.dropLast().elementsEqual(model)
      && !SampleShape.identityKeys.contains(key)
  }

  /// Whether values with this name form a sequence: times, and positions in an order.
  static func isTurn(_ key: String) -> Bool {
    let last = trimmed(words(of: key)).last ?? ""
    return places.contains(last) || ScalarGuess.times.contains(last)
  }

  /// Whether the values with this name are the times that a time series is indexed by: `date`, `year`.
  static func isPeriod(_ key: String) -> Bool { periods.contains(trimmed(words(of: key)).last ?? "") }

  /// Whether integers with this name may be part of an identity. Counts and amounts cannot.
  static func mayCountUp(_ key: String, model: [String]) -> Bool {
    rank(of: key, model: model) != nil || places.contains(trimmed(words(of: key)).last ?? "")
  }

  /// Whether strings with this name may distinguish kinds of objects.
  static func isTag(_ key: String) -> Bool { tags.contains(words(of: key).last ?? "") }

  /// Whether strings with this name are the kind of a row, rather than a property of it, such as `album_type`.
  static func isKind(_ key: String) -> Bool {
    isTag(key) && words(of: key).dropLast().allSatisfy(["entity", "object", "resource"].contains)
  }

  /// Whether strings with this name can only be the kind of a row: `resource_type` and `__typename`, but not `type`.
  static func isOnlyKind(_ key: String) -> Bool {
    isKind(key) && !["class", "kind", "type"].contains(key.lowercased())
  }

  /// Whether the kind of an object says that it is a collection of rows: `OrderedCollectionPage`, `videoListResponse`. This is
  /// false for the name of the model, and for one word under a key such as `type`, because a product may be of the type `bundle`.
  ///
  /// - Parameters:
  ///   - kind: the value of the key, such as `OrderedCollection`.
  ///   - key: the key of the kind.
  ///   - model: the words of the model's name.
  static func isCollection(_ kind: String, under key: String, of model: [String]) -> Bool {
    var words = words(of: kind)
    if ["page", "response"].contains(words.last), words.count > 1 { words.removeLast() }
    guard let last = words.last, last != model.last, words.joined() != model.joined(),
      words.count > 1 || isOnlyKind(key)
    else { return false }
    return ["bundle", "collection", "list"].contains(last)
  }

  /// Whether strings with this name are names or addresses.
  static func isName(_ key: String) -> Bool {
    rank(of: key, model: []).map { $0 == .name || $0 == .address } ?? false
  }

  /// Whether a key may be the code of a language: `en`, `fil`, `pt-BR`, `zh_Hans`.
  static func isLanguage(_ key: String) -> Bool {
    key.wholeMatch(of: /[a-z]{2,3}([-_][A-Za-z]{2,4})?/) != nil
  }

  static func isFree(_ key: String) -> Bool { texts.contains(words(of: key).last ?? "") }

  /// The key that describes the rows: `labels` for the nodes in `labels.nodes`.
  static func telling(_ key: String, under around: String?) -> String {
    guard let around else { return key }
    // The items of a cart are not carts, but the items of carts may be.
    let word = key.lowercased()
    return wrappers.contains(word) || (around.hasSuffix("s") && listWrappers.contains(word)) ? around : key
  }

  /// Whether lists of rows often have this name: `data`, `items`.
  static func isWrapper(_ key: String) -> Bool {
    [wrappers, listWrappers].contains { $0.contains(key.lowercased()) }
  }

  /// Whether this is the value that a row has for a definition: `value` and `number_value` of a custom field, or the `indices`
  /// of a mention in a text.
  static func isOwnValue(_ key: String) -> Bool {
    guard let last = key.utf8.last, last == UInt8(ascii: "e") || last == UInt8(ascii: "s") else {
      return false
    }
    return ["value", "Value", "values", "Values", "indices"].contains(where: key.hasSuffix)
  }

  static func holdsProperties(_ key: String) -> Bool {
    ["_source", "attributes", "fields", "properties"].contains(key)
  }

  /// The keys that identify an account, whatever its role: `accountId` of an author.
  static let accountKeys = [
    "accountId", "account_id", "accountID", "userId", "user_id", "userID", "memberId", "member_id",
    "personId", "person_id", "did",
  ]

  /// Whether objects with this name often contain the identity of the row that has them: `metadata` and `sys`.
  static func holdsIdentity(_ key: String) -> Bool {
    ["data", "metadata", "sys"].contains(String(key.drop { $0 == "_" }))
  }

  /// Whether rows with this name are accounts that acted on the row: `added_by`, `assigned_to`.
  static func isActor(_ key: String) -> Bool {
    let words = words(of: key)
    return words.last == "by" || words.suffix(2).elementsEqual(["assigned", "to"])
  }

  /// Whether a key with this name describes an account: `displayName`, `avatar`, but not `emoji_name`.
  static func describesAccount(_ key: String) -> Bool {
    let words = words(of: key)
    return words.contains(where: descriptions.contains)
      || words.last == "name" && words.dropLast().allSatisfy { kinds.contains($0) || nameParts.contains($0) }
  }

  /// Whether a key with this name describes the link between two rows: `role`.
  static func describesLink(_ key: String) -> Bool { links.contains(words(of: key).last ?? "") }

  /// Whether objects with this name contain keys that users of the API choose.
  static func isFreeForm(_ key: String) -> Bool { freeForms.contains(words(of: key).last ?? "") }

  static func isOfManyKinds(_ key: String) -> Bool {
    let words = words(of: key)
    guard let last = words.last else { return true }
    if ["email", "hash", "login"].contains(last) { return false }
    if names.contains(last) { return words.count == 1 }
    return identities.contains(last) || last == "ids" || addresses.contains(last) || tags.contains(last)
      || general.contains(last)
  }

  /// Whether rows with this name are users: `User`, and roles of a user, such as `Assignee`, `ClosedBy` and `CreatorDetail`.
  static func isOfUser(_ name: String) -> Bool {
    let words = words(of: name)
    let role = (words.last == "detail" ? words.dropLast() : words).joined(separator: "_")
    return isActor(role) || users.contains(KeyWords.words(of: role).last ?? "")
  }

  /// Whether rows with this role of a user may also be organizations.
  static func mayBeOrganization(_ name: String) -> Bool {
    ["owner", "sender"].contains(words(of: name).last ?? "")
  }

  /// Whether rows with this name form a tree with the rows that contain them.
  static func isOfTree(_ name: String) -> Bool {
    ["child", "parent", "subtask"].contains(words(of: name).last ?? "")
  }

  /// The words without a trailing number: `alpha` for `alpha_2`, `iso` for `iso3`.
  private static func trimmed(_ words: [String]) -> [String] {
    guard let last = words.last else { return [] }
    let letters = String(last.prefix { !$0.isNumber })
    if letters.count == last.count { return words }
    return Array(words.dropLast()) + (letters.isEmpty ? [] : [letters])
  }

  private static let identities: Set<String> = [
    "alpha", "arn", "asin", "cca", "ccn", "cid", "code", "codepoint", "did", "doi", "ean", "fingerprint",
    "fips", "gid", "gtin", "guid", "handle", "hash", "iata", "icao", "id", "identifier", "iid", "isbn", "iso",
    "issn", "key", "login", "nid", "no", "nr", "number", "oid", "pid", "pk", "purl", "ref", "rid", "sha",
    "sid", "sku", "slug", "symbol", "ticker", "tid", "ts", "uid", "unified", "upc", "urn", "username",
    "uuid", "vin",
  ]
  /// Nouns that some APIs join with `id` to one word.
  private static let owners: Set<String> = [
    "account", "app", "author", "client", "customer", "device", "event", "file", "game", "group", "grp",
    "item", "member", "message", "node", "object", "order", "owner", "page", "parent", "person", "post",
    "product", "project", "record", "rev", "session", "task", "team", "thread", "user", "video",
  ]
  private static let addresses: Set<String> = [
    "domain", "email", "filename", "host", "hostname", "href", "link", "path", "permalink", "uri", "url",
  ]
  private static let names: Set<String> = ["label", "name", "title"]
  /// Words that may precede a name.
  private static let kinds: Set<String> = ["common", "display", "full", "official", "short"]
  private static let nouns: Set<String> = [
    "country", "currency", "emoji", "language", "locale", "state", "term", "word",
  ]
  private static let users: Set<String> = [
    "actor", "approver", "assignee", "author", "cc", "closer", "commenter", "committer", "contributor",
    "creator", "editor", "follower", "handler", "mention", "owner", "participant", "reporter", "requester",
    "reviewer", "sender", "submitter", "subscriber", "updater", "user", "watcher",
  ]
  private static let actors: Set<String> = [
    "airport", "city", "club", "employee", "job", "player", "product", "station", "store", "team", "user",
  ]
  private static let descriptions: Set<String> = [
    "avatar", "email", "firstname", "handle", "lastname", "login", "nickname", "picture", "username",
  ]
  /// Words that may precede the name of an account.
  private static let nameParts: Set<String> = [
    "account", "family", "first", "given", "last", "member", "person", "real", "screen", "user",
  ]
  private static let links: Set<String> = [
    "access", "admin", "owner", "permission", "permissions", "role", "roles", "since", "status",
  ]
  private static let freeForms: Set<String> = [
    "annotations", "extra", "extras", "headers", "labels", "metadata",
  ]
  private static let places: Set<String> = [
    "day", "index", "level", "line", "month", "page", "position", "rank", "round", "row", "season",
    "sequence", "step", "version", "week", "year",
  ]
  private static let periods: Set<String> = [
    "date", "datetime", "day", "dt", "hour", "month", "quarter", "time", "timestamp", "week", "year",
  ]
  private static let tags: Set<String> = ["class", "discriminator", "kind", "object", "type", "typename"]
  private static let wrappers: Set<String> = ["$date", "$oid", "data", "edges", "node", "nodes", "sys"]
  private static let listWrappers: Set<String> = [
    "documents", "elements", "entries", "features", "hits", "items", "list", "records", "results", "rows",
    "value", "values",
  ]
  private static let general: Set<String> = [
    "active", "attributes", "color", "colour", "count", "description", "fields", "icon", "image", "links",
    "meta", "position", "properties", "relationships", "self", "status", "summary", "value",
  ]
  private static let texts: Set<String> = [
    "abstract", "avatar", "body", "checksum", "comment", "content", "cursor", "description", "etag",
    "extract", "image", "message", "note", "password", "photo", "picture", "poster", "summary", "text",
    "thumbnail", "token",
  ]
}
