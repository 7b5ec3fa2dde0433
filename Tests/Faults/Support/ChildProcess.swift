import Foundation

/// A process of this executable, whose output is read line by line.
///
/// It is used by one thread.
final class ChildProcess {
  enum Event {
    case line(String)
    /// Nothing was printed for so long that it hangs. The process is killed.
    case silence
    /// It has ended by itself: how, for people; nil if it exited with 0.
    case end(String?)
  }

  private let process = Process()
  private let output = Pipe()
  private let patience: Double
  private var buffer = Data()

  /// Starts the process.
  ///
  /// - Parameter patience: how many seconds without output mean that it hangs.
  init(_ arguments: [String], environment: [String: String], patience: Double) throws {
    self.patience = patience
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    // A trap would take seconds to print a backtrace.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new }
      .merging(environment) { _, new in new }
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  /// Waits for what comes next.
  func next() throws -> Event {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
        buffer = Data(buffer[buffer.index(after: end)...])
        return .line(line)
      }
      guard try waitForOutput() else {
        stop()
        return .silence
      }
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { return .end(ending()) }
      buffer.append(bytes)
    }
  }

  /// Kills the process.
  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func waitForOutput() throws -> Bool {
    var descriptor = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&descriptor, 1, Int32(patience * 1000))
      if count >= 0 { return count > 0 }
      guard errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
  }

  private func ending() -> String? {
    process.waitUntilExit()
    let status = process.terminationStatus
    if process.terminationReason == .uncaughtSignal { return "signal \(status)" }
    return status == 0 ? nil : "exit \(status)"
  }
}
