import Syncline

extension SyncJSON {
  /// A payload with rows that are created from their numbers.
  ///
  /// ```swift
  /// let payload = SyncJSON.rows(3) { ["id": .number($0), "title": .string("Task \($0)")] }
  /// ```
  public static func rows(_ count: Int, from first: Int = 1, _ row: (Int) -> SyncJSON) -> SyncJSON {
    .array((0..<count).map { row(first + $0) })
  }

  /// A number.
  public static func number(_ value: Int) -> SyncJSON { .number(SyncNumber(value)) }

  /// The object with members replaced or added.
  ///
  /// ```swift
  /// let renamed = task.setting(["title": "Another"])
  /// ```
  public func setting(_ members: SyncJSON) -> SyncJSON {
    guard case .object(var object) = self, case .object(let others) = members else { return members }
    for (key, value) in others { object[key] = value }
    return .object(object)
  }

  /// The object without a member.
  public func removing(_ key: String) -> SyncJSON {
    guard case .object(var object) = self else { return self }
    object[key] = nil
    return .object(object)
  }

  /// The value inside an envelope: `rows.wrapped(in: "data.items")` is `{"data": {"items": rows}}`.
  public func wrapped(in path: String) -> SyncJSON {
    path.split(separator: ".").reversed().reduce(self) { json, key in
      .object(SyncJSONObject([(String(key), json)]))
    }
  }
}
