import Foundation
import GRDB
import SynclineTesting
import TestSupport
import Testing

@testable import Syncline

/// Events in a followed store, such as schema changes, closing and errors.
@Suite struct FollowedStoreTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [true, false])
  func manyShortObservationsLeaveNoFollowers(inFile: Bool) async throws {
    let store = try makeStore(in: inFile ? folder : nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var children: [_Concurrency.Task<Void, any Error>] = []
          for round in 0..<60 {
            var values = store.values(of: Tag.self, where: Tag.Columns.id == task).makeAsyncIterator()
            if round.isMultiple(of: 3) { _ = try await values.next() }
            var changes = store.changes().makeAsyncIterator()
            if round.isMultiple(of: 5) {
              try await store.sync(item: #"{"id": \#(task), "name": "\#(round)"}"#, as: Tag.self)
              #expect(try await changes.next() != nil)
            }
            let child = _Concurrency.Task { for try await _ in store.values(of: Tag.self) {} }
            child.cancel()
            children.append(child)
          }
          for child in children { _ = await child.result }
        }
      }
      try await group.waitForAll()
    }
    while store.hub.isObserving { await _Concurrency.Task.yield() }
    #expect(!store.hub.isFollowed)
  }

  @Test func containersOfOneConnectionObserveEachOthersWrites() async throws {
    let queue = try DatabaseQueue()
    let first = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(queue))
    let second = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(queue))
    var values = second.values(of: Tag.self).makeAsyncIterator()
    #expect(try await values.next()?.isEmpty == true)
    var changes = second.changes().makeAsyncIterator()
    try await first.sync(item: #"{"id": 1, "name": "a"}"#, as: Tag.self)
    #expect(try await values.next()?.count == 1)
    #expect(try await changes.next()?[Tag.self].inserted == [1])
  }

  @Test(arguments: [true, false])
  func observationContinuesAfterASchemaChange(inFile: Bool) async throws {
    let store = try makeStore(in: inFile ? folder : nil)
    try await store.sync(item: #"{"id": 1, "name": "a"}"#, as: Tag.self)
    var values = store.values(of: Tag.self).makeAsyncIterator()
    #expect(try await values.next()?.first?.name == "a")
    try await store.database.write { database in
      try database.execute(sql: "ALTER TABLE Tag ADD COLUMN mine TEXT; UPDATE Tag SET name = 'b'")
    }
    #expect(try await values.next()?.first?.name == "b")
    // These statements write no rows.
    try await store.database.write { try $0.execute(sql: "ALTER TABLE Tag RENAME TO Gone") }
    await #expect(throws: DatabaseError.self) { try await values.next() }
    try await store.database.write { try $0.execute(sql: "ALTER TABLE Gone RENAME TO Tag") }
    #expect(try await values.next()?.first?.name == "b")
    try await store.database.vacuum()
    try await store.database.write { try $0.execute(sql: "UPDATE Tag SET name = 'c'") }
    #expect(try await values.next()?.first?.name == "c")
  }

  @Test func changesOfAttachedDatabasesAreIgnored() async throws {
    let store = try makeStore(in: folder)
    try await store.sync(item: #"{"id": 1, "name": "a"}"#, as: Tag.self)
    let changes = store.changes()
    try await store.database.writeWithoutTransaction { database in
      try database.execute(
        sql:
          "ATTACH ':memory:' AS other; CREATE TABLE other.Tag (id, name); INSERT INTO other.Tag VALUES (1, 'b')"
      )
      try database.execute(sql: "UPDATE Tag SET name = 'c'")
    }
    var iterator = changes.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?[Tag.self].updated == [1] && first?[Tag.self].inserted == [])
  }

  /// Followers get an error, and no file descriptor stays open.
  @Test(arguments: [true, false]) func closingTheDatabaseEndsAllObservations(isRead: Bool) async throws {
    let file = try folder.file()
    let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    var values = store.values(of: Tag.self).makeAsyncIterator()
    if isRead { _ = try await values.next() }
    var changes = store.changes().makeAsyncIterator()
    // Another connection sees the changes.
    try await store.database.write { try Tag(id: 1, name: "a").insert($0) }
    _ = try await changes.next()
    if isRead { _ = try await values.next() }
    #expect(openFiles(of: file) != [])
    try store.database.close()
    // A connection that is being opened is closed after it is open.
    while !isRead, openFiles(of: file) != [] { await _Concurrency.Task.yield() }
    #expect(openFiles(of: file) == [])
    await #expect(throws: DatabaseError.self) { while try await values.next() != nil {} }
    await #expect(throws: DatabaseError.self) { while try await changes.next() != nil {} }
    // The file is not opened again, which would create it.
    try FileManager.default.removeItem(at: file)
    var late = store.values(of: Tag.self).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { while try await late.next() != nil {} }
    #expect(openFiles(of: file) == [] && !FileManager.default.fileExists(atPath: file.path))
  }

  /// The pass continues while the writer is closed, and reads what it can. Its connection is closed after the pass.
  @Test func followerReadDuringCloseReceivesAnError() async throws {
    let store = try makeStore(in: folder)
    let gate = DispatchSemaphore(value: 0)
    let (loads, load) = AsyncStream.makeStream(of: Void.self)
    let probe = Probe {
      load.yield()
      gate.wait()
      gate.signal()
    }
    // Listeners are notified after the writer is closed, and before the reader is.
    let listening = store.hub.listen { _ in gate.signal() }
    let following = store.hub.follow(probe)
    for await _ in loads { break }
    try store.database.close()
    await store.hub.caughtUp()
    #expect(probe.error is DatabaseError)
    withExtendedLifetime((listening, following)) {}
  }

  /// A connection that cannot be closed can still be read.
  @Test func readerKeptOpenIsClosedAfterItsLastStatement() async throws {
    let file = try folder.file()
    let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
    let follower = StatementKeeper()
    let following = store.hub.follow(follower)
    try await store.settle()
    try store.database.close()
    await store.hub.caughtUp()
    try #require(follower.error is DatabaseError)
    follower.release()
    while openFiles(of: file) != [] { await _Concurrency.Task.yield() }
    withExtendedLifetime(following) {}
  }

  /// Keeps a statement of its connection alive, as a read of the app may do.
  private final class StatementKeeper: Follower, @unchecked Sendable {
    private let lock = NSLock()
    private var statement: Statement?
    private var failure: (any Error)?

    var error: (any Error)? { lock.withLock { failure } }
    func release() { lock.withLock { statement = nil } }

    func load(_ pass: ReadPass) throws {
      let statement = try pass.database.makeStatement(sql: "SELECT * FROM Tag")
      lock.withLock { self.statement = statement }
    }
    func update(_ events: StoreEvents, rows: Set<Int64>?, _ pass: ReadPass) throws {}
    func fail(_ error: any Error) { lock.withLock { failure = error } }
  }

  @Test func listenerReceivesTheCloseErrorOnce() throws {
    let store = try makeStore()
    let listeners = NoticeListeners(store.database, store.catalog)
    let (early, late) = (SyncChangeNotices.makeBuffer(), SyncChangeNotices.makeBuffer())
    listeners.add(1) { early.add($0) }
    listeners.didClose()
    listeners.add(2) { late.add($0) }
    for buffer in [early, late] { #expect(throws: DatabaseError.self) { try buffer.takeFirst()?.get() } }
    // The next follower gets a closed connection.
    listeners.didClose()
    for buffer in [early, late] { #expect(buffer.takeFirst() == nil) }
  }

  @Test func observingAClosedConnectionThrows() async throws {
    let store = try makeStore(in: nil)
    try store.database.close()
    var values = store.values(of: Tag.self).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { try await values.next() }
  }

  /// Opening a connection may fail, for example because there is no file descriptor. The next commit tries again.
  @Test func failedReaderConnectionIsOpenedLater() async throws {
    let doors = Doors()
    var configuration = Configuration()
    configuration.prepareDatabase { _ in try doors.check() }
    let pool = try DatabasePool(path: try folder.file().path, configuration: configuration)
    let store = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(pool))
    doors.close()
    var values = store.values(of: Tag.self).makeAsyncIterator()
    await #expect(throws: DatabaseError.self) { try await values.next() }
    doors.open()
    try await store.sync(item: #"{"id": 1, "name": "a"}"#, as: Tag.self)
    // The first read may precede the commit, or may fail once more before connections can be opened.
    var names: [String] = []
    while names.isEmpty {
      do { names = try #require(try await values.next()).map(\.name) } catch is DatabaseError {}
    }
    #expect(names == ["a"])
  }

  private final class Doors: @unchecked Sendable {
    private let lock = NSLock()
    private var areOpen = true

    func open() { lock.withLock { areOpen = true } }
    func close() { lock.withLock { areOpen = false } }
    func check() throws {
      guard lock.withLock({ areOpen }) else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    }
  }
}
