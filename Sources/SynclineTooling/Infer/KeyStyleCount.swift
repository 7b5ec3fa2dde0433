import Syncline
import SynclineNaming

/// How often keys are of each style.
struct KeyStyleCount {
  private var snake = 0
  private var camel = 0

  var style: KeyStyle { camel > snake ? .camelCase : .snakeCase }

  mutating func add(_ shape: SampleShape, _ visited: inout Set<ObjectIdentifier>) {
    guard visited.insert(ObjectIdentifier(shape)).inserted else { return }
    for key in shape.keys {
      add(key)
      shape.members[key].map { add($0, &visited) }
    }
    shape.element.map { add($0, &visited) }
  }

  mutating func add(_ key: String) {
    if key.contains("_") {
      snake += 1
    } else if key.first?.isLowercase ?? false, key.contains(where: \.isUppercase) {
      camel += 1
    }
  }
}
