import Foundation
import GRDB
import SynclineNaming
import SynclineSchema

/// Converts the values of a column to another type, by the rules for reading payloads.
struct ValueConversion: Hashable {
  let from, to: SyncStoredType
  /// The Swift type of composed values.
  var type: ComposedType?

  /// A struct, a map or a list.
  struct ComposedType: Hashable {
    let type: any SyncScalar.Type

    static func == (left: Self, right: Self) -> Bool { left.type == right.type }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
  }

  /// The name of the SQL function that converts a value. It returns NULL if the new type has no equal value.
  var function: String {
    func word(_ type: SyncStoredType) -> String {
      guard let shape = type.shape else { return (type.isList ? "list_" : "") + type.scalar.rawValue }
      var hash = StableHash()
      hash.add(shape, self.type.map { String(reflecting: $0.type) } ?? "")
      return "value_\(hash.text)"
    }
    return "syncline_convert_\(word(from))_to_\(word(to))"
  }

  /// Whether stored values change. Integers that fit do not.
  var changesValues: Bool { from.integers == nil || to.integers == nil }

  func sql(_ value: String) -> String { "\(function)(\(value))" }

  /// Adds the function to a connection.
  func add(to database: Database) {
    let conversion = self
    database.add(
      function: DatabaseFunction(function, argumentCount: 1, pure: true) { values in
        values[0].isNull ? nil : conversion.convert(values[0])
      })
  }

  /// The value in the new type; nil if that has no equal value.
  func convert(_ value: DatabaseValue) -> DatabaseValue? {
    if let integer = Int64.fromDatabaseValue(value), from.integers != nil, let range = to.integers {
      return range.contains(integer) ? value : nil
    }
    let target: any SyncScalar.Type = type?.type ?? to.scalarType
    func convert<From: SyncScalar>(from type: From.Type) -> DatabaseValue? {
      guard let loaded = From.syncLoad(value) else { return nil }
      func read<To: SyncScalar>(as other: To.Type) -> DatabaseValue? {
        guard case .value(let read)? = loaded.read(as: other) else { return nil }
        // A composed value must keep all digits, and all members that no schema names.
        if self.type != nil {
          let shape = from.shape.flatMap { ValueShape($0) }
          guard loaded.storedJSON.isKept(in: read.storedJSON, shape?.root, of: shape) else { return nil }
        }
        // A number must not lose digits.
        if from.isNumber, to.isNumber {
          guard case .value(let back)? = read.read(as: type), From.syncIsSame(back, loaded) else {
            return nil
          }
        }
        guard !to.hasDigits || keepsDigits(loaded, read) else { return nil }
        return read.syncDatabaseValue
      }
      return read(as: target)
    }
    return convert(from: from.scalarType)
  }

  /// Whether a number, or each number of a list, stays the same, also if it was a string.
  private func keepsDigits(_ loaded: some SyncScalar, _ read: some SyncScalar) -> Bool {
    func isSame<Digits: SyncScalar>(_ type: Digits.Type) -> Bool {
      guard case .value(let before)? = loaded.read(as: type) else { return true }
      guard case .value(let after)? = read.read(as: type) else { return false }
      return Digits.syncIsSame(before, after)
    }
    return to.isList ? isSame([Decimal].self) : isSame(Decimal.self)
  }
}

extension SyncScalar {
  /// The value as it would be read from a payload.
  fileprivate func read<Other: SyncScalar>(as type: Other.Type) -> SyncReading<Other>? {
    var text = storedJSON.description
    return text.withUTF8 { utf8 in
      try? JSONDocument.read(UnsafeRawBufferPointer(utf8)) { value in
        value.isNull && !(Other.self == SyncJSON.self) ? nil : Other.syncRead(value, form: .stored)
      }
    }
  }
}

extension SyncStoredType {
  fileprivate var isNumber: Bool { !isList && hasDigits }

  /// Whether it is a number, or a list of numbers.
  fileprivate var hasDigits: Bool {
    guard shape == nil else { return false }
    let element = SyncStoredType(scalar)
    return element.integers != nil || scalar == .double || scalar == .float || scalar == .decimal
  }
}

extension SyncJSON {
  /// Whether another value contains all of this one, numbers with all their digits.
  ///
  /// - Parameters:
  ///   - part: the value's own part of the shape.
  ///   - shape: the schema's structs, lists and maps; nil for any JSON.
  fileprivate func isKept(in other: SyncJSON, _ part: ValueShape.Part?, of shape: ValueShape?) -> Bool {
    switch (self, other) {
    case (.number(let own), .number(let others)): return own == others
    case (.array(let own), .array(let others)):
      var element: ValueShape.Part?
      if case .list(let part)? = part { element = part }
      return own.count == others.count
        && zip(own, others).allSatisfy { $0.isKept(in: $1, element, of: shape) }
    case (.object(let own), .object(let others)):
      return own.allSatisfy { name, value in
        // The schema may drop or rename the members of structs, but not the keys of maps, which it does not know.
        var (inner, mayBeMissing): (ValueShape.Part?, Bool) = (nil, shape != nil)
        switch part {
        case .map(let part): (inner, mayBeMissing) = (part, false)
        case .structure(let number): inner = shape?.structs[number].first { $0.name == name }?.part
        default: break
        }
        return others[name].map { value.isKept(in: $0, inner, of: shape) } ?? (mayBeMissing || value.isNull)
      }
    default: return true
    }
  }
}
