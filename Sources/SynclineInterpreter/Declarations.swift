import Foundation
@_spi(Generated) import Syncline

/// The declarations of all composed types, by number. They are stored here because a composed type cannot have state.
enum Declarations {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var entries: [any Declaration] = []

  static func reserve(_ name: String) -> any TypeNumber.Type {
    lock.withLock {
      entries.append(Reserved(name: name))
      return TypeNumbers.spelling(entries.count - 1)
    }
  }

  static func declare(_ declaration: some Declaration, as number: any TypeNumber.Type) {
    lock.withLock { entries[number.number] = declaration }
  }

  static func declaration<Kind: Declaration>(of number: any TypeNumber.Type, as kind: Kind.Type) -> Kind? {
    lock.withLock { entries[number.number] as? Kind }
  }

  /// The name of a type in its schema.
  static func name(of number: any TypeNumber.Type) -> String {
    lock.withLock { entries[number.number].name }
  }

  /// A reserved number whose type is not declared yet.
  private struct Reserved: Declaration {
    let name: String
  }
}

protocol Declaration: Sendable {
  var name: String { get }
}

/// The declaration of a struct, with the functions that read its members.
struct StructDeclaration: Declaration {
  let name: String
  let members: SyncMembers
  let cells: [MemberCell]
}

/// Reads and writes the value of one member of a struct.
struct MemberCell: Sendable {
  let read: @Sendable (inout SyncMemberReader) throws -> (any SyncScalar)?
  let write: @Sendable ((any SyncScalar)?, inout SyncMemberWriter) -> Void
}

/// The declaration of a union of structs or models.
struct UnionDeclaration<Element: Sendable>: Declaration {
  let name: String
  let cases: SyncUnionCases<Element>
}

/// The declaration of a model, with the functions that read and write its columns.
struct ModelDeclaration: Declaration {
  let name: String
  let table: SyncTable
  let identity: SyncKey
  let identityName: String
  let remoteKeys: [String]
  /// The columns of the properties. The column of a composite identity is not included.
  let columns: [any ColumnCell]
  /// Whether the identity is composed of other properties.
  let isComposite: Bool
  /// The indices in `columns` of the parts of a composite identity.
  let identityParts: [Int]
  /// The relationships without a column.
  let lists: [SyncKey]
  /// The exported columns, lists and composite identity, in the order of the schema.
  let exported: [Exported]

  enum Exported: Sendable {
    case column(Int)
    case list(SyncKey)
    case composite(SyncKey)
  }
}
