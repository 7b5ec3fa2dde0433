public import Syncline

/// A transform in a target whose default is the main actor.
public nonisolated enum Doubled: SyncTransform {
  public static func read(_ json: SyncJSON) throws -> Int? { json.int.map { $0 * 2 } }
  public static func write(_ value: Int) -> SyncJSON { .number(SyncNumber(value / 2)) }
}
