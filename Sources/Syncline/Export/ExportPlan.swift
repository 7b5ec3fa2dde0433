import SynclineNaming

/// How the rows of a table are written as JSON text directly from their columns: the text between the values, which all rows
/// share, and the values.
///
/// A table has no plan if its keys conflict at run time: if the path of one key leads through the object of another, or if a
/// scalar that shares the key of a relationship cannot be left out on its own.
struct ExportPlan {
  enum Part {
    /// Braces, keys and separators.
    case text([UInt8])
    case column(Column)
    /// A scalar that shares the key of a to-one relationship, and the text before it, which is left out with it.
    case columnBeside(Column, link: Int, text: [UInt8])
    /// The identity in the column of a to-one relationship.
    case key(Column)
    /// The same, for a row with a composite identity.
    case reference(Int)
    /// The object of a to-one relationship, or of the far end of a one-to-one, by the position of its property.
    case object(Int)
    /// The objects of a to-many relationship.
    case objects(Int)
    /// The identities of a relationship that is not stored in this table.
    case identities(Int)

    /// Whether it is written as the objects of other rows.
    var hasRows: Bool {
      switch self {
      case .object, .objects: true
      case .text, .column, .columnBeside, .key, .reference, .identities: false
      }
    }
  }

  /// A value that is written from its column.
  struct Column {
    let position: Int
    let isOptional: Bool
    /// The kind of a column that has JSON: most of its values are written without looking at the property. Nil for others.
    var scalar: ColumnKind?
    /// Writes an identity that has text around it.
    var identities: IdentityReader?
  }

  /// A value, and the text before it. It holds no references, which would be counted for each value of each row.
  struct Step {
    /// The bytes of ``ExportPlan/text``.
    let text: Range<Int>
    /// The index of the value's part.
    let part: Int
    /// The column of a scalar.
    let position: Int
    let isOptional: Bool
    let scalar: ColumnKind?
  }

  let parts: [Part]
  let steps: [Step]
  /// The text of all steps, one after the other, and the text after the last value.
  let text: [UInt8]
  /// Whether objects of other rows are nested in it, which may refer back to the row.
  let hasObjects: Bool

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
        guard case .column(let column) = part, case .toOne = table.properties[link].kind else { return nil }
        part = .columnBeside(column, link: link, text: [])
      }
      // Lists and maps are written as JSON values.
      guard let names = key.names, root.insert(part, at: names[...]) else { return nil }
    }
    self.init(root)
  }

  /// How to write only the identity of a row, as ``Part/key(_:)``. There is no plan if the identity is not exported.
  init?(referenceTo table: SyncTable, _ style: KeyStyle) {
    var root = Node()
    let written = Set(table.identifyingProperties)
    for position in table.identifyingProperties {
      let part = Part.key(Column(position: position, isOptional: false))
      guard let names = table.exportKey(of: position, in: style, besides: written)?.names,
        root.insert(part, at: names[...])
      else { return nil }
    }
    self.init(root)
  }

  private init?(_ root: Node) {
    var writer = JSONWriter()
    var parts: [Part] = []
    guard root.flatten(into: &parts, &writer) else { return nil }
    parts.append(.text(writer.bytes))
    self.parts = parts
    (steps, text) = ExportPlan.steps(parts)
    hasObjects = parts.contains(where: \.hasRows)
  }

  private static func steps(_ parts: [Part]) -> (steps: [Step], text: [UInt8]) {
    var steps: [Step] = []
    var text: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if case .text(let bytes) = part {
        text += bytes
        continue
      }
      let column: Column? = if case .column(let column) = part { column } else { nil }
      steps.append(
        Step(
          text: (steps.last?.text.upperBound ?? 0)..<text.count, part: index, position: column?.position ?? 0,
          isOptional: column?.isOptional ?? false, scalar: column?.scalar))
    }
    return (steps, text)
  }

  private static func part(
    for property: SyncProperty, at position: Int, of table: SyncTable, _ configuration: SyncConfiguration
  ) -> Part {
    var column = Column(position: position, isOptional: property.isOptional)
    if let keys = property.keyReader, !keys.patterns.isEmpty { column.identities = keys }
    if position == table.identity, !property.keyPatterns.isEmpty { column.identities = table.identityReader }
    if column.identities == nil, case .scalar(let kind, _) = property.kind {
      switch kind {
      case .integer, .bool, .double, .text: column.scalar = kind
      // ISO 8601 with milliseconds differs from the stored form in two characters.
      case .date where configuration.dateFormat(of: property) == .iso8601: column.scalar = kind
      default: break
      }
    }
    switch (property.kind, property.export) {
    case (.scalar, _): return .column(column)
    case (.toOne, .identities), (.toOne, .never):
      return property.related?.syncTable.isComposite ?? false ? .reference(position) : .key(column)
    case (.toOne, .objects), (.inverse(_, isToMany: false), .objects): return .object(position)
    case (_, .identities): return .identities(position)
    default: return .objects(position)
    }
  }

  /// An object of the text, with its members in the order in which they were added.
  private struct Node {
    enum Member {
      case part(Part)
      case object(Node)
    }

    private var members: [(key: String, member: Member)] = []

    /// Adds a part; false if its path conflicts with another.
    mutating func insert(_ part: Part, at path: ArraySlice<String>) -> Bool {
      guard let key = path.first else { return false }
      let index = members.firstIndex { $0.key.isIdentical(to: key) }
      if path.count == 1 {
        guard index == nil else { return false }
        members.append((key, .part(part)))
        return true
      }
      guard let index else {
        var inner = Node()
        guard inner.insert(part, at: path.dropFirst()) else { return false }
        members.append((key, .object(inner)))
        return true
      }
      guard case .object(var inner) = members[index].member, inner.insert(part, at: path.dropFirst()) else {
        return false
      }
      members[index].member = .object(inner)
      return true
    }

    /// Writes the text between the parts; false if a part that can be left out is the first of its object.
    func flatten(into parts: inout [Part], _ writer: inout JSONWriter) -> Bool {
      writer.write(byte: UInt8(ascii: "{"))
      for (index, (key, member)) in members.enumerated() {
        if case .part(.columnBeside(let column, let link, _)) = member {
          guard index > 0 else { return false }
          parts.append(.text(writer.bytes))
          writer = JSONWriter()
          writer.write(byte: UInt8(ascii: ","))
          writer.write(string: key)
          writer.write(byte: UInt8(ascii: ":"))
          parts.append(.columnBeside(column, link: link, text: writer.bytes))
          writer = JSONWriter()
          continue
        }
        if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
        writer.write(string: key)
        writer.write(byte: UInt8(ascii: ":"))
        switch member {
        case .object(let inner): guard inner.flatten(into: &parts, &writer) else { return false }
        case .part(let part):
          parts.append(.text(writer.bytes))
          parts.append(part)
          writer = JSONWriter()
        }
      }
      writer.write(byte: UInt8(ascii: "}"))
      return true
    }
  }
}
