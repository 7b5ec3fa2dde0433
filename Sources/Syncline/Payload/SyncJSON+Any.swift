import Foundation

extension SyncJSON {
  /// Creates JSON from Swift values: the types that `JSONSerialization` returns, and `Date`, `UUID`, `URL`, `Data` and
  /// `Decimal`.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)``, with the path of the value, if JSON cannot represent it or if
  ///   values are nested more than 512 levels deep.
  public init(any value: Any) throws {
    self = try SyncJSON(any: value, path: "", depth: 0)
  }

  private init(any value: Any, path: String, depth: Int) throws {
    guard depth <= JSONScanner.depthLimit else {
      throw SyncError(RowProblem(path: path, reason: .tooDeep(limit: JSONScanner.depthLimit)))
    }
    // A cast to a class would first bridge a whole container to an object, recursively.
    if type(of: value) is AnyObject.Type, value is NSNull || value is NSNumber {
      self = try (value as? NSNumber).map { try SyncJSON($0, path: path) } ?? .null
      return
    }
    switch value {
    case let json as SyncJSON: self = json
    case let text as String: self = .string(text)
    case let bool as Bool: self = .bool(bool)
    case let integer as any BinaryInteger: self = .number(SyncNumber(verified: String(describing: integer)))
    case let float as Float:
      self = float.isFinite ? float.plainJSON : try SyncJSON(nil, path: path)
    case let double as Double: self = try SyncJSON(SyncNumber(double), path: path)
    case let decimal as Decimal: self = try SyncJSON(SyncNumber(decimal), path: path)
    case let date as Date: self = SyncDateFormat.iso8601Microseconds.json(Instant(date))
    case let uuid as UUID: self = .string(uuid.uuidString)
    case let url as URL: self = .string(url.absoluteString)
    case let data as Data: self = .string(data.base64EncodedString())
    case let convertible as any SyncPayloadConvertible: self = try convertible.toSyncPayload()
    case let members as [String: Any]:
      self = .object(
        SyncJSONObject(
          try members.sorted { $0.key < $1.key }.map { key, value in
            (key, try SyncJSON(any: value, path: path.isEmpty ? key : "\(path).\(key)", depth: depth + 1))
          }))
    case let elements as [Any]:
      self = .array(
        try elements.enumerated().map { index, value in
          try SyncJSON(any: value, path: "\(path)[\(index)]", depth: depth + 1)
        })
    case let optional as any OptionalValue:
      self = try optional.wrappedAny.map { try SyncJSON(any: $0, path: path, depth: depth + 1) } ?? .null
    default: throw SyncError(RowProblem(path: path, reason: .notJSON(type: "\(type(of: value))")))
    }
  }

  /// - Parameter number: nil if it is not finite.
  private init(_ number: SyncNumber?, path: String) throws {
    guard let number else { throw SyncError(RowProblem(path: path, reason: .notFinite)) }
    self = .number(number)
  }

  private init(_ number: NSNumber, path: String) throws {
    if number.isBoolean {
      self = .bool(number.boolValue)
    } else if let decimal = number as? NSDecimalNumber {
      self = try SyncJSON(SyncNumber(decimal as Decimal), path: path)
    } else {
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"), UInt8(ascii: "f"):
        self = try SyncJSON(SyncNumber(number.doubleValue), path: path)
      default: self = .number(SyncNumber(verified: number.stringValue))
      }
    }
  }
}

extension NSNumber {
  /// Whether it is a boolean, rather than another number of Foundation.
  fileprivate var isBoolean: Bool {
    type(of: self) == type(of: NSNumber(value: true))
      && UInt8(bitPattern: objCType.pointee)
        == UInt8(bitPattern: NSNumber(value: true).objCType.pointee)
  }
}

private protocol OptionalValue {
  var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
  var wrappedAny: Any? { map { $0 as Any } }
}
