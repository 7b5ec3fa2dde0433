import GRDB

/// Reads and writes the values of a property in a form that is specific to your API.
///
/// Conform a type of your own, and name it in the schema: `@Transform(GroupedNumber) views: Int?`.
///
/// ```swift
/// /// `"1,358"`, and `"unknown"` for nil.
/// nonisolated enum GroupedNumber: SyncTransform {
///   static func read(_ json: SyncJSON) throws -> Int? {
///     guard let text = json.string, text != "unknown" else { return json.int }
///     return Int(text.replacing(",", with: ""))
///   }
///   static func write(_ value: Int) -> SyncJSON { .string(value.formatted(.number.locale(Locale(identifier: "en_US")))) }
/// }
/// ```
///
/// Declare it `nonisolated` in targets whose default isolation is the main actor, because syncs call it on their own threads.
///
/// ## Topics
///
/// ### Reading
///
/// - ``SyncTransform/read(_:)``
/// - ``SyncTransform/read(_:form:)``
///
/// ### Writing
///
/// - ``SyncTransform/write(_:)``
///
/// ### Comparing
///
/// - ``SyncTransform/isSame(_:_:)``
///
/// ### The type of the property
///
/// - ``SyncTransform/Value``
public protocol SyncTransform: Sendable {
  /// The type of the property, without the `?` of an optional.
  associatedtype Value: SyncScalar

  /// Reads a value of a payload, which is not null.
  ///
  /// - Returns: nil for a value that means null. A value that cannot be stored is unreadable: a number that is not finite, or an
  ///   integer beyond 64 signed bits, also inside a list, a map or a struct.
  /// - Throws: any error, if the value is unreadable.
  static func read(_ json: SyncJSON) throws -> Value?

  /// Reads a value directly from the payload, which is faster than creating JSON first.
  ///
  /// - Throws: any error, if the value is unreadable.
  static func read(_ value: SyncValue, form: SyncForm) throws -> Value?

  /// Whether a new value equals the stored one, which is nil for null.
  static func isSame(_ stored: Value?, _ new: Value) -> Bool

  /// Writes a value.
  ///
  /// - Throws: any error, to stop the export of the row.
  static func write(_ value: Value) throws -> SyncJSON
}

extension SyncTransform {
  /// Reads the value as JSON.
  public static func read(_ value: SyncValue, form: SyncForm) throws -> Value? { try read(SyncJSON(value)) }

  /// Whether the values are equal.
  public static func isSame(_ stored: Value?, _ new: Value) -> Bool {
    stored.map { Value.syncIsSame($0, new) } ?? false
  }
}

/// A value that a ``SyncTransform`` reads and writes. It is stored like its own type. Generated code uses it.
@_spi(Generated)
public struct SyncTransformed<Transform: SyncTransform>: SyncScalar {
  /// The value.
  public var value: Transform.Value

  /// Wraps a value.
  public init(_ value: Transform.Value) {
    self.value = value
  }

  public static func syncRead(_ value: SyncValue, form: SyncForm) -> SyncReading<Self> {
    if form.names == .swift { return Transform.Value.syncRead(value, form: form).map { Self($0) } }
    do {
      let isLone = form.acceptsSingleValues && !value.isArray
      let read =
        isLone ? try Transform.read(.array([SyncJSON(value)])) : try Transform.read(value, form: form)
      guard let read else { return .null }
      return isStorable(read) ? .value(Self(read)) : .unreadable
    } catch {
      return .unreadable
    }
  }

  /// Whether a column can hold the value. Numbers must be finite, and integers fit in 64 signed bits, also inside other values.
  private static func isStorable(_ value: Transform.Value) -> Bool {
    switch value {
    case let value as Double: value.isFinite
    case let value as Float: value.isFinite
    // The values of Syncline's own transforms, such as the order of a list, can always be stored.
    default: schemaName == nil || value.isStorable
    }
  }

  public static var syncValueForNull: Self? { Transform.Value.syncValueForNull.map { Self($0) } }
  public static var syncValueForUnreadable: Self? { Transform.Value.syncValueForUnreadable.map { Self($0) } }

  public static func syncIsSame(_ left: Self, _ right: Self) -> Bool {
    Transform.isSame(left.value, right.value)
  }

  public static func syncIsSame(_ stored: Self, _ new: Self, exportedBy form: SyncForm) -> Bool {
    isSameAsExported(stored, new, form)
  }

  public var syncDatabaseValue: DatabaseValue { value.syncDatabaseValue }
  public static func syncLoad(_ stored: DatabaseValue) -> Self? {
    Transform.Value.syncLoad(stored).map { Self($0) }
  }
  public static func syncLoad(_ column: SyncColumn) -> Self? {
    Transform.Value.syncLoad(column).map { Self($0) }
  }
  public func syncBind(to statement: SyncStatement, at index: Int32) {
    value.syncBind(to: statement, at: index)
  }

  public func syncExport(form: SyncForm) throws -> SyncJSON {
    form.names == .swift ? try value.syncExport(form: form) : try Transform.write(value)
  }

  public static func syncFaults(in value: SyncValue, form: SyncForm) -> [SyncFault] {
    guard case .unreadable = syncRead(value, form: form) else { return [] }
    return [SyncFault(.unreadable(found: value.summary, type: "\(Transform.self)"))]
  }

  public init(from decoder: any Decoder) throws { value = try Transform.Value(from: decoder) }
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// A transformed value with any transform.
protocol AnyTransformed {
  static var valueType: any SyncScalar.Type { get }
  static var transform: Any.Type { get }
  /// Whether a value of the type is equivalent to null.
  static func isNull(_ value: Any) -> Bool
  static var name: String { get }
}

extension AnyTransformed {
  /// The name of a transform that `@Transform` names; nil for one of Syncline's own.
  static var schemaName: String? { transform is any SyncNamedType.Type ? nil : name }
}

extension SyncTransformed: AnyTransformed {
  static var valueType: any SyncScalar.Type { Transform.Value.self }
  static var transform: Any.Type { Transform.self }
  static func isNull(_ value: Any) -> Bool {
    (value as? Self).map { Transform.isSame(nil, $0.value) } ?? false
  }
  static var name: String { (Transform.self as? any SyncNamedType.Type)?.syncName ?? "\(Transform.self)" }
}
