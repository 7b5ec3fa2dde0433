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

  /// How values of a type are stored; nil for a type that no schema has.
  init?(_ type: any SyncScalar.Type) {
    switch type {
    case let list as any ScalarList.Type:
      guard let element = SyncStoredType(list.element), !element.isList else { return nil }
      self.init(element.scalar, isList: true)
    case let enumeration as any SyncEnum.Type: self.init(enumeration.rawType)
    default:
      guard let scalar = SyncStoredType.scalars[ObjectIdentifier(type)] else { return nil }
      self.init(scalar)
    }
  }

  /// The Swift type of the values; that of an enum is not known.
  var scalarType: any SyncScalar.Type {
    let type = SyncStoredType.types.first { $0.scalar == scalar }?.type ?? String.self
    func list<Element: SyncScalar>(of type: Element.Type) -> any SyncScalar.Type { [Element].self }
    return isList ? list(of: type) : type
  }
}

private protocol ScalarList {
  static var element: any SyncScalar.Type { get }
}

extension Array: ScalarList where Element: SyncScalar {
  static var element: any SyncScalar.Type { Element.self }
}

extension SyncEnum {
  fileprivate static var rawType: any SyncScalar.Type { RawValue.self }
}
