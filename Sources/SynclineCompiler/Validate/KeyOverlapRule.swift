import SynclineNaming

/// Reports properties that would read or write the same JSON value.
enum KeyOverlapRule: ModelRule {
  static func check(_ model: Model, _ bag: inout DiagnosticBag) {
    var keys = ModelKeys(model: model, in: KeyOverlapRule.styles)
    keys.check(&bag)
  }

  /// The styles that are checked in every target. Other styles are checked only in the targets that use them.
  fileprivate static let styles = [KeyStyle.snakeCase, .camelCase]
}

/// Reports properties that would read or write the same JSON value only in the key style of the target.
enum StyledKeyOverlapRule: ValidationRule {
  static func check(_ schema: Schema, _ bag: inout DiagnosticBag) {
    guard !KeyOverlapRule.styles.contains(schema.keyStyle) else { return }
    for model in schema.typesWithProperties {
      var known = DiagnosticBag()
      var keys = ModelKeys(model: model, in: KeyOverlapRule.styles)
      keys.check(&known)
      keys.styles = [schema.keyStyle]
      keys.check(&bag)
    }
  }
}

/// The keys of a model, and the first property that has each key.
private struct ModelKeys {
  /// A key, and whether a scalar reads it: a scalar and a relationship may read the same key.
  private struct Claim: Hashable {
    let key: String
    let style: KeyStyle
    let isRelationship: Bool
  }

  private let model: Model
  private let properties: [Property]
  private var owners: [Claim: Int] = [:]
  /// The pairs that were reported.
  private var clashing: Set<[Int]> = []
  var styles: [KeyStyle]

  init(model: Model, in styles: [KeyStyle]) {
    self.model = model
    self.styles = styles
    properties = model.properties.filter {
      !$0.isTransient && !$0.isIncomplete && $0.type != .invalid && $0.orderedList == nil
        && $0.typeKeys.isEmpty
    }
  }

  mutating func check(_ bag: inout DiagnosticBag) {
    for index in properties.indices { claimKeys(of: index, &bag) }
    for index in properties.indices { checkPaths(of: index, &bag) }
  }

  private mutating func claimKeys(of index: Int, _ bag: inout DiagnosticBag) {
    let property = properties[index]
    var other: (index: Int, key: String)?
    for style in styles {
      for key in property.keys(in: style).map(RemotePath.unquoted) {
        let claim = Claim(key: key, style: style, isRelationship: property.isRelationship)
        if let owner = owners[claim], owner != index {
          // Only one case of a union is read at a time.
          if let part = property.unionPart, part.property == properties[owner].unionPart?.property {
            continue
          }
          if other == nil { other = (owner, key) }
        } else {
          owners[claim] = index
        }
      }
    }
    guard let other, clashing.insert([other.index, index]).inserted else { return }
    bag.error(
      .sameKey,
      "“\(properties[other.index].name)” and “\(property.name)” of “\(model.name)” have the same JSON key “\(other.key)”",
      at: property.range, notes: [note(other.index)])
  }

  /// Reports a scalar that reads a whole object while a path of this property reads inside it.
  private mutating func checkPaths(of inner: Int, _ bag: inout DiagnosticBag) {
    for style in styles {
      for key in properties[inner].keys(in: style) where key.utf8.contains(where: ModelKeys.beginsStep) {
        for whole in ModelKeys.objects(around: key) {
          let claim = Claim(key: whole, style: style, isRelationship: false)
          guard let outer = owners[claim], outer != inner else { continue }
          let pair = [min(inner, outer), max(inner, outer)]
          guard clashing.insert(pair).inserted else { continue }
          bag.error(
            .overlappingKeys,
            "“\(properties[inner].name)” of “\(model.name)” is read from inside “\(whole)”, which “\(properties[outer].name)” reads as a whole",
            at: properties[pair[1]].range, notes: [note(pair[0])])
        }
      }
    }
  }

  /// The keys of the values that contain a key's value: `a` and `a.b` for `a.b[]`.
  private static func objects(around key: String) -> [String] {
    var objects: [String] = []
    var isQuoted = false
    var previous = UInt8(ascii: ".")
    for index in key.utf8.indices {
      let byte = key.utf8[index]
      if byte == UInt8(ascii: "\""), isQuoted || previous == UInt8(ascii: ".") {
        isQuoted.toggle()
      } else if !isQuoted, index > key.startIndex, beginsStep(byte) {
        objects.append(RemotePath.unquoted(String(key[..<index])))
      }
      previous = byte
    }
    return objects
  }

  /// Whether a byte begins a new step of a path.
  private static func beginsStep(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }

  private func note(_ index: Int) -> Diagnostic.Note {
    .init(message: "“\(properties[index].name)” is here", range: properties[index].range)
  }
}
