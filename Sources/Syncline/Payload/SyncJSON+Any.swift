import Foundation

extension SyncJSON {
  /// The JSON of Swift values: what `JSONSerialization` gives, and `Date`, `UUID`, `URL`, `Data` and `Decimal`.
  ///
  /// - Throws: ``SyncError/invalidPayload(model:reason:)`` with the path of a value that JSON cannot hold, and for more
  ///   than 512 levels of nesting.
  public init(any value: Any) throws {
    self = try SyncJSON(any: value, path: "", depth: 0)
  }

  private init(any value: Any, path: String, depth: Int) throws {
    func invalid(_ reason: String) -> SyncError {
      .invalidPayload(model: "", reason: path.isEmpty ? reason : "\(reason) at \(path)")
    }
    guard depth <= JSONScanner.depthLimit else {
      throw invalid("more than \(JSONScanner.depthLimit) levels of nesting")
    }
    // A cast to a class would turn a container into an object first, with all that is in it, by recursion.
    if type(of: value) is AnyObject.Type {
      if value is NSNull {
        self = .null
        return
      }
      if let number = value as? NSNumber {
        self = try SyncJSON(number, invalid)
        return
      }
    }
    switch value {
    case let json as SyncJSON: self = json
    case let text as String: self = .string(text)
    case let bool as Bool: self = .bool(bool)
    case let integer as any BinaryInteger: self = .number(SyncNumber(verified: String(describing: integer)))
    case let float as Float:
      guard float.isFinite else { throw invalid("a number that is not finite") }
      self = float.syncExport(format: .iso8601)
    case let double as Double:
      guard let number = SyncNumber(double) else { throw invalid("a number that is not finite") }
      self = .number(number)
    case let decimal as Decimal:
      guard let number = SyncNumber(decimal) else { throw invalid("a number that is not finite") }
      self = .number(number)
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
      guard let wrapped = optional.wrappedAny else {
        self = .null
        return
      }
      self = try SyncJSON(any: wrapped, path: path, depth: depth + 1)
    default: throw invalid("a \(type(of: value)), which JSON cannot hold,")
    }
  }

  private init(_ number: NSNumber, _ invalid: (String) -> SyncError) throws {
    if CFBooleanTypeCheck.isBoolean(number) {
      self = .bool(number.boolValue)
    } else if let decimal = number as? NSDecimalNumber {
      guard let number = SyncNumber(decimal as Decimal) else { throw invalid("a number that is not finite") }
      self = .number(number)
    } else {
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"), UInt8(ascii: "f"):
        guard let number = SyncNumber(number.doubleValue) else {
          throw invalid("a number that is not finite")
        }
        self = .number(number)
      default: self = .number(SyncNumber(verified: number.stringValue))
      }
    }
  }
}

/// Tells the booleans among the numbers of Foundation.
private enum CFBooleanTypeCheck {
  static func isBoolean(_ number: NSNumber) -> Bool {
    type(of: number) == type(of: NSNumber(value: true))
      && UInt8(bitPattern: number.objCType.pointee)
        == UInt8(bitPattern: NSNumber(value: true).objCType.pointee)
  }
}

private protocol OptionalValue {
  var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
  var wrappedAny: Any? { map { $0 as Any } }
}
