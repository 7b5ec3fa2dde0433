import Foundation

/// A pattern for strings that contain the key of a row: `Organization/{}`, or `*/books/{}*` where `*` is any text.
struct KeyPattern: Sendable, Hashable {
  /// The pattern as the schema has it.
  let source: String
  /// The text around the key that exports write, with each `*` replaced by the empty string.
  private let prefix: [UInt8]
  private let suffix: [UInt8]
  /// Finds the key if the pattern has a `*`.
  private let wildcards: WildcardPattern?

  /// - Parameter text: contains one `{}`, which the compiler has checked; nil otherwise.
  init?(_ text: String) {
    guard let place = text.range(of: "{}") else { return nil }
    source = text
    let (before, after) = (text[..<place.lowerBound], text[place.upperBound...])
    prefix = Array(before.utf8.filter { $0 != WildcardPattern.wildcard })
    suffix = Array(after.utf8.filter { $0 != WildcardPattern.wildcard })
    wildcards = WildcardPattern(before: Array(before.utf8), after: Array(after.utf8))
  }

  var hasWildcards: Bool { wildcards != nil }

  /// The key in a string; nil if the string does not match.
  func key(in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    if let wildcards { return wildcards.key(in: text) }
    guard text.count > prefix.count + suffix.count, text.starts(with: prefix),
      text.suffix(suffix.count).elementsEqual(suffix)
    else { return nil }
    return UnsafeBufferPointer(rebasing: text[prefix.count..<(text.count - suffix.count)])
  }

  /// The string for a key.
  func text(of identity: SyncIdentity) -> String {
    String(decoding: prefix, as: UTF8.self) + identity.description + String(decoding: suffix, as: UTF8.self)
  }
}

/// Reads and writes the identities of a model, or keys that refer to them.
struct IdentityReader: Sendable {
  let kind: SyncIdentityKind
  let patterns: [KeyPattern]
  /// The values that mean null, and so identify no row.
  let nulls: NullWords?
  /// Whether it has neither patterns nor such values.
  let isPlain: Bool

  init(kind: SyncIdentityKind, patterns: [KeyPattern], nulls: NullWords? = nil) {
    self.kind = kind
    self.patterns = patterns
    self.nulls = nulls
    isPlain = patterns.isEmpty && nulls == nil
  }

  /// The identity in a value.
  ///
  /// A string that matches none of the patterns is not an identity. A number is still an integer identity.
  @inline(__always)
  func identity(in value: SyncValue) -> SyncIdentity? {
    isPlain ? kind.identity(in: value) : special(value)
  }

  private func special(_ value: SyncValue) -> SyncIdentity? {
    if isNull(value) { return nil }
    if patterns.isEmpty { return kind.identity(in: value) }
    guard value.isString else { return if case .integer = kind { kind.identity(in: value) } else { nil } }
    return value.withText { text in
      for pattern in patterns {
        if let key = pattern.key(in: text), let identity = kind.identity(inText: key) { return identity }
      }
      return nil
    }
  }

  /// Whether a value means null in place of an identity.
  func isNull(_ value: SyncValue) -> Bool { nulls?.contains(value) ?? false }

  /// The identity to which a key refers.
  ///
  /// - Parameters:
  ///   - own: the patterns of the relationship; if empty, those of the identity apply.
  ///   - isLoose: whether string keys match integer identities, and vice versa.
  func key(in value: SyncValue, own: [KeyPattern], isLoose: Bool) -> SyncIdentity? {
    if isNull(value) { return nil }
    if own.isEmpty, patterns.isEmpty {
      return isLoose ? kind.identity(in: value) : kind.foreignKey(in: value)
    }
    return (own.isEmpty ? self : IdentityReader(kind: kind, patterns: own)).identity(in: value)
  }

  /// An identity as JSON: in the first pattern without `*`, otherwise in the first pattern.
  func json(_ identity: SyncIdentity) -> SyncJSON {
    let written = patterns.first { !$0.hasWildcards } ?? patterns.first
    return written.map { .string($0.text(of: identity)) } ?? identity.json
  }
}

extension SyncIdentityKind {
  /// Reads an identity from a part of a string.
  fileprivate func identity(inText text: UnsafeBufferPointer<UInt8>) -> SyncIdentity? {
    switch self {
    case .integer(let range):
      NumberText.plainInteger(text).flatMap { range.contains($0) ? .integer($0) : nil }
    case .uuid: UUID(text: text).map(SyncIdentity.uuid)
    case .text: .text(JSONText.string(text))
    case .composite: nil
    }
  }
}
