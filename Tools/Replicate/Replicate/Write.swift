import ArgumentParser
import Foundation
import GRDB
import Syncline

/// A process that makes calls, starting after the last committed one.
struct Write: AsyncParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument var store: String
  @Argument var times: String
  @Option var seed: Int
  @Option var calls: Int

  func run() async throws {
    let file = URL(fileURLWithPath: store)
    let log = try FileHandle(forWritingTo: URL(fileURLWithPath: times))
    try log.seekToEnd()
    var number = try lastNumber(file) + 1
    while number <= calls {
      let version = Version(of: number, calls: calls)
      let container = try version.open(.file(file))
      // The store is closed sometimes, like in an app that ends.
      for _ in 0..<100 where number <= calls && Version(of: number, calls: calls) == version {
        let call = Call(number, seed: seed)
        let start = DispatchTime.now().uptimeNanoseconds
        try await version.run(call, on: container)
        let time = (DispatchTime.now().uptimeNanoseconds - start) / 1_000
        try log.write(contentsOf: Data("\(time)\n".utf8))
        number += 1
        try await _Concurrency.Task.sleep(for: .milliseconds(number % 5))
      }
      try container.database.close()
    }
  }

  private func lastNumber(_ file: URL) throws -> Int {
    let database = try DatabaseQueue(path: file.path)
    defer { try? database.close() }
    return try State.number(database)
  }
}
