import SynclineNaming

/// How the rows of a table are written as JSON text directly from their columns: the text between the values, which all rows
/// share, and the values.
///
/// A table has no plan if its keys conflict at run time: if the path of one key leads through the object of another, or if a
/// scalar that shares the key of a relationship cannot be left out on its own.
struct ExportPlan {
  /// A value that is written.
  struct Part {
    enum Form {
      /// The value of the column.
      case column
      /// A scalar that shares the key of a to-one relationship, and the text before it, which is left out with it.
      case columnBeside(link: Int, text: [UInt8])
      /// The identity in the column of a to-one relationship.
      case key
      /// The same, for a row with a composite identity.
      case reference
      /// The object of a to-one relationship, or of the far end of a one-to-one.
      case object
      /// The objects of a to-many relationship.
      case objects
      /// The identities of a relationship that is not stored in this table.
      case identities
    }

    let position: Int
    let isOptional: Bool
    var form: Form
    /// The kind of a column that has JSON: most of its values are written without looking at the property. Nil for others.
    var scalar: ColumnKind?
    /// Writes an identity that has text around it.
    var identities: IdentityReader?

    /// Whether it is written as the objects of other rows.
    var hasRows: Bool {
      switch form {
      case .object, .objects: true
      default: false
      }
    }
  }

  /// A part, and the text before it. It holds no references, which would be counted for each value of each row.
  struct Step {
    /// The bytes of ``ExportPlan/text``.
    let text: Range<Int>
    let position: Int
    let isOptional: Bool
    /// The kind of a value that is written from its column.
    let scalar: ColumnKind?
  }

  private(set) var parts: [Part] = []
  /// The parts, in the same order.
  private(set) var steps: [Step] = []
  /// The text of all steps, one after the other, and the text after the last value.
  private(set) var text: [UInt8] = []
  /// Whether objects of other rows are nested in it, which may refer back to the row.
  private(set) var hasObjects = false

  /// The text after the last value.
  var lastText: Range<Int> { (steps.last?.text.upperBound ?? 0)..<text.count }

  /// - Parameter leftOut: a list that is not written.
  init?(_ table: SyncTable, _ configuration: SyncConfiguration, leftOut: Int? = nil) {
    // Ordered lists, unions and keys that are looked up are written as JSON values.
    guard table.isGenerated,
      !table.properties.contains(where: { $0.orderedList != nil || $0.union != nil || $0.lookup != nil })
    else { return nil }
    let keysSharedWithLinks = table.keysSharedWithLinks(configuration.style)
    var root = Node()
    for position in table.exportOrder where position != leftOut {
      guard let key = table.exportKey(of: position, in: configuration.style) else { continue }
      let property = table.properties[position]
      var part = ExportPlan.part(for: property, at: position, of: table, configuration)
      if let link = keysSharedWithLinks.link(beside: position) {
        guard case .column = part.form, case .toOne = table.properties[link].kind else { return nil }
        part.form = .columnBeside(link: link, text: [])
      }
      // Lists and maps are written as JSON values.
      guard let names = key.names, root.insert(part, at: names[...]) else { return nil }
    }
    self.init(root)
  }

  /// How to write only the identity of a row, as ``Part/Form/key``. There is no plan if the identity is not exported.
  init?(referenceTo table: SyncTable, _ style: KeyStyle) {
    var root = Node()
    let written = Set(table.identifyingProperties)
    for position in table.identifyingProperties {
      let part = Part(position: position, isOptional: false, form: .key)
      guard let names = table.exportKey(of: position, in: style, besides: written)?.names,
        root.insert(part, at: names[...])
      else { return nil }
    }
    self.init(root)
  }

  private init?(_ root: Node) {
    guard write(root) else { return nil }
  }

  private static func part(
    for property: SyncProperty, at position: Int, of table: SyncTable, _ configuration: SyncConfiguration
  ) -> Part {
    var part = Part(position: position, isOptional: property.isOptional, form: .column)
    if let keys = property.keyReader, !keys.patterns.isEmpty { part.identities = keys }
    if position == table.identity, !property.keyPatterns.isEmpty { part.identities = table.identityReader }
    if part.identities == nil, case .scalar(let kind, _) = property.kind {
      switch kind {
      case .integer, .bool, .double, .text: part.scalar = kind
      // ISO 8601 with milliseconds differs from the stored form in two characters.
      case .date where configuration.dateFormat(of: property) == .iso8601: part.scalar = kind
      default: break
      }
    }
    part.form =
      switch (property.kind, property.export) {
      case (.scalar, _): .column
      case (.toOne, .identities), (.toOne, .never):
        property.related?.syncTable.isComposite ?? false ? .reference : .key
      case (.toOne, .objects), (.inverse(_, isToMany: false), .objects): .object
      case (_, .identities): .identities
      default: .objects
      }
    return part
  }

  /// Writes the text between the parts of an object; false if a part that can be left out is the first of its object.
  private mutating func write(_ node: Node) -> Bool {
    text.append(UInt8(ascii: "{"))
    for (index, (key, member)) in node.members.enumerated() {
      let before = (index > 0 ? [UInt8(ascii: ",")] : []) + JSONWriter.key(key)
      switch member {
      case .part(var part):
        if case .columnBeside(let link, _) = part.form {
          guard index > 0 else { return false }
          part.form = .columnBeside(link: link, text: before)
        } else {
          text += before
        }
        add(part)
      case .object(let inner):
        text += before
        guard write(inner) else { return false }
      }
    }
    text.append(UInt8(ascii: "}"))
    return true
  }

  private mutating func add(_ part: Part) {
    let scalar: ColumnKind? = if case .column = part.form { part.scalar } else { nil }
    steps.append(
      Step(text: lastText, position: part.position, isOptional: part.isOptional, scalar: scalar))
    parts.append(part)
    if part.hasRows { hasObjects = true }
  }

  /// An object of the text, with its members in the order in which they were added.
  private struct Node {
    enum Member {
      case part(Part)
      case object(Node)
    }

    private(set) var members: [(key: String, member: Member)] = []

    /// Adds a part; false if its path conflicts with another, after which the object is of no use.
    mutating func insert(_ part: Part, at path: ArraySlice<String>) -> Bool {
      guard let key = path.first else { return false }
      let known = members.firstIndex { $0.key.isIdentical(to: key) }
      if known == nil { members.append((key, path.count == 1 ? .part(part) : .object(Node()))) }
      if path.count == 1 { return known == nil }
      let index = known ?? members.count - 1
      guard case .object(var inner) = members[index].member, inner.insert(part, at: path.dropFirst()) else {
        return false
      }
      members[index].member = .object(inner)
      return true
    }
  }
}
