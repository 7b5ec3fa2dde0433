import Foundation
import SynclineSchema

extension SyncStoredType {
  private static let types: [(scalar: Scalar, type: any SyncScalar.Type)] = [
    (.string, String.self), (.int, Int.self), (.int8, Int8.self), (.int16, Int16.self), (.int32, Int32.self),
    (.int64, Int64.self), (.uint, UInt.self), (.uint8, UInt8.self), (.uint16, UInt16.self),
    (.uint32, UInt32.self), (.uint64, UInt64.self), (.double, Double.self), (.float, Float.self),
    (.bool, Bool.self), (.date, Date.self), (.uuid, UUID.self), (.url, URL.self), (.decimal, Decimal.self),
    (.data, Data.self), (.json, SyncJSON.self),
  ]

  private static let scalars = Dictionary(
    uniqueKeysWithValues: types.map { (ObjectIdentifier($0.type), $0.scalar) })

  /// The stored form of a type's values; nil for a type that schemas cannot use.
  init?(_ type: any SyncScalar.Type) {
    switch type {
    case let transformed as any AnyTransformed.Type: self.init(transformed.valueType)
    case let list as any ScalarList.Type:
      guard let element = SyncStoredType(list.element) else { return nil }
      if element.isList || element.shape != nil {
        self.init(shape: SyncStoredType.shape(of: type))
      } else {
        self.init(element.scalar, isList: true)
      }
    case is any ScalarMap.Type, is any SyncStruct.Type:
      self.init(shape: SyncStoredType.shape(of: type))
    case let enumeration as any SyncEnum.Type: self.init(enumeration.rawType)
    // Any case is stored as JSON.
    case is any SyncValueUnion.Type: self.init(.json)
    case is any SyncCompositeID.Type: self.init(.string)
    default:
      guard let scalar = SyncStoredType.scalars[ObjectIdentifier(type)] else { return nil }
      self.init(scalar)
    }
  }

  /// A description of a type's structure. A struct that appeared before is referred to by its number.
  ///
  /// - Parameter read: describes a member as it is read, to describe how values are read: unions have their cases in angle brackets.
  ///   Nil to describe how values are stored; a union is then `JSON`.
  static func shape(of type: any SyncScalar.Type, reading read: ((SyncMember) -> String)? = nil) -> String {
    var structs: [ObjectIdentifier] = []
    return shape(of: type, &structs, read)
  }

  private static func shape(
    of type: any SyncScalar.Type, _ structs: inout [ObjectIdentifier], _ read: ((SyncMember) -> String)?
  ) -> String {
    switch type {
    case let transformed as any AnyTransformed.Type: return shape(of: transformed.valueType, &structs, read)
    case let list as any ScalarList.Type: return "[\(shape(of: list.element, &structs, read))]"
    case let map as any ScalarMap.Type: return "[String: \(shape(of: map.value, &structs, read))]"
    case let structure as any SyncStruct.Type:
      let id = ObjectIdentifier(structure)
      if let position = structs.firstIndex(of: id) { return "^\(position)" }
      structs.append(id)
      let members = structure.syncMembers.inStoredOrder.map { member in
        let type = shape(of: member.type, &structs, read)
        return "\(read?(member) ?? member.name): \(type)\(member.isOptional ? "?" : "")"
      }
      return "{\(members.joined(separator: ", "))}"
    case let union as any SyncValueUnion.Type where read != nil:
      let cases = union.syncCases.cases.map { entry in
        "\(entry.name) = \(entry.type): \(shape(of: entry.element, &structs, read))"
      }
      return "<\(union.syncCases.key) \(cases.joined(separator: ", "))>"
    default: return SyncStoredType(type)?.name ?? "JSON"
    }
  }

  /// The Swift type of the values. An enum is represented by its raw type, and a composed type by JSON.
  package var scalarType: any SyncScalar.Type {
    let type = SyncStoredType.types.first { $0.scalar == scalar }?.type ?? String.self
    func list<Element: SyncScalar>(of type: Element.Type) -> any SyncScalar.Type { [Element].self }
    return isList ? list(of: type) : type
  }
}

extension SyncEnum {
  static var rawType: any SyncScalar.Type { RawValue.self }
}

extension SyncScalar {
  /// Whether a struct in the type has members with former names.
  static var hasRenamedMembers: Bool {
    var isRenamed = false
    _ = SyncStoredType.shape(of: self) { member in
      isRenamed = isRenamed || !member.renamedFrom.isEmpty
      return member.name
    }
    return isRenamed
  }
}
