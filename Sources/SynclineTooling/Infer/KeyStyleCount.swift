import Syncline
import SynclineNaming

struct KeyStyleCount {
  private var snake = 0
  private var camel = 0
  private var pascal = 0
  private var kebab = 0
  /// The number of single lowercase words. They occur in every style but Pascal case.
  private var words = 0
  /// The number of keys in no known style.
  private var others = 0

  /// The most likely style. Pascal case is chosen if most keys have that style, and kebab case if all have it, except annotations.
  var style: KeyStyle {
    if pascal > 1, pascal > snake + camel + kebab + words + others { return .pascalCase }
    if kebab > 0, snake + camel + pascal + others == 0 { return .kebabCase }
    return camel > snake ? .camelCase : .snakeCase
  }

  mutating func add(_ shape: SampleShape, _ visited: inout Set<ObjectIdentifier>) {
    guard visited.insert(ObjectIdentifier(shape)).inserted else { return }
    for key in shape.keys {
      add(key)
      shape.members[key].map { add($0, &visited) }
    }
    shape.element.map { add($0, &visited) }
    shape.entries.map { add($0, &visited) }
  }

  mutating func add(_ key: String) {
    let isLowercase = key.first?.isLowercase ?? false
    if key.contains("_") {
      snake += 1
    } else if isLowercase, key.contains(where: \.isUppercase) {
      camel += 1
    } else if key.allSatisfy({ $0.isLetter || $0.isNumber }), let first = key.first, !first.isNumber {
      // `USD` has no style.
      if isLowercase { words += 1 } else if key.contains(where: \.isLowercase) { pascal += 1 }
    } else if KeyStyleCount.isKebab(key) {
      kebab += 1
    } else if key.first?.isLetter ?? false {
      others += 1
    }
  }

  /// Whether a key consists of lowercase words with hyphens between them.
  private static func isKebab(_ key: String) -> Bool {
    let words = key.split(separator: "-", omittingEmptySubsequences: false)
    return words.first?.first?.isLowercase ?? false
      && words.allSatisfy { word in !word.isEmpty && word.allSatisfy { $0.isLowercase || $0.isNumber } }
  }
}

extension SchemaDraft {
  /// Adds the setting of the target that states the style.
  mutating func state(_ style: KeyStyle) {
    if style != .snakeCase { settings.append("keyStyle: \(style.rawValue)") }
  }
}
