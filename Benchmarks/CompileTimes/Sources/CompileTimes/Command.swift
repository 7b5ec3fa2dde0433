import Foundation

/// The cost of a command: elapsed time, and processor time.
struct Cost {
  var elapsed: Double
  var processor: Double
}

/// Runs commands, and measures them.
enum Command {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a command. Returns its output including errors, and its cost including that of its child processes.
  @discardableResult
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> (
    output: String, cost: Cost
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    let before = processorTimeOfChildren()
    let start = DispatchTime.now().uptimeNanoseconds
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: arguments.prefix(6).joined(separator: " ") + " failed:\n" + output.suffix(4_000))
    }
    return (output, Cost(elapsed: elapsed, processor: processorTimeOfChildren() - before))
  }

  /// The lowest cost of a command in three runs. The closure prepares each run and returns its arguments.
  static func best(_ command: (_ run: Int) throws -> [String]) throws -> Cost {
    let costs = try (0..<3).map { try run(command($0)).cost }
    return Cost(
      elapsed: costs.map(\.elapsed).min() ?? 0, processor: costs.map(\.processor).min() ?? 0)
  }

  private static func processorTimeOfChildren() -> Double {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_CHILDREN, &usage)
    #else
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
