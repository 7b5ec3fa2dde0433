import GRDB

/// Any read of the database, repeated when a table or a column that it reads has changed.
final class FollowedFetch<Value: Sendable>: Follower {
  private let fetch: @Sendable (Database) throws -> Value
  private let refreshTables: Set<String>
  private let isEqual: (Value, Value) -> Bool
  private let publish: (Result<Value, any Error>) -> Void

  /// The region that the last read has read.
  private var region = DatabaseRegion.fullDatabase
  private var published: Value?
  private var hasFailed = false

  init(
    _ fetch: @escaping @Sendable (Database) throws -> Value, refreshTables: Set<String> = [],
    isEqual: @escaping (Value, Value) -> Bool, publish: @escaping (Result<Value, any Error>) -> Void
  ) {
    self.fetch = fetch
    self.refreshTables = refreshTables
    self.isEqual = isEqual
    self.publish = publish
  }

  func fail(_ error: any Error) {
    hasFailed = true
    publish(.failure(error))
  }

  // A missed change may have been in a refresh table, which publishes equal results, too.
  func load(_ pass: ReadPass) throws { try read(pass, always: published != nil && !refreshTables.isEmpty) }

  func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws {
    let isRefreshed = refreshTables.contains { events[$0] != nil }
    guard isRefreshed || events.contains(where: { $1.modifies(region, table: $0) }) else { return }
    try read(pass, always: isRefreshed)
  }

  private func read(_ pass: ReadPass, always: Bool) throws {
    let (result, region) = pass.recordingRegion(of: fetch)
    self.region = region
    let value = try result.get()
    guard always || hasFailed || published.map({ !isEqual($0, value) }) ?? true else { return }
    published = value
    hasFailed = false
    publish(.success(value))
  }
}
