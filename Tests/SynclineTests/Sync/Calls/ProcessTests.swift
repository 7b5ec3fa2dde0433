#if compiler(>=6.3) && !os(iOS)
  import Foundation
  import Syncline
  import SynclineTesting
  import TestRuns
  import Testing

  /// Processes that sync the same store at the same time. Only SQLite's lock coordinates them.
  @Suite(.enabled(if: TestKind.thorough.runs))
  struct ProcessTests {
    private let folder = TemporaryFolder()
    private static let calls = 150

    /// Ten tasks with projects and tags, whose identities no other call uses.
    private static func rows(_ process: Int, _ call: Int) -> SyncJSON {
      .rows(10, from: (process * calls + call) * 10) { row in
        [
          "id": .number(row), "title": "T", "project": ["id": .number(row), "name": "P"],
          "tags": [["id": .number(row), "name": "G"], ["id": -1, "name": .string("\(process)")]],
        ]
      }
    }

    /// Syncs call after call.
    ///
    /// - Returns: the number of calls that found the store busy.
    private static func sync(_ process: Int, _ file: URL) async throws -> Int {
      var configuration = Configuration()
      // The first process waits as long as necessary. The others get an error immediately, and repeat the call.
      configuration.busyMode = process == 0 ? .timeout(100_000) : .immediateError
      let pool = try await pool(file, configuration)
      let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(pool))
      var busy = 0
      for call in 0..<calls {
        while true {
          do {
            try await container.sync(payload: rows(process, call), as: Task.self, deletionPolicy: .none)
            break
          } catch SyncError.storeBusy {
            #expect(process > 0)
            busy += 1
            await _Concurrency.Task.yield()
          }
        }
      }
      return busy
    }

    /// Opens a pool. If there is no log, this writes to the file, and may find the store busy as well.
    private static func pool(_ file: URL, _ configuration: Configuration) async throws -> DatabasePool {
      while true {
        do {
          return try DatabasePool(path: file.path, configuration: configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          await _Concurrency.Task.yield()
        }
      }
    }

    @Test func processesThatSyncOneStoreLoseNothing() async throws {
      let file = try folder.file("a.sqlite")
      let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .file(file))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for process in 1...2 {
          group.addTask {
            await #expect(processExitsWith: .success) { [file = file as URL, process = process as Int] in
              _ = try await Self.sync(process, file)
            }
          }
        }
        group.addTask {
          let busy = try await Self.sync(0, file)
          #expect(busy == 0)
        }
        try await group.waitForAll()
      }
      let count = 3 * Self.calls * 10
      let counts = try await container.database.read { db in
        [try Task.fetchCount(db), try Project.fetchCount(db), try Tag.fetchCount(db)]
      }
      #expect(counts == [count, count, count + 1])
      #expect(try await container.check().isIntact)
      for process in 0..<3 {
        for call in 0..<Self.calls {
          let report = try await container.sync(
            payload: Self.rows(process, call), as: Task.self, deletionPolicy: .none)
          #expect(report[Task.self].unchanged == 10 && report[Task.self].linked == 0)
        }
      }
    }

    /// If a process is killed while another one waits for it, the other one continues.
    @Test func killedProcessDoesNotBlockOtherProcesses() async throws {
      let file = try folder.file("a.sqlite")
      var configuration = Configuration()
      configuration.busyMode = .timeout(100_000)
      let pool = try DatabasePool(path: file.path, configuration: configuration)
      let container = try SyncContainer(for: SynclineTestsSchema.self, storage: .database(pool))
      let (isHeld, isAwaited) = (try folder.file("held"), try folder.file("awaited"))
      async let killed = #expect(processExitsWith: .signal(SIGKILL)) {
        [file = file as URL, isHeld = isHeld as URL, isAwaited = isAwaited as URL] in
        let other = try DatabaseQueue(path: file.path)
        try other.writeWithoutTransaction { db in
          try db.execute(sql: #"BEGIN IMMEDIATE; INSERT INTO Label (id, name) VALUES ('lost', 'n')"#)
          try Data().write(to: isHeld)
          while !FileManager.default.fileExists(atPath: isAwaited.path) { sched_yield() }
          kill(getpid(), SIGKILL)
        }
      }
      while !FileManager.default.fileExists(atPath: isHeld.path) { await _Concurrency.Task.yield() }
      let payload = AnnouncedPayload(["id": "kept", "name": "n"])
      async let sync = container.sync(item: payload, as: Label.self)
      await payload.isRead()
      try Data().write(to: isAwaited)
      _ = try await sync
      _ = await killed
      #expect(try container.pick(Label.self, "id") == [["kept"]])
    }
  }
#endif
