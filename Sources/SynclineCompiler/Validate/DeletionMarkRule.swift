import SynclineNaming

/// Reports a `@Deleted` whose key is not a path to one value, or that repeats another one.
enum DeletionMarkRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    for (index, mark) in model.deletionMarks.enumerated() {
      if mark.key.value.isEmpty {
        bag.error(.invalidDeletion, "a key cannot be empty", at: mark.key.range)
      } else if let (place, problem) = problem(of: mark.key.value, in: model) {
        bag.error(.invalidDeletion, problem, at: mark.key.range.inText(mark.key.value, at: place))
      } else if let other = model.deletionMarks[..<index].first(where: { $0.isSame(as: mark) }) {
        bag.error(
          .invalidDeletion, "“\(model.name)” has the same “@Deleted” twice", at: mark.range,
          notes: [.init(message: "the first is here", range: other.range)], fixIts: [.remove(mark.range)])
      } else if let whole = model.deletionMarks.first(where: { $0.includes(mark) }) {
        bag.error(
          .invalidDeletion,
          "“@Deleted(\"\(mark.key.value)\")” already matches every value except null, false and empty ones, so this has no effect",
          at: mark.range, notes: [.init(message: "it is here", range: whole.range)],
          fixIts: [.remove(mark.range)])
      } else if mark.value == nil, model.identifies(by: mark.key.value) {
        bag.error(
          .invalidDeletion,
          "“\(mark.key.value)” is the identity of “\(model.name)”: each row has it, and would be deleted",
          at: mark.key.range)
      }
    }
  }

  /// The reason why a key is invalid, and the range of the error in it.
  private static func problem(of key: String, in model: Model) -> (place: Range<Int>, problem: String)? {
    func invalid(_ place: Range<Int>, _ why: String) -> (place: Range<Int>, problem: String) {
      (place, "“\(key)” is not a valid key: \(why)")
    }
    let path: RemotePath
    do { path = try RemotePath(key) } catch { return invalid(error.range, error.description) }
    if let number = path.number(in: key) {
      let digits = key.utf8Text(number)
      return invalid(
        number, "“\(digits)” is a list index: write “[\(digits)]” after the name of the list")
    }
    if !model.isOfLists, case .index? = path.steps.first {
      let first = RemotePath.components(of: key)[0]
      return invalid(0..<first.utf8.count, "“\(first)” must follow a name")
    }
    guard path.isMany else { return nil }
    return invalid(key.placeOfMany, "it selects many values, but must select one")
  }
}

extension Model.DeletionMark {
  fileprivate func isSame(as other: Model.DeletionMark) -> Bool {
    key.value == other.key.value && value?.value == other.value?.value
  }

  /// Whether every value marks a row as deleted that the other mark names.
  fileprivate func includes(_ other: Model.DeletionMark) -> Bool {
    guard key.value == other.key.value, value == nil, let value = other.value else { return false }
    return switch value.value {
    case .bool(let flag): flag
    case .number(let digits): Double(digits) != 0
    case .text(let text): !Model.DeletionMark.falseTexts.contains(text.lowercased())
    case .uuid, .member, .list, .emptyMap, .null: false
    }
  }

  /// The strings that a sync reads as false or as no value.
  private static let falseTexts: Set<String> = ["", "0", "false", "no"]
}

extension Model {
  /// Whether a key is the key of the identity or of one of its parts.
  fileprivate func identifies(by key: String) -> Bool {
    let named = identityParts.isEmpty ? [identity].compactMap(\.self) : identityParts.map(\.position)
    return named.contains { position in
      let property = properties[position]
      return property.snakeKeys.contains(key) || property.camelKeys.contains(key)
    }
  }
}
