import FaultStore
import Foundation
import Syncline

/// A process that is killed during a call.
struct Victim {
  let scene: KillScene
  let workload: Workload
  /// The number of the SQLite call at which it is killed.
  let call: Int
  /// Whether half of that write is done before.
  let isHalf: Bool

  enum Ending {
    case killed
    /// The call ended before the kill.
    case finished
    /// The process ended for another reason.
    case other(String)
  }

  private static let end = "finished"

  /// The options that make another process run this case alone.
  var options: [String] {
    ["--scene", scene.rawValue, "--workload", workload.name, "--at", "\(call)"] + (isHalf ? ["--half"] : [])
  }

  /// Runs the process, and waits until it ends.
  ///
  /// - Parameter folder: the folder of the store.
  func run(in folder: URL) throws -> Ending {
    let process = try ChildProcess(
      ["kill"] + options + ["--victim", folder.path], environment: [:], patience: 45)
    var words: [String] = []
    while true {
      switch try process.next() {
      case .line(let line): words = (words + [line]).suffix(3)
      case .silence: return .other("the killed process hangs")
      case .end("signal \(SIGKILL)"): return .killed
      case .end(nil) where words.last == Victim.end: return .finished
      case .end(let reason):
        return .other("the killed process ended: \((words + [reason ?? "exit 0"]).joined(separator: " | "))")
      }
    }
  }

  /// Runs the call, in the process that is killed.
  func makeCall(in folder: URL) async throws {
    try Disk.install()
    let site = try scene.mode.workload(workload).site(in: folder)
    Disk.watch(folder)
    Disk.arm(scene.kinds, at: call, isHalf ? FAULT_KILL_HALF : FAULT_KILL)
    do {
      _ = try await workload.call(site)
      try site.close()
    } catch is SyncError where scene == .recovery {
      // The other process has the store open, or is opening it.
    }
    Disk.disarm()
    Console.say(Victim.end)
  }
}
