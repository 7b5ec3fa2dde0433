import Foundation

/// A child process of this executable, whose output is read line by line.
///
/// Not thread-safe.
final class ChildProcess {
  enum Event {
    case line(String)
    /// There was no output for so long that the process is assumed to hang. It was killed.
    case silence
    /// It ended by itself, with a description; nil if the exit code is 0.
    case end(String?)
  }

  private let process = Process()
  private let output = Pipe()
  private let patience: Double
  private var buffer = Data()

  /// Starts the process.
  ///
  /// - Parameter patience: the number of seconds without output after which the process is assumed to hang.
  init(_ arguments: [String], environment: [String: String], patience: Double) throws {
    self.patience = patience
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    // Without this, a trap would take seconds to print a backtrace.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { _, new in new }
      .merging(environment) { _, new in new }
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  /// Waits for the next event.
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
